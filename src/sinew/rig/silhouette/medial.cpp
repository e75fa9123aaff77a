// SPDX-License-Identifier: MIT
#include "sinew/rig/silhouette/medial.h"

#include <algorithm>
#include <cmath>

#include "sinew/rig/silhouette/medial_chains.h"

namespace sinew::rig {

namespace {

constexpr int smoothing_passes = 3;  // of [1 2 1] / 4

/// The middle of some points of the outline; depths are weighted by their reliability.
MedialNode mean_node(const std::vector<SilhouetteNode>& nodes, std::initializer_list<int> points,
                     const geometry::PolygonIndex& outline) {
    MedialNode out;
    double depth = 0, trusted = 0, trust = 0;
    for (const int p : points) {
        const SilhouetteNode& node = nodes[static_cast<std::size_t>(p)];
        out.xy += node.xy;
        depth += node.z;
        trusted += node.trust * node.z;
        trust += node.trust;
    }
    const auto count = static_cast<double>(points.size());
    out.xy /= count;
    out.z = trust > 0 ? trusted / trust : depth / count;
    out.trust = trust / count;
    out.radius = outline.distance(out.xy);
    return out;
}

/// An end is extended to the middle of the junction that was pruned to it, when that lies ahead.
void add_cap(std::vector<MedialNode>& nodes, const std::optional<Vec2d>& cap,
             const geometry::PolygonIndex& outline) {
    if (!cap) return;
    const MedialNode& last = nodes.back();
    const Vec2d ahead = nodes.size() > 1 ? Vec2d(last.xy - nodes[nodes.size() - 2].xy) : Vec2d(Vec2d::Zero());
    const double radius = outline.distance(*cap);
    if (ahead.dot(*cap - last.xy) < 0 || radius <= last.radius || !outline.contains(*cap)) return;
    MedialNode node = last;
    node.xy = *cap;
    node.radius = radius;
    nodes.push_back(node);
}

/// Direction of a branch at its last node, over its radius; zero where there is none.
Vec2d heading(const std::vector<MedialNode>& nodes) {
    const MedialNode& last = nodes.back();
    Vec2d ahead = Vec2d::Zero();
    for (std::size_t i = nodes.size() - 1; i-- > 0;) {
        ahead = last.xy - nodes[i].xy;
        if (ahead.norm() >= last.radius) break;
    }
    return ahead.norm() > 0 ? Vec2d(ahead.normalized()) : ahead;
}

/// Chords of a blunt end reach into regions where the end is nearer than the sides: they are not part of the
/// axis.
void trim_end(std::vector<MedialNode>& nodes, const geometry::PolygonIndex& outline) {
    while (nodes.size() > 2) {
        const Vec2d ahead = heading(nodes);
        const MedialNode& last = nodes.back();
        if (!(ahead.norm() > 0) || outline.ray(last.xy, ahead) > 1.02 * last.radius) return;
        nodes.pop_back();
    }
}

/// An end is extended towards the outline until its distance from it equals its radius.
void add_tip(std::vector<MedialNode>& nodes, const geometry::PolygonIndex& outline) {
    const MedialNode last = nodes.back();
    const Vec2d ahead = heading(nodes);
    if (!(ahead.norm() > 0)) return;
    const double distance = outline.ray(last.xy, ahead) - last.radius;
    if (distance < 0.05 * last.radius) return;
    // The end may narrow or bend away: the farthest point that is still half as deep.
    for (int step = 20; step > 0; --step) {
        MedialNode tip = last;
        tip.xy += distance * step / 20 * ahead;
        tip.radius = outline.distance(tip.xy);
        if (tip.radius < last.radius / 2) continue;
        nodes.push_back(tip);
        return;
    }
}

void smooth(std::vector<MedialNode>& nodes, int passes) {
    for (int pass = 0; pass < passes; ++pass) {
        std::vector<MedialNode> out = nodes;
        for (std::size_t i = 1; i + 1 < nodes.size(); ++i) {
            const MedialNode &a = nodes[i - 1], &b = nodes[i], &c = nodes[i + 1];
            out[i].xy = (a.xy + 2 * b.xy + c.xy) / 4;
            const double weight = a.trust + 2 * b.trust + c.trust;
            if (weight > 0) out[i].z = (a.trust * a.z + 2 * b.trust * b.z + c.trust * c.z) / weight;
        }
        nodes = std::move(out);
    }
}

/// Equal steps along the branch; its ends do not move.
std::vector<MedialNode> respaced(const std::vector<MedialNode>& nodes, double spacing) {
    std::vector<double> at(nodes.size(), 0);
    for (std::size_t i = 1; i < nodes.size(); ++i) {
        at[i] = at[i - 1] + (nodes[i].xy - nodes[i - 1].xy).norm();
    }
    const double length = at.empty() ? 0 : at.back();
    if (nodes.size() < 2 || !(length > 0) || !(spacing > 0)) return nodes;
    const auto count = static_cast<std::size_t>(std::max(1.0, std::round(length / spacing)));
    std::vector<MedialNode> out;
    std::size_t i = 0;
    for (std::size_t k = 0; k <= count; ++k) {
        const double s = length * static_cast<double>(k) / static_cast<double>(count);
        while (i + 2 < nodes.size() && at[i + 1] < s) ++i;
        const double t = at[i + 1] > at[i] ? std::clamp((s - at[i]) / (at[i + 1] - at[i]), 0.0, 1.0) : 0;
        const MedialNode &a = nodes[i], &b = nodes[i + 1];
        out.push_back({a.xy + t * (b.xy - a.xy), a.z + t * (b.z - a.z), a.radius + t * (b.radius - a.radius),
                       a.trust + t * (b.trust - a.trust)});
    }
    return out;
}

MedialBranch branch_of(const Chains& chains, const Chain& chain, const std::vector<SilhouetteNode>& nodes,
                       const MedialOptions& options) {
    std::size_t first = 0, last = chain.chords.size();
    if (!chain.cut[0]) first = std::min(absorbed(chains, chain, 0), last - 1);
    if (!chain.cut[1]) last -= std::min(absorbed(chains, chain, 1), last - 1 - first);
    MedialBranch branch;
    branch.ends = chain.hubs;
    for (std::size_t i = first; i < last; ++i) {
        branch.nodes.push_back(mean_node(nodes, {chain.chords[i].a, chain.chords[i].b}, chains.outline));
    }
    for (const std::size_t end : {1u, 0u}) {
        if (end == 0) std::ranges::reverse(branch.nodes);
        if (chain.hubs[end] >= 0 || chain.cut[end]) continue;
        add_cap(branch.nodes, chain.cap[end], chains.outline);
        trim_end(branch.nodes, chains.outline);
        add_tip(branch.nodes, chains.outline);
    }
    std::ranges::reverse(branch.nodes);
    smooth(branch.nodes, smoothing_passes);
    branch.nodes = respaced(branch.nodes, options.spacing);
    for (MedialNode& node : branch.nodes) node.radius = chains.outline.distance(node.xy);
    return branch;
}

MedialJunction junction_of(const Chains& chains, int hub, const std::vector<SilhouetteNode>& nodes) {
    MedialJunction out;
    out.triangles = chains.hubs[static_cast<std::size_t>(hub)].triangles;
    double depth = 0;
    for (const int t : out.triangles) {
        const auto& c = chains.triangulation.triangles[static_cast<std::size_t>(t)].corners;
        const MedialNode mean = mean_node(nodes, {c[0], c[1], c[2]}, chains.outline);
        depth += mean.z / static_cast<double>(out.triangles.size());
        out.center.trust = mean.trust;
        // The middle of triangles around a concave part can lie outside; the deepest of them does not.
        if (out.center.radius < mean.radius) {
            out.center.xy = mean.xy;
            out.center.radius = mean.radius;
        }
    }
    const Vec2d middle = chains.center(hub);
    if (chains.outline.contains(middle)) {
        out.center.xy = middle;
        out.center.radius = chains.outline.distance(middle);
    }
    out.center.z = depth;
    return out;
}

/// The middle of a shape without branches (rounding only).
MedialNode round_node(const Chains& chains, int hub, const std::vector<SilhouetteNode>& nodes) {
    MedialNode node = junction_of(chains, hub, nodes).center;
    const Disc disc = chains.disc(hub);
    node.xy = disc.center;
    node.radius = disc.radius;
    return node;
}

/// A polygon of one triangle has no chord: the axis is its middle alone.
MedialAxis single_node(const Triangulation2& triangulation, const std::vector<SilhouetteNode>& nodes,
                       const geometry::PolygonIndex& outline) {
    MedialAxis axis;
    const auto& c = triangulation.triangles.front().corners;
    axis.branches.push_back({{mean_node(nodes, {c[0], c[1], c[2]}, outline)}, {-1, -1}});
    return axis;
}

}  // namespace

MedialAxis medial_axis(const Triangulation2& triangulation, const std::vector<SilhouetteNode>& nodes,
                       const geometry::PolygonIndex& outline, const MedialOptions& options) {
    if (triangulation.triangles.size() == 1) return single_node(triangulation, nodes, outline);
    Chains chains = chains_of(triangulation, outline);
    prune(chains, options);
    if (options.break_cycles) {
        break_cycles(chains);
        prune(chains, options);
    }
    MedialAxis axis;
    std::vector<int> number(chains.hubs.size(), -1);
    for (std::size_t h = 0; h < chains.hubs.size(); ++h) {
        if (!chains.hubs[h].alive) continue;
        if (chains.chains_at(static_cast<int>(h)).empty()) {
            axis.branches.push_back({{round_node(chains, static_cast<int>(h), nodes)}, {-1, -1}});
            continue;
        }
        number[h] = static_cast<int>(axis.junctions.size());
        axis.junctions.push_back(junction_of(chains, static_cast<int>(h), nodes));
    }
    for (const Chain& chain : chains.chains) {
        if (!chain.alive) continue;
        MedialBranch branch = branch_of(chains, chain, nodes, options);
        for (int& end : branch.ends) end = end < 0 ? -1 : number[static_cast<std::size_t>(end)];
        axis.branches.push_back(std::move(branch));
    }
    return axis;
}

std::vector<SilhouetteNode> nodes_of(const SilhouettePiece& piece) {
    std::vector<SilhouetteNode> out = piece.outer;
    for (const SilhouetteLoop& hole : piece.holes) out.insert(out.end(), hole.begin(), hole.end());
    return out;
}

void append(MedialGraph& graph, const MedialAxis& axis, const Projection& projection) {
    const int first = static_cast<int>(graph.junctions.size());
    const auto lifted = [&](const MedialNode& node) {
        return CurveNode{projection.lifted(node.xy, node.z), node.radius};
    };
    for (const MedialJunction& junction : axis.junctions) graph.junctions.push_back(lifted(junction.center));
    for (const MedialBranch& branch : axis.branches) {
        MedialGraph::Branch out;
        for (std::size_t e = 0; e < 2; ++e) out.ends[e] = branch.ends[e] < 0 ? -1 : first + branch.ends[e];
        for (const MedialNode& node : branch.nodes) out.nodes.push_back(lifted(node));
        graph.branches.push_back(std::move(out));
    }
}

std::vector<std::vector<int>> curve_nodes_of(const MedialGraph& graph) {
    std::vector<std::vector<int>> out;
    int next = static_cast<int>(graph.junctions.size());
    for (const MedialGraph::Branch& branch : graph.branches) {
        auto& row = out.emplace_back();
        for (std::size_t i = 0; i < branch.nodes.size(); ++i) row.push_back(next++);
    }
    return out;
}

CurveSkeleton curve_of(const MedialGraph& graph) {
    CurveSkeleton curve;
    curve.nodes = graph.junctions;
    const auto numbers = curve_nodes_of(graph);
    for (std::size_t b = 0; b < graph.branches.size(); ++b) {
        const MedialGraph::Branch& branch = graph.branches[b];
        curve.nodes.insert(curve.nodes.end(), branch.nodes.begin(), branch.nodes.end());
        const std::vector<int>& row = numbers[b];
        for (std::size_t i = 1; i < row.size(); ++i) curve.edges.push_back({row[i - 1], row[i]});
        if (row.empty()) continue;
        if (branch.ends[0] >= 0) curve.edges.push_back({branch.ends[0], row.front()});
        if (branch.ends[1] >= 0) curve.edges.push_back({branch.ends[1], row.back()});
    }
    std::ranges::sort(curve.edges);
    curve.edges.erase(std::unique(curve.edges.begin(), curve.edges.end()), curve.edges.end());
    return curve;
}

}  // namespace sinew::rig
