// SPDX-License-Identifier: MIT
#include "sinew/rig/silhouette/refine.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "sinew/base/parallel.h"
#include "sinew/geometry/topology.h"

namespace sinew::rig {

namespace {

constexpr int body_resolution = 128;  // cells of the interior of a surface that is not closed

std::vector<std::int8_t> shell_signs(const geometry::Mesh& mesh, const Vec3d& middle) {
    const geometry::Shells shells = geometry::shells_of(mesh);
    std::vector<double> volume(shells.count, 0);
    const auto at = [&](std::uint32_t v) { return Vec3d(mesh.positions[v].cast<double>() - middle); };
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
        const Triangle& c = mesh.triangles[t];
        volume[shells.of_triangle[t]] += at(c[0]).dot(at(c[1]).cross(at(c[2])));
    }
    std::vector<std::int8_t> out(mesh.triangles.size());
    for (std::size_t t = 0; t < out.size(); ++t) out[t] = volume[shells.of_triangle[t]] < 0 ? -1 : 1;
    return out;
}

}  // namespace

Body::Body(const geometry::Mesh& mesh, const WeldedSurface& surface, Monitor& monitor)
    : queries_(mesh), diagonal_(surface.diagonal) {
    const geometry::Box box = geometry::bounds(mesh.positions);
    low_ = box.low.cast<double>();
    high_ = box.high.cast<double>();
    shell_sign_ = shell_signs(mesh, (low_ + high_) / 2);
    if (surface.closed) return;
    warn(monitor, "open-surface",
         "the surface is not closed; the interior is that of a voxel grid with {} cells", body_resolution);
    solid_ = geometry::voxel_solid(mesh, {body_resolution, true}, monitor);
}

bool Body::contains(const Vec3d& point) const {
    if (solid_) return solid_->contains(point);
    // A direction that is not an axis of any usual model.
    static const Vec3d direction = Vec3d(0.5257, 0.2763, 0.8046).normalized();
    for (const Interval& i : surface_intervals(point, direction)) {
        if (i.low <= 0 && i.high >= 0) return true;
    }
    return false;
}

std::vector<Interval> Body::inside(const Vec3d& point, const Vec3d& direction) const {
    return solid_ ? voxel_intervals(point, direction) : surface_intervals(point, direction);
}

/// Winding above zero along the line. Two hits of an edge shared by two triangles count once.
std::vector<Interval> Body::surface_intervals(const Vec3d& point, const Vec3d& direction) const {
    thread_local std::vector<geometry::RayHit> hits;
    const double back = 1.5 * diagonal_;
    // With a small offset, because symmetric models have edges in their middle planes.
    const Vec3d origin = point - back * direction + 3e-7 * diagonal_ * Vec3d(0.71, -0.43, 0.56);
    queries_.all_hits(origin.cast<float>(), direction.cast<float>(), hits);
    std::vector<Interval> out;
    int winding = 0;
    double last[2] = {-1, -1};
    const double same = 2e-7 * diagonal_;
    for (const geometry::RayHit& hit : hits) {
        const int step = (hit.entering ? 1 : -1) * shell_sign_[hit.triangle];
        double& previous = last[step > 0 ? 1 : 0];
        const auto at = static_cast<double>(hit.distance);
        if (previous >= 0 && at - previous <= same) continue;
        previous = at;
        if (winding <= 0 && winding + step > 0) out.push_back({at - back, at - back});
        if (winding > 0 && winding + step <= 0 && !out.empty()) out.back().high = at - back;
        winding += step;
    }
    std::erase_if(out, [](const Interval& i) { return !(i.high > i.low); });
    return out;
}

std::vector<Interval> Body::voxel_intervals(const Vec3d& point, const Vec3d& direction) const {
    // The stretch of the line in the box.
    double first = -1e300, last = 1e300;
    for (int axis = 0; axis < 3; ++axis) {
        if (std::abs(direction[axis]) < 1e-12) continue;
        const double a = (low_[axis] - point[axis]) / direction[axis];
        const double b = (high_[axis] - point[axis]) / direction[axis];
        first = std::max(first, std::min(a, b));
        last = std::min(last, std::max(a, b));
    }
    std::vector<Interval> out;
    const double step = solid_->cell() / 2;
    if (!(last > first) || last - first > 4 * diagonal_) return out;
    bool open = false;
    for (double t = first - 2 * step; t <= last + 2 * step; t += step) {
        const bool in = solid_->contains(Vec3d(point + t * direction));
        if (in && !open) out.push_back({t - step / 2, t});
        if (in) out.back().high = t + step / 2;
        open = in;
    }
    return out;
}

