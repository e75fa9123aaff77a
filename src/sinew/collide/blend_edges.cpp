#include "sinew/collide/blend_edges.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

#include "sinew/collide/sphere_tree.h"

namespace sinew::collide {
namespace {

using Pair = std::pair<std::uint32_t, std::uint32_t>;

Vec3d pivot_of(const BlendEdges::Edge& edge) {
    return Vec3f(edge.pivot[0], edge.pivot[1], edge.pivot[2]).cast<double>();
}

BlendEdges::Edge edge_of(const SphereTree& tree, const Pair& joints) {
    BlendEdges::Edge edge{joints.first, joints.second, {}};
    const Vec3d& pivot = tree.joint_centers[std::max(joints.first, joints.second)];
    for (int k = 0; k < 3; ++k) edge.pivot[k] = static_cast<float>(pivot[k]);
    return edge;
}

/// Edges of all sets, each once in `edges`.
void take_edges(const SphereTree& tree, BlendEdges& out) {
    std::map<Pair, std::uint32_t> places;
    for (const TreeSet& set : tree.sets) {
        std::uint32_t firsts = 0;
        for (std::uint32_t i = 0; i < set.joint_count; ++i) {
            const std::int32_t leader = tree.sign_parents[set.first_joint + i];
            firsts += leader < 0;
            if (leader < 0) continue;
            const Pair joints(tree.set_joints[set.first_joint + static_cast<std::uint32_t>(leader)],
                              tree.set_joints[set.first_joint + i]);
            const auto [it, fresh] = places.emplace(joints, static_cast<std::uint32_t>(out.edges.size()));
            if (fresh) out.edges.push_back(edge_of(tree, joints));
            out.set_edges.push_back({it->second, 0, 0});
        }
        out.whole = out.whole && firsts == 1;
    }
    while (out.edges.size() % 4 != 0) out.edges.push_back(out.edges.back());
    for (const BlendEdges::Edge& edge : out.edges)
        out.reach = std::max(out.reach, rounded_up(pivot_of(edge).norm()));
}

std::span<BlendEdges::SetEdge> edges_of(const SphereTree& tree, BlendEdges& edges, std::uint32_t set) {
    return {edges.set_edges.data() + tree.sets[set].first_joint - set, tree.sets[set].joint_count - 1};
}

/// Farthest that a vertex moved by both joints of an edge is from its pivot. Those of sets go to them.
std::vector<double> levers_of(const SphereTree& tree, BlendEdges& edges) {
    std::vector<double> levers(edges.edges.size(), 0);
    for (std::size_t v = 0; v < tree.positions.size(); ++v) {
        for (BlendEdges::SetEdge& own : edges_of(tree, edges, tree.vertex_sets[v])) {
            const Vec3d off = tree.positions[v].cast<double>() - pivot_of(edges.edges[own.edge]);
            levers[own.edge] = std::max(levers[own.edge], off.norm());
            own.lever = std::max(own.lever, rounded_up(std::numbers::sqrt2 * off.norm()));
        }
    }
    return levers;
}

/// The pivot that is nearest to the others.
BlendEdges::SetPivot pivot_of_set(std::span<const BlendEdges::SetEdge> own, const BlendEdges& edges) {
    BlendEdges::SetPivot best;
    double least = std::numeric_limits<double>::infinity();
    for (const BlendEdges::SetEdge& one : own) {
        const Vec3d pivot = pivot_of(edges.edges[one.edge]);
        double squares = 0;
        for (const BlendEdges::SetEdge& other : own)
            squares += (pivot_of(edges.edges[other.edge]) - pivot).squaredNorm();
        if (squares >= least) continue;
        least = squares;
        best = {one.edge, rounded_up(pivot.norm()), rounded_up(std::sqrt(static_cast<double>(own.size())))};
    }
    return best;
}

/// Sets whose edges are not all in a set with more of them, those with fewer joints first.
std::vector<std::uint32_t> widest_sets(const SphereTree& tree, BlendEdges& edges) {
    const auto within = [&](std::uint32_t set, std::uint32_t other) {
        const auto all = edges_of(tree, edges, other);
        return std::ranges::all_of(edges_of(tree, edges, set), [&](const BlendEdges::SetEdge& own) {
            return std::ranges::find(all, own.edge, &BlendEdges::SetEdge::edge) != all.end();
        });
    };
    std::vector<std::uint32_t> blended, widest;
    for (std::uint32_t set = 0; set < tree.sets.size(); ++set) {
        if (tree.sets[set].joint_count > 1) blended.push_back(set);
    }
    std::ranges::stable_sort(blended, {}, [&](std::uint32_t set) { return tree.sets[set].joint_count; });
    std::ranges::copy_if(blended, std::back_inserter(widest), [&](std::uint32_t set) {
        return std::ranges::none_of(blended, [&](std::uint32_t other) {
            return tree.sets[other].joint_count > tree.sets[set].joint_count && within(set, other);
        });
    });
    return widest;
}

void fill_lane(const SphereTree& tree, std::span<const double> levers, BlendEdges& edges,
               BlendEdges::WideSets& four, std::size_t lane) {
    const BlendEdges::SetPivot& pivot = edges.pivots[four.sets[lane]];
    four.size[lane] = pivot.size;
    four.root[lane] = pivot.root;
    const auto own = edges_of(tree, edges, four.sets[lane]);
    for (std::size_t i = 0; i < own.size(); ++i) {
        const double lever = std::numbers::sqrt2 * levers[own[i].edge];
        BlendEdges::WideEdges& wide = edges.wide_edges[four.first_edge + i];
        wide.edges[lane] = own[i].edge;
        wide.dual_lever[lane] = rounded_up(lever);
        wide.distance[lane] = own[i].distance;
        wide.spherical_lever[lane] =
            rounded_up(lever + static_cast<double>(pivot.root) * static_cast<double>(own[i].distance) / 2);
    }
}

void group_widest(const SphereTree& tree, std::span<const double> levers, BlendEdges& edges) {
    const std::vector<std::uint32_t> widest = widest_sets(tree, edges);
    const auto joints_of = [&](std::size_t w) { return tree.sets[widest[w]].joint_count; };
    for (std::size_t begin = 0, end = 0; begin < widest.size(); begin = end) {
        while (end < widest.size() && end < begin + 4 && joints_of(end) == joints_of(begin)) ++end;
        BlendEdges::WideSets four;
        four.joint_count = joints_of(begin);
        four.first_edge = static_cast<std::uint32_t>(edges.wide_edges.size());
        edges.wide_edges.resize(edges.wide_edges.size() + four.joint_count - 1);
        for (std::size_t lane = 0; lane < 4; ++lane) {
            four.sets[lane] = widest[std::min(begin + lane, end - 1)];
            fill_lane(tree, levers, edges, four, lane);
        }
        edges.wide_sets.push_back(four);
    }
}

void list_by_joint(const SphereTree& tree, BlendEdges& edges) {
    std::vector<std::vector<std::uint32_t>> lists(tree.palette_size);
    std::uint32_t place = 0;
    for (const BlendEdges::WideSets& four : edges.wide_sets) {
        for (const std::uint32_t set : four.sets) {
            for (const std::uint32_t joint : tree.joints_of(set)) lists[joint].push_back(place);
            ++place;
        }
    }
    for (const std::vector<std::uint32_t>& list : lists) {
        edges.joint_places.push_back(static_cast<std::uint32_t>(edges.joint_wide.size()));
        edges.joint_wide.insert(edges.joint_wide.end(), list.begin(), list.end());
    }
    edges.joint_places.push_back(static_cast<std::uint32_t>(edges.joint_wide.size()));
}

}  // namespace

BlendEdges make_edges(const SphereTree& tree) {
    BlendEdges edges;
    take_edges(tree, edges);
    if (!edges.whole) return edges;
    const std::vector<double> levers = levers_of(tree, edges);
    for (std::uint32_t set = 0; set < tree.sets.size(); ++set) {
        const auto own = edges_of(tree, edges, set);
        const BlendEdges::SetPivot& pivot = edges.pivots.emplace_back(pivot_of_set(own, edges));
        for (BlendEdges::SetEdge& edge : own) {
            const Vec3d off = pivot_of(edges.edges[edge.edge]) - pivot_of(edges.edges[pivot.edge]);
            edge.distance = rounded_up(2 * std::numbers::sqrt2 * off.norm());
        }
    }
    group_widest(tree, levers, edges);
    list_by_joint(tree, edges);
    return edges;
}

}  // namespace sinew::collide
