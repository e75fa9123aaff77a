#include "sinew/rig/bind/regions.h"

#include <algorithm>
#include <cmath>

#include "sinew/base/array.h"
#include "sinew/base/parallel.h"
#include "sinew/math/types.h"
#include "sinew/rig/bind/region_distance.h"
#include "sinew/rig/bind/region_weights.h"
#include "sinew/rig/bind/regions_shells.h"

namespace sinew::rig {
namespace {

using math::infinity;

/// All that lies between the mesh and its weights.
struct Work {
    RegionSurface surface;
    Linkage linkage;
    std::vector<std::vector<DividingPoint>> points;  // by joint
    std::vector<JointCut> cuts;
    Regions regions;
    std::vector<BoundaryCurve> curves;
    std::optional<RegionDistances> distances;
};

JointShape shape_of(const Work& work, int j) {
    const LinkedJoint& joint = work.linkage.joints[at(j)];
    JointShape shape;
    shape.at = joint.position;
    shape.leaf = joint.leaf;
    for (const Vec3d& end : joint.ends)
        if ((end - joint.position).norm() > 1e-6) shape.links.push_back(end - joint.position);
    // The bone that comes: from the nearest joint above that is not at the same place.
    Vec3d incoming = Vec3d::Zero();
    for (int above = joint.parent; above >= 0 && incoming.norm() < 1e-4;
         above = work.linkage.joints[at(above)].parent)
        incoming = joint.position - work.linkage.joints[at(above)].position;
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

void cut_joint(Work& work, int j, const RegionOptions& options) {
    const SearchPlan plan = search_plan(shape_of(work, j));
    DividingOptions search;
    search.rays = options.rays;
    search.sigma = options.sigma;
    search.straightness = options.straightness;
    auto& points = work.points[at(j)];
    points = dividing_points(work.surface, plan, search);
    JointCut& cut = work.cuts[at(j)];
    std::vector<Vec3d> places;
    for (const DividingPoint& p : points)
        if (p.ray >= 0) places.push_back(p.position);
    cut.surface = options.boundary == BoundaryMode::planar ? DividingSurface(plan.at, plan.axis)
                                                           : DividingSurface(plan.at, plan.axis, places);
    cut.triangles = triangles_around(plan, points);
    std::vector<std::uint32_t> starts = cut.triangles;
    if (cut.surface->planar()) {
        // Not through the dividing points: the skin is met square to the axis.
        starts.clear();
        const Vec3d u = plan.axis.unitOrthogonal(), v = plan.axis.cross(u);
        for (const Vec3d& ray : {u, v, Vec3d(-u), Vec3d(-v)})
            if (const auto out = way_out(work.surface, plan.at, ray)) starts.push_back(out->triangle);
    }
    cut.crossed = trace(work.surface, *cut.surface, starts);
}

void find_regions(Work& work, const model::Skeleton& skeleton, const RegionOptions& options,
                  Monitor& monitor) {
    work.points.resize(skeleton.size());
    work.cuts.resize(skeleton.size());
    const auto& order = work.linkage.order;
    parallel_for(order.size(), 1, [&](std::size_t i) {
        if (order[i] != work.linkage.root) cut_joint(work, order[i], options);
    });
    std::vector<std::string> names;
    for (const model::Joint& joint : skeleton.joints) names.push_back(joint.name);
    const BoundaryKind first = options.boundary == BoundaryMode::planar     ? BoundaryKind::planar
                               : options.boundary == BoundaryMode::geodesic ? BoundaryKind::geodesic
                                                                            : BoundaryKind::non_planar;
    work.regions = grow_regions(work.surface, work.linkage, work.cuts, first, names, monitor);
}

void measure_distances(Work& work, const RegionOptions& options) {
    work.curves = boundary_curves(work.surface, work.regions, work.cuts);
    for (std::size_t j = 0; j < work.curves.size(); ++j)
        for (const std::uint32_t t : work.cuts[j].triangles)
            for (const DividingPoint& p : work.points[j])
                if (p.ray >= 0 && p.triangle == t && work.regions.kind[j] != BoundaryKind::none)
                    work.curves[j].simplified.push_back(p.position);
    work.distances.emplace(work.regions);
    if (options.distance == DistanceMode::geodesic)
        geodesic_distances(work.surface, work.curves, *work.distances);
    else
        simplified_distances(work.surface, work.regions, work.curves, *work.distances);
}

/// What bounds the region of a vertex, ready for the weights.
RegionSides sides_of(const Work& work, std::uint32_t v, const RegionOptions& options) {
    RegionSides sides;
    sides.joint = work.regions.joint_of[v];
    const auto& joints = work.linkage.joints;
    const auto children = work.distances->children(sides.joint);
    const bool band = options.weights == RegionWeightMode::hierarchical_band;
    const auto side = [&](int j, double distance, double bone) {
        const double softness = at(j) < options.joint_softness.size() && options.joint_softness[at(j)] >= 0
                                    ? options.joint_softness[at(j)]
                                    : options.softness;
        double limit =
            band && options.band_radii > 0 ? options.band_radii * work.curves[at(j)].radius : infinity;
        return BandSide{j, distance, softness, std::min(limit, bone)};
    };
    const LinkedJoint& here = joints[at(sides.joint)];
    const double end = here.ends.empty() ? infinity : (here.ends.front() - here.position).norm();
    const double own = work.distances->own(v);
    if (!work.curves[at(sides.joint)].pieces.empty()) sides.parent = work.regions.parent[at(sides.joint)];
    sides.own = side(sides.joint, sides.parent < 0 ? infinity : own, children.empty() ? end : infinity);
    const bool lone = sides.parent < 0 && children.size() == 1;
    for (std::size_t k = 0; k < children.size(); ++k) {
        const Vec3d bone = joints[at(children[k])].position - here.position;
        const double length = lone || (!band && sides.parent < 0) ? bone.norm() : infinity;
        sides.children.push_back(side(children[k], work.distances->child(v, k), length));
    }
    return sides;
}

}  // namespace
}  // namespace sinew::rig
namespace sinew::rig {
namespace {

using Row = std::vector<JointWeight>;

/// Weights, shadows and distances by vertex of the surface.
struct VertexResults {
    std::vector<Row> rows;
    std::vector<std::vector<std::uint32_t>> shadows;
    std::vector<double> own, child;
    std::vector<int> nearest_child;

