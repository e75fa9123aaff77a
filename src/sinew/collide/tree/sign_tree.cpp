// SPDX-License-Identifier: MIT
#include "sinew/collide/tree/sign_tree.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

#include "sinew/collide/tree/tree_data.h"

namespace sinew::collide {
namespace {

using Pair = std::pair<std::uint32_t, std::uint32_t>;

Vec3d pivot_of(const SignTree::Edge& edge) {
    return Vec3f(edge.pivot[0], edge.pivot[1], edge.pivot[2]).cast<double>();
}

SignTree::Edge edge_of(const TreeData& tree, const Pair& joints) {
    SignTree::Edge edge{joints.first, joints.second, {}};
    const Vec3d& pivot = tree.joint_centers[std::max(joints.first, joints.second)];
    for (int k = 0; k < 3; ++k) edge.pivot[k] = static_cast<float>(pivot[k]);
    return edge;
}

/// Edges of all sets, each once in `edges`.
void take_edges(const TreeData& tree, SignTree& out) {
    std::map<Pair, std::uint32_t> slots;
    for (const TreeSet& set : tree.sets) {
        std::uint32_t firsts = 0;
        for (std::uint32_t i = 0; i < set.joint_count; ++i) {
            const std::int32_t leader = tree.sign_parents[set.first_joint + i];
            firsts += leader < 0;
            if (leader < 0) continue;
            const Pair joints(tree.set_joints[set.first_joint + static_cast<std::uint32_t>(leader)],
                              tree.set_joints[set.first_joint + i]);
            const auto [it, fresh] = slots.emplace(joints, static_cast<std::uint32_t>(out.edges.size()));
            if (fresh) out.edges.push_back(edge_of(tree, joints));
            out.set_edges.push_back(it->second);
        }
        out.whole = out.whole && firsts == 1;
    }
    while (out.edges.size() % 4 != 0) out.edges.push_back(out.edges.back());
    for (const SignTree::Edge& edge : out.edges)
        out.reach = std::max(out.reach, rounded_up(pivot_of(edge).norm()));
}

std::span<const std::uint32_t> edges_of(const TreeData& tree, const SignTree& edges, std::uint32_t set) {
    return {edges.set_edges.data() + tree.sets[set].first_joint - set, tree.sets[set].joint_count - 1};
}

/// Largest distances of vertices from the pivots of their edges.
struct Levers {
    std::vector<double> of_edges;      ///< over all sets
    std::vector<double> of_set_edges;  ///< by position in SignTree::set_edges

