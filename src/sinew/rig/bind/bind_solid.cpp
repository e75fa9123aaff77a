// SPDX-License-Identifier: MIT
#include "sinew/rig/bind/bind_solid.h"

#include <algorithm>
#include <cmath>

#include "sinew/geometry/surface_queries.h"

namespace sinew::rig {
CellGraph::CellGraph(const geometry::VoxelSolid& solid)
    : origin_(solid.lattice.origin),
      cell_(solid.cell()),
      points_(solid.lattice.points),
      cell_of_(solid.inside.size(), none) {
    const auto nx = static_cast<std::ptrdiff_t>(points_[0]);
    const std::ptrdiff_t strides[3] = {1, nx, nx * static_cast<std::ptrdiff_t>(points_[1])};
    std::size_t count = 0;
    for (int k = -1; k <= 1; ++k) {
        for (int j = -1; j <= 1; ++j) {
            for (int i = -1; i <= 1; ++i) {
                if (i == 0 && j == 0 && k == 0) continue;
                steps_[count++] = {i + j * strides[1] + k * strides[2],
                                   std::sqrt(static_cast<float>(i * i + j * j + k * k))};
            }
        }
    }
    for (std::size_t i = 0; i < solid.inside.size(); ++i) {
        if (solid.inside[i] == 0) continue;
        cell_of_[i] = static_cast<std::uint32_t>(lattice_index_.size());
        lattice_index_.push_back(static_cast<std::uint32_t>(i));
    }
    mask_.assign(size(), 0);
    for (std::size_t c = 0; c < size(); ++c) {
        const auto here = static_cast<std::ptrdiff_t>(lattice_index_[c]);
        for (std::size_t s = 0; s < steps_.size(); ++s) {
            // The lattice has a layer of empty cells around the interior, so that a step never leaves it.
            if (cell_of_[static_cast<std::size_t>(here + steps_[s].offset)] != none) mask_[c] |= 1u << s;
        }
    }
}

Vec3d CellGraph::center(std::uint32_t cell) const {
    const std::size_t i = lattice_index_[cell];
    return origin_ + cell_ * Vec3d(static_cast<double>(i % points_[0]),
                                   static_cast<double>(i / points_[0] % points_[1]),
                                   static_cast<double>(i / (points_[0] * points_[1])));
}

std::uint32_t CellGraph::at(const Vec3d& point) const {
    std::size_t index = 0, stride = 1;
    for (int a = 0; a < 3; ++a) {
        const auto axis = static_cast<std::size_t>(a);
        const double position = std::floor((point[a] - origin_[a]) / cell_ + 0.5);
        if (!(position >= 0) || position >= static_cast<double>(points_[axis])) return none;
        index += static_cast<std::size_t>(position) * stride;
        stride *= points_[axis];
    }
    return cell_of_[index];
}

CellCorners CellGraph::around(const Vec3d& point) const {
    CellCorners corners;
    const Vec3d position = (point - origin_) / cell_;
    Vec3d low;
    for (int a = 0; a < 3; ++a) {
        low[a] = std::floor(position[a]);
        const auto last = static_cast<double>(points_[static_cast<std::size_t>(a)] - 1);
        if (!(low[a] >= 0) || low[a] >= last) return corners;
    }
    const Vec3d part = position - low;
    const std::size_t first =
        static_cast<std::size_t>(low.x()) +
        points_[0] * (static_cast<std::size_t>(low.y()) + points_[1] * static_cast<std::size_t>(low.z()));
    for (std::size_t i = 0; i < 8; ++i) {
        const std::size_t x = i & 1, y = i >> 1 & 1, z = i >> 2;
        const std::uint32_t cell = cell_of_[first + x + points_[0] * (y + points_[1] * z)];
        const double weight = (x != 0 ? part.x() : 1 - part.x()) * (y != 0 ? part.y() : 1 - part.y()) *
                              (z != 0 ? part.z() : 1 - part.z());
        if (cell == none || weight <= 0) continue;
        corners.cell[corners.count] = cell;
        corners.part[corners.count++] = static_cast<float>(weight);
    }
    return corners;
}

CellSearch::CellSearch(const CellGraph& graph)
    : graph_(graph), distance_(graph.size(), CellGraph::unreached), settled_(graph.size(), 0) {}

void CellSearch::enter(std::uint32_t cell, float distance) {
    if (distance >= distance_[cell]) return;
    distance_[cell] = distance;
    const auto bucket = static_cast<std::size_t>(distance);
    if (bucket >= buckets_.size()) buckets_.resize(bucket + 1);
    buckets_[bucket].push_back({cell, distance});
}

void CellSearch::run(std::span<const CellDistance> seeds, std::span<const float> limit) {
    for (const std::uint32_t cell : reached_) {
        distance_[cell] = CellGraph::unreached;
        settled_[cell] = 0;
    }
    reached_.clear();
    const auto allowed = [&](std::uint32_t cell, float distance) {
        return limit.empty() || distance <= limit[cell];
    };
    for (const CellDistance& seed : seeds)
        if (allowed(seed.cell, seed.distance)) enter(seed.cell, seed.distance);
    // No step is shorter than a bucket, so that within a bucket the order does not matter (Dial 1969; Denardo
    // and Fox 1979).
    for (std::size_t b = 0; b < buckets_.size(); ++b) {
        for (std::size_t i = 0; i < buckets_[b].size(); ++i) {
            const auto [cell, distance] = buckets_[b][i];
            if (settled_[cell] != 0 || distance > distance_[cell]) continue;
            settled_[cell] = 1;
            reached_.push_back(cell);
            graph_.for_each_neighbour(cell, [&, here = distance](std::uint32_t next, float length) {
                if (allowed(next, here + length)) enter(next, here + length);
            });
        }
        buckets_[b].clear();
    }
}

std::vector<float> farthest_that_matters(const CellGraph& graph, std::span<const float> bound) {
    // After subtracting `most` from all values and reversing the sign, this is a search from all bounds at
    // once.
    float max = 0;
    for (const float value : bound)
        if (value < CellGraph::unreached) max = std::max(max, value);
    std::vector<CellDistance> seeds;
    for (std::uint32_t c = 0; c < bound.size(); ++c)
        if (bound[c] >= 0 && bound[c] < CellGraph::unreached) seeds.push_back({c, max - bound[c]});
    CellSearch search(graph);
    search.run(seeds);
    std::vector<float> farthest = search.distances();
    for (float& value : farthest) value = max - value;
    return farthest;
}

namespace {

/// The interior of a mesh with about the requested number of cells. A coarse lattice measures how much of its
/// box the body fills; when it is fine enough, it is used itself.
geometry::VoxelSolid solid_of(const geometry::Mesh& mesh, const SolidSize& size, int& resolution,
                              Monitor& monitor) {
    resolution = std::min(size.resolution, 512);
    if (size.resolution <= 0) {
        const int coarse = size.min_resolution;
        geometry::VoxelSolid solid = geometry::voxel_solid(mesh, {coarse, true, true});
        const auto count = static_cast<double>(solid.count());
        const double finer = std::cbrt(static_cast<double>(size.cells) / std::max(count, 1.0));
        resolution = std::clamp(static_cast<int>(coarse * finer), coarse, size.max_resolution);
        if (resolution == coarse) return solid;
    }
    return geometry::voxel_solid(mesh, {resolution, true, true}, monitor);
}

/// Positions along a bone, half a cell apart.
template <class Body>
void for_each_position(const BoneSegment& bone, double cell, const Body& body) {
    const double length = (bone.end - bone.start).norm();
    const auto steps = length > 0 ? static_cast<std::size_t>(std::ceil(2 * length / cell)) : 0;
    for (std::size_t i = 0; i <= steps; ++i) {
        const double part = steps > 0 ? static_cast<double>(i) / static_cast<double>(steps) : 0;
        body(Vec3d(bone.start + part * (bone.end - bone.start)));
    }
}

/// The cells that a bone crosses, and whether at least half of it lies in cells.
bool crossed_cells(const CellGraph& graph, const BoneSegment& bone, std::vector<CellDistance>& cells) {
    std::size_t positions = 0, inside = 0;
    for_each_position(bone, graph.cell(), [&](const Vec3d& position) {
        const std::uint32_t cell = graph.at(position);
        ++positions;
        if (cell == CellGraph::none) return;
        ++inside;
        if (cells.empty() || cells.back().cell != cell) cells.push_back({cell, 0});
    });
    return 2 * inside >= positions;
}

std::vector<geometry::Triangle> reached_cells(std::span<const float> distances) {
    std::vector<geometry::Triangle> cells;  // a triangle without extent is a point that can be nearest
    for (std::uint32_t c = 0; c < distances.size(); ++c)
        if (distances[c] < CellGraph::unreached) cells.push_back({c, c, c});
    return cells;
}

std::vector<math::Vec3f> centers_of(const CellGraph& graph) {
    std::vector<math::Vec3f> centers(graph.size());
    for (std::uint32_t c = 0; c < centers.size(); ++c) centers[c] = graph.center(c).cast<float>();
    return centers;
}

/// Finds the cell that is nearest to a point among those with a finite path; at least one must exist.
class NearestCell {
  public:
    NearestCell(const CellGraph& graph, std::span<const float> distances)
        : cells_(reached_cells(distances)), centers_(centers_of(graph), cells_) {}
    std::uint32_t operator()(const Vec3d& point) const {
        const auto near = centers_.nearest(point.cast<float>());
        return near ? cells_[near->triangle][0] : cells_.front()[0];
    }