double Body::clearance(const Vec3d& point) const {
    const auto nearest = queries_.nearest(point.cast<float>());
    return nearest ? static_cast<double>(nearest->distance) : 0;
}

std::optional<Vec3d> Body::pulled_inside(const Vec3d& point) const {
    if (contains(point)) return point;
    const auto nearest = queries_.nearest(point.cast<float>());
    if (!nearest) return std::nullopt;
    const Vec3d surface = nearest->position.cast<double>();
    Vec3d direction = surface - point;
    if (direction.norm() < 1e-9 * diagonal_) return std::nullopt;
    direction.normalize();
    for (const Interval& i : inside(surface, direction)) {
        if (i.high <= 0 || i.low > 0.05 * diagonal_) continue;
        return Vec3d(surface + i.middle() * direction);
    }
    return std::nullopt;
}

namespace {

using Branch = MedialGraph::Branch;

constexpr int sweeps = 2;            // along the view, then across
constexpr int branch_smoothing = 3;  // passes of [1 2 1] / 4 after each
constexpr double deep = 4;           // radii of the view above which a depth is too large for a limb
constexpr double line_reach = 1.5;   // maximum length of a line across a branch, in radii of the view

Vec3d tangent(const Branch& branch, std::size_t i) {
    const auto& nodes = branch.nodes;
    const Vec3d d = nodes[std::min(i + 1, nodes.size() - 1)].position - nodes[i > 0 ? i - 1 : 0].position;
    return d.norm() > 0 ? Vec3d(d.normalized()) : Vec3d(Vec3d::Zero());
}

/// Stretches of the body along the view, through each node, and the choice of one for each that keeps the
/// branch connected: the smallest sum of jumps and of distances from the previous positions.
std::vector<double> depths(const Branch& branch, const Body& body, const Vec3d& view) {
    const std::size_t count = branch.nodes.size();
    std::vector<std::vector<double>> options(count), cost(count);
    std::vector<std::vector<std::size_t>> from(count);
    for (std::size_t i = 0; i < count; ++i) {
        const Vec3d& at = branch.nodes[i].position;
        const double depth = view.dot(at);
        for (const Interval& stretch : body.inside(at, view)) {
            options[i].push_back(depth + stretch.middle());
            if (stretch.length() < deep * branch.nodes[i].radius) continue;
            // A part runs along the view here, such as a foot: the branch may pass at either end of it.
            options[i].push_back(depth + stretch.low + branch.nodes[i].radius);
            options[i].push_back(depth + stretch.high - branch.nodes[i].radius);
        }
        if (options[i].empty()) options[i].push_back(depth);
        for (const double option : options[i]) {
            double best = 0;
            std::size_t parent = 0;
            for (std::size_t k = 0; i > 0 && k < options[i - 1].size(); ++k) {
                const double jump = cost[i - 1][k] + 2 * std::abs(option - options[i - 1][k]);
                if (k == 0 || jump < best) {
                    best = jump;
                    parent = k;
                }
            }
            cost[i].push_back(best + 0.2 * std::abs(option - depth));
            from[i].push_back(parent);
        }
    }
    std::vector<double> out(count);
    auto pick = static_cast<std::size_t>(std::ranges::min_element(cost.back()) - cost.back().begin());
    for (std::size_t i = count; i-- > 0;) {
        out[i] = options[i][pick];
        pick = from[i][pick];
    }
    return out;
}

void center_along(Branch& branch, const Body& body, const Vec3d& view) {
    const std::vector<double> depth = depths(branch, body, view);
    for (std::size_t i = 0; i < depth.size(); ++i) {
        Vec3d& at = branch.nodes[i].position;
        at += (depth[i] - view.dot(at)) * view;
    }
}

/// The middle of the nearby body on a line across the branch. Long distances (along the trunk from the root
/// of a limb) are limited equally on both sides.
Vec3d centered_across(const CurveNode& node, const Body& body, const Vec3d& direction) {
    for (const Interval& stretch : body.inside(node.position, direction)) {
        if (stretch.low > 0 || stretch.high < 0) continue;
        const double max = line_reach * node.radius;
        const double middle = (std::max(stretch.low, -max) + std::min(stretch.high, max)) / 2;
        return node.position + middle * direction;
    }
    return node.position;
}

/// Inside the sphere of a junction a branch has no separate section.
bool near_junction(const MedialGraph& graph, const Branch& branch, const CurveNode& node) {
    return std::ranges::any_of(branch.ends, [&](int end) {
        if (end < 0) return false;
        const CurveNode& junction = graph.junctions[static_cast<std::size_t>(end)];
        return (node.position - junction.position).norm() < junction.radius;
    });
}

void center_across(const MedialGraph& graph, Branch& branch, const Body& body, const Vec3d& view) {
    std::vector<Vec3d> moved;
    for (std::size_t i = 0; i < branch.nodes.size(); ++i) {
        const CurveNode& node = branch.nodes[i];
        moved.push_back(near_junction(graph, branch, node)
                            ? node.position
                            : centered_across(node, body, across(view, tangent(branch, i))));
    }
    for (std::size_t i = 0; i < moved.size(); ++i) branch.nodes[i].position = moved[i];
}

void smooth(Branch& branch, int passes) {
    auto& nodes = branch.nodes;
    for (int pass = 0; pass < passes; ++pass) {
        std::vector<CurveNode> out = nodes;
        for (std::size_t i = 1; i + 1 < nodes.size(); ++i) {
            out[i].position = (nodes[i - 1].position + 2 * nodes[i].position + nodes[i + 1].position) / 4;
        }
        nodes = std::move(out);
    }
}

/// A junction lies in the middle of the body near the ends of its branches.
void center_junctions(MedialGraph& graph, const Body& body, const Vec3d& view) {
    for (std::size_t j = 0; j < graph.junctions.size(); ++j) {
        CurveNode& node = graph.junctions[j];
        double depth = 0, weight = 0;
        for (const Branch& branch : graph.branches) {
            for (const std::size_t end : {0u, 1u}) {
                if (branch.ends[end] != static_cast<int>(j) || branch.nodes.empty()) continue;
                const CurveNode& near = end == 0 ? branch.nodes.front() : branch.nodes.back();
                depth += near.radius * view.dot(near.position);
                weight += near.radius;
            }
        }
        if (weight > 0) node.position += (depth / weight - view.dot(node.position)) * view;
        const Interval* best = nullptr;
        const std::vector<Interval> stretches = body.inside(node.position, view);
        const auto away = [](const Interval& i) { return std::max({i.low, -i.high, 0.0}); };
        for (const Interval& stretch : stretches) {
            if (best == nullptr || away(stretch) < away(*best)) best = &stretch;
        }
        if (best != nullptr) node.position += best->middle() * view;
    }
}

}  // namespace