    Levers(const TreeData& tree, const SignTree& edges)
        : of_edges(edges.edges.size(), 0), of_set_edges(edges.set_edges.size(), 0) {
        for (std::size_t v = 0; v < tree.positions.size(); ++v) {
            for (const std::uint32_t& edge : edges_of(tree, edges, tree.vertex_sets[v])) {
                const double length = (tree.positions[v].cast<double>() - pivot_of(edges.edges[edge])).norm();
                double& own = of_set_edges[static_cast<std::size_t>(&edge - edges.set_edges.data())];
                own = std::max(own, length);
                of_edges[edge] = std::max(of_edges[edge], length);
            }
        }
    }
};

SignTree::SetSize size_of(std::span<const std::uint32_t> own, const SignTree& edges) {
    double reach = 0;
    for (const std::uint32_t edge : own) reach = std::max(reach, pivot_of(edges.edges[edge]).norm());
    return {rounded_up(reach), rounded_up(std::sqrt(static_cast<double>(own.size())))};
}

/// Sets of several joints, smaller sets first.
std::vector<std::uint32_t> blended_sets(const TreeData& tree) {
    std::vector<std::uint32_t> blended;
    for (std::uint32_t set = 0; set < tree.sets.size(); ++set) {
        if (tree.sets[set].joint_count > 1) blended.push_back(set);
    }
    std::ranges::stable_sort(blended, {}, [&](std::uint32_t set) { return tree.sets[set].joint_count; });
    return blended;
}

/// The sets whose edges are not all contained in one larger set.
std::vector<std::uint32_t> widest_of(std::span<const std::uint32_t> blended, const TreeData& tree,
                                     const SignTree& edges) {
    const auto within = [&](std::uint32_t set, std::uint32_t other) {
        const auto all = edges_of(tree, edges, other);
        return std::ranges::all_of(edges_of(tree, edges, set), [&](std::uint32_t own) {
            return std::ranges::find(all, own) != all.end();
        });
    };
    std::vector<std::uint32_t> widest;
    std::ranges::copy_if(blended, std::back_inserter(widest), [&](std::uint32_t set) {
        return std::ranges::none_of(blended, [&](std::uint32_t other) {
            return tree.sets[other].joint_count > tree.sets[set].joint_count && within(set, other);
        });
    });
    return widest;
}

/// The pivot that is nearest to the others, or all pivots.
std::vector<Vec3d> pivots_of(std::span<const std::uint32_t> own, const SignTree& edges, bool all) {
    std::vector<Vec3d> pivots;
    for (const std::uint32_t edge : own) pivots.push_back(pivot_of(edges.edges[edge]));
    if (all) return pivots;
    return {*std::ranges::min_element(pivots, {}, [&](const Vec3d& pivot) {
        double squares = 0;
        for (const Vec3d& other : pivots) squares += (other - pivot).squaredNorm();
        return squares;
    })};
}

/// One of the four sets. `lever_of(edge)` takes an index into SignTree::set_edges.
template <class Lever>
void fill_lane(const TreeData& tree, const SignTree& edges, std::uint32_t set, std::size_t lane,
               const Lever& lever_of, SignTree::SetQuad& four, SignTree::Groups& groups) {
    four.sets[lane] = set;
    four.reach[lane] = edges.sizes[set].reach;
    four.root[lane] = edges.sizes[set].root;
    const auto own = edges_of(tree, edges, set);
    SignTree::EdgeQuad* out = &groups.edges[four.first_edge];
    for (const std::uint32_t& edge : own) {
        out->edges[lane] = edge;
        out++->lever[lane] = rounded_up(std::numbers::sqrt2 * lever_of(edge));
    }
    SignTree::DistanceQuad* distance = &groups.distances[four.first_distance];
    for (const Vec3d& pivot : pivots_of(own, edges, four.pivot_count > 1)) {
        for (const std::uint32_t edge : own) {
            const double length = (pivot_of(edges.edges[edge]) - pivot).norm();
            distance++->at[lane] = rounded_up(2 * std::numbers::sqrt2 * length);
        }
    }
}

/// In groups of four.
template <class Lever>
SignTree::Groups grouped(std::span<const std::uint32_t> sets, const TreeData& tree, const SignTree& edges,
                         bool all_pivots, const Lever& lever_of) {
    SignTree::Groups groups;
    const auto joints_of = [&](std::size_t i) { return tree.sets[sets[i]].joint_count; };
    for (std::size_t begin = 0, end = 0; begin < sets.size(); begin = end) {
        while (end < sets.size() && end < begin + 4 && joints_of(end) == joints_of(begin)) ++end;
        SignTree::SetQuad four;
        four.joint_count = joints_of(begin);
        const std::uint32_t count = four.joint_count - 1;
        four.pivot_count = all_pivots ? count : 1;
        four.first_edge = static_cast<std::uint32_t>(groups.edges.size());
        four.first_distance = static_cast<std::uint32_t>(groups.distances.size());
        groups.edges.resize(four.first_edge + count);
        groups.distances.resize(four.first_distance + four.pivot_count * count);
        for (std::size_t lane = 0; lane < 4; ++lane)
            fill_lane(tree, edges, sets[std::min(begin + lane, end - 1)], lane, lever_of, four, groups);
        groups.sets.push_back(four);
    }
    return groups;
}

}  // namespace

SignTree make_sign_tree(const TreeData& tree) {
    SignTree edges;
    take_edges(tree, edges);
    if (!edges.whole) return edges;
    for (std::uint32_t set = 0; set < tree.sets.size(); ++set)
        edges.sizes.push_back(size_of(edges_of(tree, edges, set), edges));
    const Levers levers(tree, edges);
    const std::vector<std::uint32_t> blended = blended_sets(tree);
    edges.all = grouped(blended, tree, edges, true, [&](const std::uint32_t& edge) {
        return levers.of_set_edges[static_cast<std::size_t>(&edge - edges.set_edges.data())];
    });
    edges.widest = grouped(widest_of(blended, tree, edges), tree, edges, false,
                           [&](std::uint32_t edge) { return levers.of_edges[edge]; });
    return edges;
}

}  // namespace sinew::collide
