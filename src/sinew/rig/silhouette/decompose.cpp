// SPDX-License-Identifier: MIT
#include "sinew/rig/silhouette/decompose.h"

#include <algorithm>
#include <cmath>
#include <queue>

#include "sinew/base/parallel.h"
#include "sinew/math/types.h"

namespace sinew::rig {

namespace {

constexpr double min_island = 0.005;  // part of all vertices: smaller patches of a label are absorbed

constexpr double rounding = 1 + 1e-12;  // must not hide a node

double cost_of(DecompositionCost kind, double distance, double radius) {
    switch (kind) {
        case DecompositionCost::abs_diff:
            return std::abs(distance - radius);
        case DecompositionCost::signed_diff:
            return distance - radius;
        case DecompositionCost::ratio:
            return distance / radius;
        case DecompositionCost::nearest:
            return distance;
    }
    return distance;
}

}  // namespace

bool BranchCosts::Reach::holds(double squared_distance, double cost, double extra) const {
    const double max = slope * cost + offset + extra;
    return max >= 0 && squared_distance <= max * max * rounding;
}

BranchCosts::Reach BranchCosts::reach_of(double radius) const {
    switch (kind_) {
        case DecompositionCost::abs_diff:
        case DecompositionCost::signed_diff:
            return {1, radius};
        case DecompositionCost::ratio:
            return {radius, 0};
        case DecompositionCost::nearest:
            return {1, 0};
    }
    return {1, 0};
}

BranchCosts::BranchCosts(const MedialGraph& graph, double diagonal, DecompositionCost kind) : kind_(kind) {
    for (const MedialGraph::Branch& from : graph.branches) {
        Branch& branch = branches_.emplace_back();
        double thickest = 0;
        for (const CurveNode& node : from.nodes) {
            const double radius = std::max(node.radius, 1e-4 * diagonal);
            branch.nodes.push_back({node.position, radius, reach_of(radius)});
            branch.center += node.position / static_cast<double>(from.nodes.size());
            thickest = std::max(thickest, radius);
        }
        for (const Node& node : branch.nodes)
            branch.extent = std::max(branch.extent, rounding * (node.position - branch.center).norm());
        branch.reach = reach_of(thickest);
    }
}

double BranchCosts::closeness(const Vec3d& at, std::size_t branch, std::size_t node) const {
    const Node& n = branches_[branch].nodes[node];
    return (at - n.position).norm() / n.radius;
}

void BranchCosts::look_into(std::size_t which, const Vec3d& at, Best& best) const {
    const std::vector<Node>& nodes = branches_[which].nodes;
    for (std::size_t n = 0; n < nodes.size(); ++n) {
        // Most are compared without a square root.
        const double squared = (at - nodes[n].position).squaredNorm();
        if (!nodes[n].reach.holds(squared, best.cost, 0)) continue;
        const double cost = cost_of(kind_, std::sqrt(squared), nodes[n].radius);
        if (cost < best.cost ||
            (cost == best.cost && std::pair(which, n) < std::pair(best.branch, best.node)))
            best = {cost, which, n};
    }
}

BranchCosts::Best BranchCosts::of_branch(const Vec3d& at, std::size_t branch) const {
    Best best;
    look_into(branch, at, best);
    return best;
}

BranchCosts::Best BranchCosts::of_all(const Vec3d& at, std::size_t& hint) const {
    Best best;
    if (branches_.empty()) return best;
    look_into(hint, at, best);
    for (std::size_t b = 0; b < branches_.size(); ++b) {
        const Branch& branch = branches_[b];
        if (b != hint && branch.reach.holds((at - branch.center).squaredNorm(), best.cost, branch.extent))
            look_into(b, at, best);
    }
    hint = best.branch;
    return best;
}

namespace {

using math::infinity;

/// Branches that share a junction with each branch, itself included.
std::vector<std::vector<std::size_t>> meeting(const MedialGraph& graph) {
    std::vector<std::vector<std::size_t>> out(graph.branches.size());
    for (std::size_t a = 0; a < out.size(); ++a) {
        for (std::size_t b = 0; b < out.size(); ++b) {
            bool meets = a == b;
            for (const int i : graph.branches[a].ends) {
                for (const int j : graph.branches[b].ends) meets = meets || (i >= 0 && i == j);
            }
            if (meets) out[a].push_back(b);
        }
    }
    return out;
}

struct Labels {
    std::vector<int> branch;
    std::vector<double> cost;
    std::vector<std::size_t> node;  ///< of the branch
};

/// The best branch of every vertex, regardless of connectivity.
Labels best_labels(const WeldedSurface& surface, const geometry::Rows& neighbors, const BranchCosts& costs) {
    Labels out;
    out.branch.assign(surface.positions.size(), -1);
    out.cost.assign(surface.positions.size(), infinity);
    out.node.assign(surface.positions.size(), 0);
    parallel_blocks(surface.positions.size(), 256, [&](std::size_t begin, std::size_t end) {
        std::size_t hint = 0;
        for (std::size_t v = begin; v < end; ++v) {
            if (neighbors[v].empty()) continue;
            const BranchCosts::Best best = costs.of_all(surface.positions[v], hint);
            out.cost[v] = best.cost;
            out.node[v] = best.node;
            if (best.cost < infinity) out.branch[v] = static_cast<int>(best.branch);
        }
    });
    return out;
}

struct OpenVertex {
    double cost = infinity;
    std::uint32_t vertex = 0;
    int branch = -1;
    bool operator<(const OpenVertex& o) const {
        return std::tuple(o.cost, o.vertex, o.branch) < std::tuple(cost, vertex, branch);
    }
};

/// The given seeds, and for each branch without one the vertex that is its cheapest.
std::vector<OpenVertex> first_entries(const WeldedSurface& surface, const BranchCosts& costs,
                                      const Labels& free, const std::vector<Seed>& seeds,
                                      std::size_t branches) {
    std::vector<OpenVertex> out, cheapest(branches);
    std::vector<char> seeded(branches, 0);
    for (const Seed& seed : seeds) {
        const auto b = static_cast<std::size_t>(seed.branch);
        seeded[b] = 1;
        out.push_back({costs.of_branch(surface.positions[seed.vertex], b).cost, seed.vertex, seed.branch});
    }
    for (std::uint32_t v = 0; v < free.branch.size(); ++v) {
        if (free.branch[v] < 0) continue;
        OpenVertex& best = cheapest[static_cast<std::size_t>(free.branch[v])];
        if (free.cost[v] < best.cost) best = {free.cost[v], v, free.branch[v]};
    }
    for (std::size_t b = 0; b < branches; ++b) {
        if (seeded[b] == 0 && cheapest[b].branch >= 0) out.push_back(cheapest[b]);
    }
    return out;
}

/// Labels grow from seeds. Dijkstra's order by cost makes the result independent of numbering.
Labels spread(const WeldedSurface& surface, const geometry::Rows& neighbors, const MedialGraph& graph,
              const BranchCosts& costs, const Labels& free, const std::vector<Seed>& seeds) {
    const auto allowed = meeting(graph);
    const std::vector<OpenVertex> first = first_entries(surface, costs, free, seeds, graph.branches.size());
    std::priority_queue<OpenVertex> queue(first.begin(), first.end());
    Labels out;
    out.branch.assign(free.branch.size(), -1);
    out.cost.assign(free.cost.size(), infinity);
    std::vector<int> asked(free.branch.size(), -1);
    std::vector<char> waiting(free.branch.size(), 0);
    while (!queue.empty()) {
        const OpenVertex e = queue.top();
        queue.pop();
        if (out.branch[e.vertex] >= 0) continue;
        out.branch[e.vertex] = e.branch;
        out.cost[e.vertex] = e.cost;
        for (const std::uint32_t n : neighbors[e.vertex]) {
            // A vertex already queued from this branch, or whose own best entry is queued, needs no second
            // entry.
            if (out.branch[n] >= 0 || asked[n] == e.branch || waiting[n] != 0) continue;
            asked[n] = e.branch;
            // Its own best branch where that is allowed, otherwise the best allowed one.
            const auto& choices = allowed[static_cast<std::size_t>(e.branch)];
            if (std::ranges::binary_search(choices, static_cast<std::size_t>(free.branch[n]))) {
                waiting[n] = 1;
                queue.push({free.cost[n], n, free.branch[n]});
                continue;
            }
            OpenVertex best{infinity, n, e.branch};
            for (const std::size_t b : choices) {
                const double cost = costs.of_branch(surface.positions[n], b).cost;
                if (cost < best.cost) best = {cost, n, static_cast<int>(b)};
            }
            queue.push(best);
        }
    }
    // Shells without a seed use the best branch.
    for (std::size_t v = 0; v < out.branch.size(); ++v) {
        if (out.branch[v] < 0) out.branch[v] = free.branch[v];
    }
    return out;
}

using Counts = std::vector<std::pair<int, int>>;  // of labels

void count(Counts& counts, int label) {
    const auto at = std::ranges::find(counts, label, &Counts::value_type::first);
    if (at != counts.end())
        ++at->second;
    else
        counts.emplace_back(label, 1);
}

/// The first of equal counts.
int most_frequent(const Counts& counts) {
    return std::ranges::max_element(counts, {}, &Counts::value_type::second)->first;
}

/// One vote of every vertex and its neighbours; of equal counts a vertex keeps its own.
void vote(const geometry::Rows& neighbors, std::vector<int>& branch) {
    const std::vector<int> before = branch;
    for (std::size_t v = 0; v < branch.size(); ++v) {
        const auto same = [&](std::uint32_t n) { return before[n] == before[v]; };
        if (before[v] < 0 || std::ranges::all_of(neighbors[v], same)) continue;
        Counts counts{{before[v], 1}};
        for (const std::uint32_t n : neighbors[v]) count(counts, before[n]);
        branch[v] = most_frequent(counts);
    }
}

/// Small patches get the label with most of their border.
void absorb_islands(const geometry::Rows& neighbors, std::size_t min, std::vector<int>& branch) {
    std::vector<char> seen(branch.size(), 0);
    for (std::uint32_t start = 0; start < branch.size(); ++start) {
        if (seen[start] != 0 || branch[start] < 0) continue;
        std::vector<std::uint32_t> patch{start};
        Counts around;
        seen[start] = 1;
        for (std::size_t i = 0; i < patch.size(); ++i) {
            for (const std::uint32_t n : neighbors[patch[i]]) {
                if (branch[n] == branch[start]) {
                    if (seen[n] == 0) patch.push_back(n);
                    seen[n] = 1;
                    continue;
                }
                count(around, branch[n]);
            }
        }
        if (patch.size() >= min || around.empty()) continue;
        const int label = most_frequent(around);
        for (const std::uint32_t v : patch) branch[v] = label;
    }
}

}  // namespace

std::vector<Seed> silhouette_seeds(const MedialGraph& graph, const Silhouette& silhouette,
                                   const ViewFrame& frame) {
    struct Circle {
        Vec2d center;
        double weight;  ///< 1 / l^2
        int branch;
    };
    std::vector<Circle> circles;
    for (std::size_t b = 0; b < graph.branches.size(); ++b) {
        if (graph.branches[b].hidden) continue;
        for (const CurveNode& n : graph.branches[b].nodes) {
            if (!(n.radius > 0)) continue;
            circles.push_back(
                {frame.to_view(n.position).head<2>(), 1 / (n.radius * n.radius), static_cast<int>(b)});
        }
    }
    std::vector<Seed> out;
    const auto add = [&](const SilhouetteLoop& loop) {
        for (const SilhouetteNode& node : loop) {
            if (node.vertex < 0 || circles.empty()) continue;
            const Circle& nearest = *std::ranges::min_element(
                circles, {}, [&](const Circle& c) { return (c.center - node.xy).squaredNorm() * c.weight; });
            out.push_back({static_cast<std::uint32_t>(node.vertex), nearest.branch});
        }
    };
    for (const SilhouettePiece& piece : silhouette.pieces) {
        add(piece.outer);
        for (const SilhouetteLoop& hole : piece.holes) add(hole);
    }
    return out;
}

Decomposition decompose(const MedialGraph& graph, const WeldedSurface& surface, DecompositionCost cost,
                        const std::vector<Seed>& seeds) {
    const geometry::Rows neighbors = geometry::vertex_neighbors(surface.positions.size(), surface.edges);
    const BranchCosts costs(graph, surface.diagonal, cost);
    Decomposition out;
    const Labels free = best_labels(surface, neighbors, costs);
    out.branch = spread(surface, neighbors, graph, costs, free, seeds).branch;
    const auto used = static_cast<double>(std::ranges::count_if(free.branch, [](int b) { return b >= 0; }));
    absorb_islands(neighbors, static_cast<std::size_t>(min_island * used), out.branch);
    vote(neighbors, out.branch);
    const auto numbers = curve_nodes_of(graph);
    out.node.assign(out.branch.size(), -1);
    out.closeness.assign(out.branch.size(), 0);
    parallel_for(out.branch.size(), 1024, [&](std::size_t v) {
        if (out.branch[v] < 0) return;
        const auto b = static_cast<std::size_t>(out.branch[v]);
        const std::size_t node =
            out.branch[v] == free.branch[v] ? free.node[v] : costs.of_branch(surface.positions[v], b).node;
        out.node[v] = numbers[b][node];
        out.closeness[v] = costs.closeness(surface.positions[v], b, node);
    });
    // Duplicate vertices at a seam get the branch of the first one.
    for (std::size_t v = 0; v < out.branch.size(); ++v) {
        const std::uint32_t first = surface.weld[v];
        out.branch[v] = out.branch[first];
        out.node[v] = out.node[first];
        out.closeness[v] = out.closeness[first];
    }
    return out;
}

}  // namespace sinew::rig