    explicit VertexResults(std::size_t count)
        : rows(count),
          shadows(count),
          own(count, infinity),
          child(count, infinity),
          nearest_child(count, -1) {}
};

void scale_to_one(Row& row) {
    double sum = 0;
    for (const JointWeight& entry : row) sum += entry.weight;
    for (JointWeight& entry : row) entry.weight /= sum;
}

VertexResults weigh(const Work& work, const RegionOptions& options) {
    VertexResults out(work.surface.positions.size());
    parallel_for(out.rows.size(), 256, [&](std::size_t i) {
        const auto v = static_cast<std::uint32_t>(i);
        if (work.regions.joint_of[v] < 0) return;
        const RegionSides sides = sides_of(work, v, options);
        switch (options.weights) {
            case RegionWeightMode::hierarchical_band:
                band_weights(sides, options.ease, out.rows[v]);
                break;
            case RegionWeightMode::continuous_shepard:
                continuous_shepard(sides, options.alpha, out.rows[v]);
                break;
            case RegionWeightMode::source_shepard:
                source_shepard(sides, options.alpha, out.rows[v]);
                break;
        }
        scale_to_one(out.rows[v]);
        shadows_of(sides, out.shadows[v]);
        out.own[v] = sides.own.distance;
        for (const BandSide& child : sides.children) {
            if (child.distance >= out.child[v]) continue;
            out.child[v] = child.distance;
            out.nearest_child[v] = child.joint;
        }
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
        p.fan.turn = frame.rotation * p.fan.turn;
        p.distance /= frame.scale;
        for (std::vector<double>* lengths : {&p.profile, &p.smoothed, &p.judged})
            for (double& d : *lengths) d /= frame.scale;
    }
    const BoundaryCurve& curve = work.curves[at(j)];
    out.simplified = to_world(curve.simplified);
    for (auto& line : joined_lines(curve)) out.curve.push_back(to_world(std::move(line)));
    out.radius = curve.radius / frame.scale;
    for (std::uint32_t e = 0; e < work.surface.edges.edges.size(); ++e) {
        const geometry::Edge& edge = work.surface.edges.edges[e];
        const int a = work.regions.joint_of[edge.a], b = work.regions.joint_of[edge.b];
        if (!(a == j && b == out.parent) && !(b == j && a == out.parent)) continue;
        const auto behind = a == j ? edge.b : edge.a, beyond = a == j ? edge.a : edge.b;
        out.crossed.push_back({e, work.surface.mesh_vertex[behind], work.surface.mesh_vertex[beyond]});
    }
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
        out.nearest_child.push_back(vertices.nearest_child[v]);
        out.shadows.items.insert(out.shadows.items.end(), vertices.shadows[v].begin(),
                                 vertices.shadows[v].end());
        out.shadows.offsets.push_back(static_cast<std::uint32_t>(out.shadows.items.size()));
    }
}

}  // namespace

RegionResult region_weights(const geometry::Mesh& mesh, const model::Skeleton& skeleton,
                            const RegionOptions& options, Monitor& monitor) {
    Collector collector(monitor);
    Work work;
    work.surface = region_surface(mesh);
    LinkageOptions linkage;
    linkage.exclude_end_sites = options.exclude_end_sites;
    work.linkage = link_joints(work.surface, skeleton, linkage, collector);
    step(collector, "boundaries", 0);
    find_regions(work, skeleton, options, collector);
    step(collector, "distances", 0.4);
    measure_distances(work, options);
    step(collector, "weights", 0.8);
    VertexResults vertices = weigh(work, options);
    std::vector<int> regions = work.regions.joint_of;
    attach_shells(work.surface, regions, vertices.rows);
    RegionResult out;
    hand_out(work, regions, vertices, out);
    for (std::size_t j = 0; j < skeleton.size(); ++j)
        if (work.regions.kind[j] != BoundaryKind::none)
            out.boundaries.push_back(boundary_result(work, static_cast<int>(j)));
    out.warnings = collector.warnings();
    return out;
}

}  // namespace sinew::rig
