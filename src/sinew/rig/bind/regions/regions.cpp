// SPDX-License-Identifier: MIT
#include "sinew/rig/bind/regions/regions.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "sinew/base/array.h"
#include "sinew/base/parallel.h"
#include "sinew/math/types.h"
#include "sinew/rig/bind/regions/distances.h"
#include "sinew/rig/bind/regions/dividing_points.h"
#include "sinew/rig/bind/regions/grow.h"
#include "sinew/rig/bind/weight_table.h"

namespace sinew::rig {
namespace {

using math::infinity;

/// Distance to the nearest boundary of the region except one (`skip` = -1 skips the own one).
double nearest_other(const RegionSides& sides, int skip) {
    double min = skip == -1 ? infinity : sides.own.distance;
    for (std::size_t k = 0; k < sides.children.size(); ++k)
        if (static_cast<int>(k) != skip) min = std::min(min, sides.children[k].distance);
    return min;
}

/// Position in the band, from 0 on the boundary to 1 at its end; a rigid boundary has no band.
double through(const BandSide& side, double other) {
    if (!(side.softness > 0)) return 1;
    return std::min(1.0, band_fraction(side.distance, other, side.limit) / side.softness);
}

/// S(x) of the band for x in [0, 1]: S(0) = 0, S(1/2) = 1/2, S(1) = 1.
double ease(double x) {
    return x * x * (3 - 2 * x);
}

}  // namespace

double band_fraction(double distance, double other, double limit) {
    if (!(distance > 0)) return 0;
    if (!std::isfinite(distance)) return 1;
    const double whole = std::min(distance + other, limit);
    return std::isfinite(whole) ? std::min(1.0, distance / whole) : 0;
}

void band_weights(const RegionSides& sides, std::vector<JointWeight>& row) {
    const double t = sides.parent < 0 ? 1 : ease(0.5 + 0.5 * through(sides.own, nearest_other(sides, -1)));
    double left = t;
    for (std::size_t k = 0; k < sides.children.size(); ++k) {
        const double other = nearest_other(sides, static_cast<int>(k));
        const double child = ease(0.5 - 0.5 * through(sides.children[k], other));
        left *= 1 - child;
        row.push_back({sides.children[k].joint, t * child});
    }
    row.push_back({sides.joint, left});
    if (sides.parent >= 0) row.push_back({sides.parent, 1 - t});
}

void influencing_children(const RegionSides& sides, std::vector<std::uint32_t>& joints) {
    for (std::size_t k = 0; k < sides.children.size(); ++k)
        if (through(sides.children[k], nearest_other(sides, static_cast<int>(k))) < 1)
            joints.push_back(static_cast<std::uint32_t>(sides.children[k].joint));
}

namespace {

using Row = std::vector<JointWeight>;

/// Triangles whose corners all have a region.
std::vector<geometry::Triangle> body_triangles(const RegionSurface& surface,
                                               const std::vector<int>& regions) {
    std::vector<geometry::Triangle> body;
    for (const geometry::Triangle& t : surface.triangles)
        if (std::all_of(t.begin(), t.end(), [&](std::uint32_t v) { return regions[v] >= 0; }))
            body.push_back(t);
    return body;
}

Row mean_row(const std::vector<const Row*>& rows) {
    std::map<int, double> sum;
    for (const Row* row : rows)
        for (const JointWeight& entry : *row) sum[entry.joint] += entry.weight;
    Row mean;
    for (const auto& [joint, weight] : sum)
        mean.push_back({joint, weight / static_cast<double>(rows.size())});
    return mean;
}

/// One row for all vertices of each small shell.
void stiffen_small(const RegionSurface& surface, const std::vector<std::uint32_t>& loose,
                   std::vector<int>& regions, std::vector<Row>& rows, double small) {
    std::vector<std::vector<std::uint32_t>> shells(surface.shells);
    for (const std::uint32_t v : loose)
        if (surface.shell_of[v] != RegionSurface::none) shells[surface.shell_of[v]].push_back(v);
    for (const auto& shell : shells) {
        if (shell.empty()) continue;
        geometry::Box box;
        std::vector<const Row*> all;
        for (const std::uint32_t v : shell) {
            box.include(surface.positions[v].cast<float>());
            all.push_back(&rows[v]);
        }
        if (static_cast<double>(box.diagonal()) > small) continue;
        const Row mean = mean_row(all);
        const auto heaviest = std::max_element(
            mean.begin(), mean.end(), [](const auto& a, const auto& b) { return a.weight < b.weight; });
        for (const std::uint32_t v : shell) {
            rows[v] = mean;
            regions[v] = heaviest->joint;
        }
    }
}

/// Gives every vertex without a region the region and the row of the nearest vertex of the body; all vertices
/// of a small shell get the mean of these rows, so that it keeps its
/// shape. `rows` and `regions` are by vertex of the surface.
void attach_shells(const RegionSurface& surface, std::vector<int>& regions, std::vector<Row>& rows) {
    constexpr double small = 0.1;  // of the size of the mesh
    std::vector<std::uint32_t> loose;
    for (std::uint32_t v = 0; v < regions.size(); ++v)
        if (regions[v] < 0) loose.push_back(v);
    if (loose.empty()) return;
    std::vector<math::Vec3f> positions;
    for (const Vec3d& p : surface.positions) positions.emplace_back(p.cast<float>());
    const auto body = body_triangles(surface, regions);
    const geometry::SurfaceQueries queries(positions, body);
    std::vector<std::uint32_t> near(loose.size());
    parallel_for(loose.size(), 64, [&](std::size_t i) {
        const auto hit = queries.nearest(positions[loose[i]]);
        const auto& t = body[hit->triangle];
        near[i] = *std::min_element(t.begin(), t.end(), [&](std::uint32_t a, std::uint32_t b) {
            const auto off = [&](std::uint32_t v) { return (positions[v] - hit->position).squaredNorm(); };
            return off(a) < off(b);
        });
    });
    for (std::size_t i = 0; i < loose.size(); ++i) {
        regions[loose[i]] = regions[near[i]];
        rows[loose[i]] = rows[near[i]];
    }
    stiffen_small(surface, loose, regions, rows, small);
}

/// All steps between the mesh and its weights.
struct Work {
    RegionSurface surface;
    RegionJoints joints;
    std::vector<std::vector<DividingPoint>> points;  // by joint
    std::vector<JointCut> cuts;
    Regions regions;
    std::vector<BoundaryCurve> curves;
    std::optional<RegionDistances> distances;
};

JointShape shape_of(const Work& work, int j) {
    const RegionJoint& joint = work.joints.joints[at(j)];
    JointShape shape;
    shape.at = joint.position;
    shape.leaf = joint.leaf;
    for (const Vec3d& end : joint.ends)
        if ((end - joint.position).norm() > 1e-6) shape.links.push_back(end - joint.position);
    // The incoming bone: from the nearest ancestor that is not at the same position.
    Vec3d incoming = Vec3d::Zero();
    for (int above = joint.parent; above >= 0 && incoming.norm() < 1e-4;
         above = work.joints.joints[at(above)].parent)
        incoming = joint.position - work.joints.joints[at(above)].position;
    if (incoming.norm() < 1e-4)
        for (const Vec3d& link : shape.links) incoming += link;
    shape.parent_length = incoming.norm();
    shape.incoming = incoming.norm() > 1e-9 ? Vec3d(incoming.normalized()) : Vec3d(Vec3d::UnitY());
    shape.side = section_side(work.surface, shape.at, shape.incoming, Vec3d::UnitY());
    return shape;
}

/// Ordered around the axis, so that neighbours follow each other.
std::vector<std::uint32_t> triangles_around(const SearchPlan& plan, std::span<const DividingPoint> points) {
    const Vec3d u = plan.axis.unitOrthogonal(), v = plan.axis.cross(u);
    std::vector<std::pair<double, std::uint32_t>> order;
    for (const DividingPoint& p : points)
        if (p.ray >= 0)
            order.emplace_back(std::atan2((p.position - plan.at).dot(v), (p.position - plan.at).dot(u)),
                               p.triangle);
    std::sort(order.begin(), order.end());
    std::vector<std::uint32_t> triangles;
    for (const auto& [angle, triangle] : order) triangles.push_back(triangle);
    return triangles;
}

void cut_joint(Work& work, int j) {
    const SearchPlan plan = search_plan(shape_of(work, j));
    auto& points = work.points[at(j)];
    points = dividing_points(work.surface, plan);
    JointCut& cut = work.cuts[at(j)];
    std::vector<Vec3d> positions;
    for (const DividingPoint& p : points)
        if (p.ray >= 0) positions.push_back(p.position);
    cut.surface = DividingSurface(plan.at, plan.axis, positions);
    cut.triangles = triangles_around(plan, points);
    std::vector<std::uint32_t> starts = cut.triangles;
    if (cut.surface->planar()) {
        // Not through the dividing points: the rays are perpendicular to the axis.
        starts.clear();
        const Vec3d u = plan.axis.unitOrthogonal(), v = plan.axis.cross(u);
        for (const Vec3d& ray : {u, v, Vec3d(-u), Vec3d(-v)})
            if (const auto out = exit_point(work.surface, plan.at, ray)) starts.push_back(out->triangle);
    }
    cut.crossed = trace(work.surface, *cut.surface, starts);
}

void find_regions(Work& work, const model::Skeleton& skeleton, Monitor& monitor) {
    work.points.resize(skeleton.size());
    work.cuts.resize(skeleton.size());
    const auto& order = work.joints.order;
    parallel_for(order.size(), 1, [&](std::size_t i) {
        if (order[i] != work.joints.root) cut_joint(work, order[i]);
    });
    std::vector<std::string> names;
    for (const model::Joint& joint : skeleton.joints) names.push_back(joint.name);
    work.regions = grow_regions(work.surface, work.joints, work.cuts, names, monitor);
}

void measure_distances(Work& work) {
    work.curves = boundary_curves(work.surface, work.regions, work.cuts);
    for (std::size_t j = 0; j < work.curves.size(); ++j)
        for (const std::uint32_t t : work.cuts[j].triangles)
            for (const DividingPoint& p : work.points[j])
                if (p.ray >= 0 && p.triangle == t && work.regions.kind[j] != BoundaryKind::none)
                    work.curves[j].simplified.push_back(p.position);
    work.distances.emplace(work.regions);
    geodesic_distances(work.surface, work.curves, *work.distances);
}

/// The boundaries of the region of a vertex, as the weights need them.
RegionSides sides_of(const Work& work, std::uint32_t v, double softness) {
    // Bands use at most this many radii of the boundary as the length of a region, because skin deforms over
    // about the thickness of a limb, not over its length.
    constexpr double band_radii = 2;
    RegionSides sides;
    sides.joint = work.regions.joint_of[v];
    const auto& joints = work.joints.joints;
    const auto children = work.distances->children(sides.joint);
    const auto side = [&](int j, double distance, double bone) {
        return BandSide{j, distance, softness, std::min(band_radii * work.curves[at(j)].radius, bone)};
    };
    const RegionJoint& here = joints[at(sides.joint)];
    const double end = here.ends.empty() ? infinity : (here.ends.front() - here.position).norm();
    const double own = work.distances->own(v);
    if (!work.curves[at(sides.joint)].pieces.empty()) sides.parent = work.regions.parent[at(sides.joint)];
    sides.own = side(sides.joint, sides.parent < 0 ? infinity : own, children.empty() ? end : infinity);
    const bool lone = sides.parent < 0 && children.size() == 1;
    for (std::size_t k = 0; k < children.size(); ++k) {
        const Vec3d bone = joints[at(children[k])].position - here.position;
        const double length = lone ? bone.norm() : infinity;
        sides.children.push_back(side(children[k], work.distances->child(v, k), length));
    }
    return sides;
}

/// Weights, influencing children and distances by vertex of the surface.
struct VertexResults {
    std::vector<Row> rows;
    std::vector<std::vector<std::uint32_t>> children;
    std::vector<double> own, child;

