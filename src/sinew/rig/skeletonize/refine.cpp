#include "sinew/rig/skeletonize/refine.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "sinew/base/parallel.h"

namespace sinew::rig {
namespace {

using Branch = BranchGraph::Branch;

constexpr double deep = 4;          // radii of the view from which on a body is deeper than a limb is
constexpr double line_reach = 1.5;  // how far a line across a branch may look, in radii of the view

Vec3d tangent(const Branch& branch, std::size_t i) {
    const auto& nodes = branch.nodes;
    const Vec3d d = nodes[std::min(i + 1, nodes.size() - 1)].position - nodes[i > 0 ? i - 1 : 0].position;
    return d.norm() > 0 ? Vec3d(d.normalized()) : Vec3d(Vec3d::Zero());
}

/// Stretches of the body along the view, seen from each node, and the choice of one for each such that the
/// branch stays in one piece: the least sum of jumps and of distances from where the nodes were.
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
            // Something runs along the view here, as a foot does: the branch may pass at either end of it.
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

/// The middle of what a line across the branch sees near by. Far sights (along the trunk from the root of a
/// limb) are cut off on both sides alike.
Vec3d centered_across(const CurveNode& node, const Body& body, const Vec3d& direction) {
    for (const Interval& stretch : body.inside(node.position, direction)) {
        if (stretch.low > 0 || stretch.high < 0) continue;
        const double most = line_reach * node.radius;
        const double middle = (std::max(stretch.low, -most) + std::min(stretch.high, most)) / 2;
        return node.position + middle * direction;
    }
    return node.position;
}

/// Inside the ball of a junction a branch has no section of its own.
bool near_junction(const BranchGraph& graph, const Branch& branch, const CurveNode& node) {
    return std::ranges::any_of(branch.ends, [&](int end) {
        if (end < 0) return false;
        const CurveNode& junction = graph.junctions[static_cast<std::size_t>(end)];
        return (node.position - junction.position).norm() < junction.radius;
    });
}

void center_across(const BranchGraph& graph, Branch& branch, const Body& body, const Vec3d& view) {
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

/// A junction stands in the middle of the body near the ends of its branches.
void center_junctions(BranchGraph& graph, const Body& body, const Vec3d& view) {
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

void refine_by_rays(BranchGraph& graph, const Body& body, const Vec3d& view,
                    const DepthRefineOptions& options) {
    parallel_for(graph.branches.size(), 1, [&](std::size_t b) {
        Branch& branch = graph.branches[b];
        if (branch.hidden || branch.nodes.empty()) return;
        for (int sweep = 0; sweep < options.sweeps; ++sweep) {
            center_along(branch, body, view);
            if (sweep > 0) center_across(graph, branch, body, view);
            smooth(branch, options.smoothing);
        }
    });
    center_junctions(graph, body, view);
}

int pull_inside(BranchGraph& graph, const Body& body) {
    int outside = 0;
    const auto pull = [&](CurveNode& node) {
        const auto place = body.pulled_inside(node.position);
        if (place) node.position = *place;
        outside += place ? 0 : 1;
    };
    for (CurveNode& node : graph.junctions) pull(node);
    for (Branch& branch : graph.branches) {
        for (CurveNode& node : branch.nodes) pull(node);
    }
    return outside;
}

}  // namespace sinew::rig