  private:
    std::vector<geometry::Triangle> cells_;
    geometry::SurfaceQueries centers_;
};

/// Cells near a bone that lies outside: those about as near as the nearest of all.
void seed_from_nearest(const BoneSegment& bone, const CellGraph& graph, const NearestCell& nearest,
                       double farthest, std::vector<CellDistance>& seeds) {
    std::vector<CellDistance> near;
    float least = CellGraph::unreached;
    for_each_position(bone, graph.cell(), [&](const Vec3d& position) {
        const std::uint32_t cell = nearest(position);
        const double distance = (graph.center(cell) - position).norm() / graph.cell();
        near.push_back({cell, static_cast<float>(distance)});
        least = std::min(least, near.back().distance);
    });
    if (static_cast<double>(least) * graph.cell() > farthest) return;
    for (const CellDistance& seed : near)
        if (seed.distance <= least + 1) seeds.push_back(seed);
}

/// The nearest joints up and down the hierarchy that have cells.
std::vector<std::size_t> family_of(std::size_t joint, std::span<const int> parents,
                                   std::span<const std::vector<CellDistance>> seeds) {
    const auto next_up = [&](std::size_t j) {
        int up = parents[j];
        while (up >= 0 && static_cast<std::size_t>(up) != joint &&
               seeds[static_cast<std::size_t>(up)].empty())
            up = parents[static_cast<std::size_t>(up)];
        return up;
    };
    std::vector<std::size_t> family;
    if (const int up = next_up(joint); up >= 0) family.push_back(static_cast<std::size_t>(up));
    for (std::size_t j = 0; j < parents.size(); ++j)
        if (!seeds[j].empty() && next_up(j) == static_cast<int>(joint)) family.push_back(j);
    return family;
}

/// Paths of joints without cells start from the nearest cells of their limb: those that are nearer to the
/// parent or a child than to all other joints.
void seed_idle_joints(const BindInput& input, BindSolid& solid) {
    const std::vector<float> nearest = nearest_distances(solid);
    std::vector<std::vector<CellDistance>> found(input.joints());
    CellSearch search(solid.graph);
    for (std::size_t j = 0; j < input.joints(); ++j) {
        if (!solid.seeds[j].empty() || input.bones_of(j).empty()) continue;
        std::vector<CellDistance> seeds;
        for (const std::size_t relative : family_of(j, input.parents, solid.seeds))
            seeds.insert(seeds.end(), solid.seeds[relative].begin(), solid.seeds[relative].end());
        if (seeds.empty()) continue;
        search.run(seeds);
        std::vector<float> limb = search.distances();
        for (std::size_t c = 0; c < limb.size(); ++c)
            if (limb[c] > nearest[c]) limb[c] = CellGraph::unreached;
        const NearestCell nearest_of_limb(solid.graph, limb);
        for (std::size_t b = input.first_bone[j]; b < input.first_bone[j + 1]; ++b) {
            const std::size_t before = found[j].size();
            seed_from_nearest(input.bones[b], solid.graph, nearest_of_limb, max_outside, found[j]);
            solid.bone_counts[b] = found[j].size() > before ? 1 : 0;
        }
    }
    for (std::size_t j = 0; j < found.size(); ++j)
        if (!found[j].empty()) solid.seeds[j] = std::move(found[j]);
}

/// When no bone lies in the interior, the paths of each bone start from the cells nearest to it.
void seed_all(const BindInput& input, BindSolid& solid) {
    const std::vector<float> everywhere(solid.graph.size(), 0);
    const NearestCell nearest(solid.graph, everywhere);
    for (std::size_t b = 0; b < input.bones.size(); ++b) {
        seed_from_nearest(input.bones[b], solid.graph, nearest, std::numeric_limits<double>::infinity(),
                          solid.seeds[static_cast<std::size_t>(input.bones[b].joint)]);
        solid.bone_counts[b] = 1;
    }
}

}  // namespace

std::vector<float> nearest_distances(const BindSolid& solid) {
    std::vector<CellDistance> seeds;
    for (const auto& of_joint : solid.seeds) seeds.insert(seeds.end(), of_joint.begin(), of_joint.end());
    CellSearch search(solid.graph);
    search.run(seeds);
    return search.distances();
}

std::vector<CellCorners> reached_corners(const BindSolid& solid, std::span<const float> distances,
                                         std::span<Vec3d> positions) {
    std::vector<CellCorners> corners(positions.size());
    const auto reached = [&](std::uint32_t cell) { return distances[cell] < CellGraph::unreached; };
    parallel_for(positions.size(), 1024, [&](std::size_t p) {
        corners[p] = solid.graph.around(positions[p]);
        corners[p].keep(reached);
    });
    const auto lost = [](const CellCorners& c) { return c.count == 0; };
    if (std::none_of(corners.begin(), corners.end(), lost)) return corners;
    const NearestCell nearest(solid.graph, distances);
    parallel_for(positions.size(), 1024, [&](std::size_t p) {
        if (!lost(corners[p])) return;
        corners[p].cell[0] = nearest(positions[p]);
        corners[p].part[0] = 1;
        corners[p].count = 1;
        positions[p] = solid.graph.center(corners[p].cell[0]);
    });
    return corners;
}

namespace {

BindSolid with_bones(const BindInput& input, const geometry::VoxelSolid& cells, int resolution,
                     Monitor& monitor) {
    BindSolid solid{CellGraph(cells), resolution, {}, {}, {}};
    // Only depths inside are needed.
    const std::vector<float> signed_depth = geometry::signed_distance(cells, 0);
    for (std::size_t i = 0; i < signed_depth.size(); ++i)
        if (cells.inside[i] != 0) solid.depth.push_back(-signed_depth[i]);
    solid.seeds.resize(input.joints());
    solid.bone_counts.assign(input.bones.size(), 0);
    std::vector<CellDistance> crossed;
    for (std::size_t b = 0; b < input.bones.size(); ++b) {
        crossed.clear();
        if (!crossed_cells(solid.graph, input.bones[b], crossed)) continue;
        solid.bone_counts[b] = 1;
        auto& seeds = solid.seeds[static_cast<std::size_t>(input.bones[b].joint)];
        seeds.insert(seeds.end(), crossed.begin(), crossed.end());
    }
    const auto idle = [](const auto& seeds) { return seeds.empty(); };
    if (std::ranges::all_of(solid.seeds, idle)) {
        warn(monitor, "skeleton-outside",
             "no bone lies in the mesh: each starts from the nearest part of it");
        seed_all(input, solid);
    } else if (std::ranges::any_of(solid.seeds, idle)) {
        seed_idle_joints(input, solid);
    }
    return solid;
}

}  // namespace

BindSolid bind_solid(const BindInput& input, const SolidSize& size, Monitor& monitor) {
    int resolution = 0;
    const geometry::VoxelSolid cells = solid_of(mesh_of(input), size, resolution, monitor);
    return with_bones(input, cells, resolution, monitor);
}

BindSolid bind_solid(const BindInput& input, const geometry::VoxelSolid& cells, Monitor& monitor) {
    geometry::VoxelSolid unit = cells;
    unit.lattice.origin = (cells.lattice.origin - input.center) * input.scale;
    unit.lattice.step = cells.lattice.step * input.scale;
    const auto& points = cells.lattice.points;
    return with_bones(input, unit, static_cast<int>(*std::max_element(points.begin(), points.end())),
                      monitor);
}

int bind_resolution(const geometry::Mesh& mesh) {
    int resolution = 0;
    solid_of(mesh, {}, resolution, silent());
    return resolution;
}

}  // namespace sinew::rig