    explicit VertexResults(std::size_t count)
        : rows(count), children(count), own(count, infinity), child(count, infinity) {}
};

void scale_to_one(Row& row) {
    double sum = 0;
    for (const JointWeight& entry : row) sum += entry.weight;
    for (JointWeight& entry : row) entry.weight /= sum;
}

VertexResults weigh(const Work& work, double softness) {
    VertexResults out(work.surface.positions.size());
    parallel_for(out.rows.size(), 256, [&](std::size_t i) {
        const auto v = static_cast<std::uint32_t>(i);
        if (work.regions.joint_of[v] < 0) return;
        const RegionSides sides = sides_of(work, v, softness);
        band_weights(sides, out.rows[v]);
        scale_to_one(out.rows[v]);
        influencing_children(sides, out.children[v]);
        out.own[v] = sides.own.distance;
        for (const BandSide& child : sides.children) out.child[v] = std::min(out.child[v], child.distance);
    });
    return out;
}

JointBoundary boundary_result(const Work& work, int j) {
    const UnitFrame& frame = work.surface.frame;
    const auto to_world = [&](std::vector<Vec3d> points) {
        for (Vec3d& p : points) p = frame.to_world(p);
        return points;
    };
    JointBoundary out;
    out.joint = j;
    out.parent = work.regions.parent[at(j)];
    out.kind = work.regions.kind[at(j)];
    out.points = work.points[at(j)];
    for (DividingPoint& p : out.points) {
        p.position = frame.to_world(p.position);
        p.from = frame.to_world(p.from);
        p.fan.start = frame.rotation * p.fan.start;
        p.fan.toward = frame.rotation * p.fan.toward;
        p.distance /= frame.scale;
        for (std::vector<double>* lengths : {&p.profile, &p.smoothed, &p.judged})
            for (double& d : *lengths) d /= frame.scale;
    }
    const BoundaryCurve& curve = work.curves[at(j)];
    out.simplified = to_world(curve.simplified);
    for (auto& line : joined_lines(curve)) out.curve.push_back(to_world(std::move(line)));
    out.radius = curve.radius / frame.scale;
    return out;
}

/// From the vertices of the surface to those of the mesh.
void hand_out(const Work& work, const std::vector<int>& regions, const VertexResults& vertices,
              RegionResult& out) {
    const double scale = work.surface.frame.scale;
    for (const std::uint32_t v : work.surface.vertex_of) {
        out.weights.push_row(vertices.rows[v]);
        out.region_of_vertex.push_back(regions[v]);
        out.own_distance.push_back(vertices.own[v] / scale);
        out.child_distance.push_back(vertices.child[v] / scale);
        auto& [offsets, items] = out.influenced_by_child;
        items.insert(items.end(), vertices.children[v].begin(), vertices.children[v].end());
        offsets.push_back(static_cast<std::uint32_t>(items.size()));
    }
}

}  // namespace

RegionResult region_weights(const geometry::Mesh& mesh, const model::Skeleton& skeleton,
                            const RegionOptions& options, Monitor& monitor) {
    Work work;
    work.surface = region_surface(mesh);
    work.joints = region_joints(work.surface, skeleton, monitor);
    step(monitor, "boundaries", 0);
    find_regions(work, skeleton, monitor);
    step(monitor, "distances", 0.4);
    measure_distances(work);
    step(monitor, "weights", 0.8);
    VertexResults vertices = weigh(work, options.softness);
    std::vector<int> regions = work.regions.joint_of;
    attach_shells(work.surface, regions, vertices.rows);
    RegionResult out;
    hand_out(work, regions, vertices, out);
    for (std::size_t j = 0; j < skeleton.size(); ++j)
        if (work.regions.kind[j] != BoundaryKind::none)
            out.boundaries.push_back(boundary_result(work, static_cast<int>(j)));
    return out;
}

}  // namespace sinew::rig
