// SPDX-License-Identifier: MIT
// Geodesic voxel binding: distances along paths inside the body.

#include <algorithm>
#include <cmath>

#include "sinew/base/array.h"
#include "sinew/geometry/topology.h"
#include "sinew/rig/bind/bind_solid.h"
#include "sinew/rig/bind/methods.h"

namespace sinew::rig {
namespace {

/// The limb around a point of the surface: the largest sphere in the body that touches it there.
struct InscribedSphere {
    Vec3d offset = Vec3d::Zero();  ///< from the point on the surface to the centre
    double radius = 0;
};

/// Depth below the surface anywhere; half a cell above it where there is no cell.
double depth_at(const BindSolid& solid, const Vec3d& point) {
    const CellCorners corners = solid.graph.around(point);
    const double outside = -0.5 * solid.graph.cell();
    double depth = outside;
    for (std::uint32_t i = 0; i < corners.count; ++i)
        depth += static_cast<double>(corners.part[i]) *
                 (static_cast<double>(solid.depth[corners.cell[i]]) - outside);
    return depth;
}

/// How far the centre of a sphere can go from a point in a direction while the sphere still touches the
/// point: the depth at the centre is its radius. The tolerance is a tenth, plus what a cell cannot resolve.
double farthest_center(const BindSolid& solid, const Vec3d& point, const Vec3d& direction) {
    const double stride = 0.5 * solid.graph.cell();
    const auto spare = [&](double distance) {
        return depth_at(solid, point + distance * direction) - 0.9 * distance + stride;
    };
    double before = spare(0);
    if (!(before > 0)) return 0;
    for (double distance = stride;; distance += stride) {
        const double here = spare(distance);
        if (here <= 0) return distance - stride * here / (here - before);
        before = here;
    }
}

InscribedSphere sphere_at(const BindSolid& solid, const Vec3d& point, const Vec3d& normal) {
    // Against the normal, and along it, because shells may be inside out.
    const double inward = farthest_center(solid, point, -normal);
    const double outward = farthest_center(solid, point, normal);
    const double distance = std::max(inward, outward);
    return {(outward > inward ? distance : -distance) * normal, distance};
}

/// For each point the sphere that touches the surface there from inside, found along the normal in the depths
/// of the interior, and averaged with those of its neighbours five times because normals are rough. Points
/// outside all cells have a sphere of radius 0.
std::vector<InscribedSphere> inscribed_spheres(const BindInput& input, const BindSolid& solid,
                                               const geometry::Rows& neighbors) {
    const geometry::Mesh mesh = mesh_of(input);
    const auto normals = geometry::vertex_normals(mesh.positions, mesh.triangles);
    std::vector<InscribedSphere> spheres(input.points.size()), next(spheres.size());
    parallel_for(spheres.size(), 256, [&](std::size_t p) {
        spheres[p] = sphere_at(solid, input.points[p], normals[p].cast<double>());
    });
    for (int pass = 0; pass < 5; ++pass) {
        parallel_for(spheres.size(), 1024, [&](std::size_t p) {
            InscribedSphere mean;
            for (const std::uint32_t n : neighbors[p]) {
                mean.offset += spheres[n].offset;
                mean.radius += spheres[n].radius;
            }
            const double count = std::max<double>(1, static_cast<double>(neighbors[p].size()));
            const double share = neighbors[p].empty() ? 0 : 0.5;
            next[p] = {(1 - share) * spheres[p].offset + share / count * mean.offset,
                       (1 - share) * spheres[p].radius + share / count * mean.radius};
        });
        spheres.swap(next);
    }
    return spheres;
}

/// Where the paths to a point of the mesh begin.
struct Stand {
    Vec3d position = Vec3d::Zero();
    CellCorners corners;
    double radius = 0;  // of the limb
};

/// A joint's distance from a point.
struct Reach {
    std::uint32_t point = 0;
    float distance = 0;
};

struct JointReach {
    std::uint32_t joint = 0;
    float distance = 0;
};

std::vector<Stand> stands_of(const BindInput& input, const BindSolid& solid, std::span<const float> distances,
                             const geometry::Rows& neighbors) {
    constexpr double depth = 0.7;  // where paths begin: 0 on the surface, 1 in the middle of the limb
    std::vector<Vec3d> positions = input.points;
    const std::vector<InscribedSphere> spheres = inscribed_spheres(input, solid, neighbors);
    for (std::size_t p = 0; p < positions.size(); ++p) positions[p] += depth * spheres[p].offset;
    const std::vector<CellCorners> corners = reached_corners(solid, distances, positions);
    std::vector<Stand> stands(positions.size());
    for (std::size_t p = 0; p < positions.size(); ++p)
        stands[p] = {positions[p], corners[p], spheres[p].radius};
    return stands;
}

/// Points by the cell that has the largest part in them.
geometry::Rows points_by_cell(std::span<const Stand> stands, std::size_t cells) {
    std::vector<std::uint32_t> home(stands.size());
    geometry::Rows rows;
    rows.offsets.assign(cells + 1, 0);
    for (std::size_t p = 0; p < stands.size(); ++p) {
        const CellCorners& c = stands[p].corners;
        const auto best = std::max_element(c.part.begin(), c.part.begin() + c.count) - c.part.begin();
        home[p] = c.cell[at(best)];
        ++rows.offsets[home[p] + 1];
    }
    for (std::size_t c = 0; c < cells; ++c) rows.offsets[c + 1] += rows.offsets[c];
    rows.items.resize(stands.size());
    std::vector<std::uint32_t> next(rows.offsets.begin(), rows.offsets.end() - 1);
    for (std::uint32_t p = 0; p < stands.size(); ++p) rows.items[next[home[p]]++] = p;
    return rows;
}

/// Length of the shortest path over the 26 neighbours between two positions without obstacles.
double straight_distance(const Vec3d& v) {
    double s[3] = {std::abs(v.x()), std::abs(v.y()), std::abs(v.z())};
    std::sort(s, s + 3);
    return s[0] * std::sqrt(3.0) + (s[1] - s[0]) * std::sqrt(2.0) + (s[2] - s[1]);
}
/// A path over cells without obstacles is at most this factor longer than a straight line: in the direction
/// (1, a, b) with a = sqrt2 - 1, b = sqrt3 - sqrt2.
constexpr double max_over_straight = 1.128;

/// The longest path from a joint, in cells, with which it can still influence a point of the mesh in this
/// cell.
std::vector<float> limits(const BindSolid& solid, std::span<const Stand> stands,
                          std::span<const float> distances, double softness) {
    const double soft = softness * softness, cell = solid.graph.cell();
    std::vector<float> bound(solid.graph.size(), -1);
    for (const Stand& stand : stands) {
        for (std::uint32_t i = 0; i < stand.corners.count; ++i) {
            const std::uint32_t c = stand.corners.cell[i];
            // Two cells for the rounding of both ends, and two for the tolerance of a straight path.
            const double min = static_cast<double>(distances[c]) + 2, radius = stand.radius / cell;
            const double max = std::sqrt((1 + soft) * min * min + soft * radius * radius);
            bound[c] = std::max(bound[c], static_cast<float>(max_over_straight * max + 4));
        }
    }
    return farthest_that_matters(solid.graph, bound);
}

/// Distance from the position of a point to the nearest bone of a joint, given the path over cells.
double path_distance(const BindInput& input, const BindSolid& solid, std::size_t joint, const Vec3d& position,
                     double distance) {
    double min = std::numeric_limits<double>::infinity();
    const double forgiven = 2 * solid.graph.cell();
    for (std::size_t b = input.first_bone[joint]; b < input.first_bone[joint + 1]; ++b) {
        if (solid.bone_counts[b] == 0) continue;
        const BoneSegment& bone = input.bones[b];
        const Vec3d to = bone.start + nearest_fraction(bone, position) * (bone.end - bone.start) - position;
        min = std::min(min, to.norm() * std::max(1.0, distance / (straight_distance(to) + forgiven)));
    }
    return min;
}

/// Length of the path over cells to a position between them; infinite when none of them was reached.
double distance_at(const CellSearch& search, const CellCorners& corners) {
    double sum = 0, part = 0;
    for (std::uint32_t i = 0; i < corners.count; ++i) {
        const float distance = search.distance(corners.cell[i]);
        if (!(distance < CellGraph::unreached)) continue;
        sum += static_cast<double>(corners.part[i]) * static_cast<double>(distance);
        part += static_cast<double>(corners.part[i]);
    }
    return part > 0 ? sum / part : std::numeric_limits<double>::infinity();
}

/// Distances of all points from all joints that can influence them; joints increase within a row.
std::vector<std::vector<JointReach>> reaches_of(const BindInput& input, const BindSolid& solid,
                                                std::span<const Stand> stands, std::span<const float> limit,
                                                Monitor& monitor) {
    const geometry::Rows points = points_by_cell(stands, solid.graph.size());
    std::vector<std::vector<Reach>> by_joint(input.joints());
    parallel_blocks(input.joints(), 4, [&](std::size_t begin, std::size_t end) {
        CellSearch search(solid.graph);
        for (std::size_t j = begin; j < end; ++j) {
            search.run(solid.seeds[j], limit);
            for (const std::uint32_t cell : search.reached()) {
                for (const std::uint32_t p : points[cell]) {
                    const double distance = distance_at(search, stands[p].corners) * solid.graph.cell();
                    const double d = path_distance(input, solid, j, stands[p].position, distance);
                    by_joint[j].push_back({p, static_cast<float>(d)});
                }
            }
        }
    });
    step(monitor, "weights", 0.8);
    std::vector<std::vector<JointReach>> rows(stands.size());
    for (std::uint32_t j = 0; j < by_joint.size(); ++j)
        for (const Reach& reach : by_joint[j]) rows[reach.point].push_back({j, reach.distance});
    return rows;
}

/// Weight of a joint relative to that of the nearest one, which is 1.
double part_of(double distance, double min, double radius, double softness) {
    const double size = min * min + radius * radius + 1e-18;
    const double t = std::sqrt((distance * distance - min * min) / size);
    if (!(t < softness)) return distance > min ? 0 : 1;
    const double x = 0.5 - 0.5 * t / softness, share = x * x * (3 - 2 * x);
    return share / (1 - share);
}

void weigh(std::span<const JointReach> reaches, double radius, double softness,
           std::vector<JointWeight>& row) {
    double min = std::numeric_limits<double>::infinity();
    for (const JointReach& reach : reaches) min = std::min(min, static_cast<double>(reach.distance));
    double sum = 0;
    for (const JointReach& reach : reaches) {
        const double part = part_of(static_cast<double>(reach.distance), min, radius, softness);
        row.push_back({static_cast<int>(reach.joint), part});
        sum += part;
    }
    for (JointWeight& entry : row) entry.weight /= sum;
}

/// A pass over the surface: each row goes half-way to the mean of its neighbours, less where they are farther
/// than a radius of the limb (a Gaussian of this width), so that a coarse mesh is not smoothed too much.
/// \param parts of the neighbours of each point, in their order
WeightTable smoothed(const WeightTable& table, const geometry::Rows& neighbors,
                     std::span<const double> parts) {
    std::vector<std::vector<JointWeight>> rows(table.size());
    parallel_for(rows.size(), 256, [&](std::size_t p) {
        rows[p].assign(table[p].begin(), table[p].end());
        for (std::size_t i = neighbors.offsets[p]; i < neighbors.offsets[p + 1]; ++i)
            for (const JointWeight& entry : table[neighbors.items[i]])
                rows[p].push_back({entry.joint, parts[i] * entry.weight});
    });
    WeightTable result;
    for (const auto& row : rows) result.push_row(row);
    normalize(result);
    return result;
}

std::vector<double> neighbor_parts(const BindInput& input, const geometry::Rows& neighbors,
                                   std::span<const Stand> stands) {
    std::vector<double> parts(neighbors.items.size());
    parallel_for(stands.size(), 256, [&](std::size_t p) {
        const auto count = static_cast<double>(neighbors[p].size());
        for (std::size_t i = neighbors.offsets[p]; i < neighbors.offsets[p + 1]; ++i) {
            const double distance =
                (input.points[neighbors.items[i]] - input.points[p]).norm() / (stands[p].radius + 1e-9);
            parts[i] = std::exp(-0.5 * distance * distance) / count;
        }
    });
    return parts;
}

}  // namespace

WeightTable voxel_weights(const geometry::Mesh& mesh, const model::Skeleton& skeleton,
                          const VoxelBindOptions& options, Monitor& monitor,
                          const geometry::VoxelSolid* shared) {
    return voxel_weights(bind_input(mesh, skeleton), options, monitor, shared);
}

WeightTable voxel_weights(const BindInput& input, const VoxelBindOptions& options, Monitor& monitor,
                          const geometry::VoxelSolid* shared) {
    const BindSolid solid =
        shared != nullptr ? bind_solid(input, *shared, monitor) : bind_solid(input, SolidSize{}, monitor);
    const std::vector<float> distances = nearest_distances(solid);
    const geometry::Rows neighbors = geometry::vertex_neighbors(input.points.size(), input.triangles);
    const std::vector<Stand> stands = stands_of(input, solid, distances, neighbors);
    step(monitor, "weights", 0.2);
    const auto reaches =
        reaches_of(input, solid, stands, limits(solid, stands, distances, options.softness), monitor);
    std::vector<std::vector<JointWeight>> rows(stands.size());
    parallel_for(rows.size(), 256,
                 [&](std::size_t p) { weigh(reaches[p], stands[p].radius, options.softness, rows[p]); });
    WeightTable table;
    for (const auto& row : rows) table.push_row(row);
    const std::vector<double> parts = neighbor_parts(input, neighbors, stands);
    for (int pass = 0; pass < options.smoothing; ++pass) table = smoothed(table, neighbors, parts);
    step(monitor, "weights", 1);
    return to_vertices(input, carry_specks(mesh_of(input), std::move(table)));
}

}  // namespace sinew::rig