Vec3d across(const Vec3d& view, const Vec3d& along) {
    Vec3d out = view.cross(along);
    if (out.norm() < 0.1) out = (along.norm() > 0 ? along : view).unitOrthogonal();
    return out.normalized();
}

void refine_by_rays(MedialGraph& graph, const Body& body, const Vec3d& view) {
    parallel_for(graph.branches.size(), 1, [&](std::size_t b) {
        Branch& branch = graph.branches[b];
        if (branch.hidden || branch.nodes.empty()) return;
        for (int sweep = 0; sweep < sweeps; ++sweep) {
            center_along(branch, body, view);
            if (sweep > 0) center_across(graph, branch, body, view);
            smooth(branch, branch_smoothing);
        }
    });
    center_junctions(graph, body, view);
}

int pull_inside(MedialGraph& graph, const Body& body) {
    int outside = 0;
    const auto pull = [&](CurveNode& node) {
        const auto inside_point = body.pulled_inside(node.position);
        if (inside_point) node.position = *inside_point;
        outside += inside_point ? 0 : 1;
    };
    for (CurveNode& node : graph.junctions) pull(node);
    for (Branch& branch : graph.branches) {
        for (CurveNode& node : branch.nodes) pull(node);
    }
    return outside;
}

}  // namespace sinew::rig
