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
            out.set_edges.push_back({it->second, 0, 0, 0});
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

/// Farthest that a vertex moved by both joints of an edge is from its pivot.
std::vector<double> levers_of(const SphereTree& tree, BlendEdges& edges) {
    std::vector<double> levers(edges.edges.size(), 0);
    for (std::size_t v = 0; v < tree.positions.size(); ++v) {
        for (const BlendEdges::SetEdge& own : edges_of(tree, edges, tree.vertex_sets[v])) {
            const Vec3d off = tree.positions[v].cast<double>() - pivot_of(edges.edges[own.edge]);
            levers[own.edge] = std::max(levers[own.edge], off.norm());
        }
    }
    return levers;
}

/// deform::set_center() divides by eigenvalues of at least 7e-10 s, s half their sum, or by s: so its centre
/// is no farther from any point q than 3.8e4 sqrt(F / s), F the variance of the images of q. Where the edges
/// share their pivots q_e, F <= (sum sin_e |q_e - q|)^2, and s >= (2 / n)^2 sum sin_e^2. This is from the
/// mean of the pivots.
double farthest_center(std::span<const BlendEdges::SetEdge> own, const BlendEdges& edges, const Vec3d& from) {
    if (own.size() < 2) return 0;
    Vec3d mean = Vec3d::Zero();
    for (const BlendEdges::SetEdge& edge : own) mean += pivot_of(edges.edges[edge.edge]);
    const auto n = static_cast<double>(own.size());
    mean /= n;
    double squares = 0;
    for (const BlendEdges::SetEdge& edge : own)
        squares += (pivot_of(edges.edges[edge.edge]) - mean).squaredNorm();
    return 3.8e4 * (n + 1) / 2 * std::sqrt(squares) + (mean - from).norm();
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
        best = {one.edge, rounded_up(pivot.norm()), rounded_up(farthest_center(own, edges, pivot)),
                rounded_up(std::sqrt(static_cast<double>(own.size())))};
    }
    return best;
}

/// Sets whose edges are all in a set with more of them are not among the widest.
void list_widest(const SphereTree& tree, BlendEdges& edges) {
    const auto within = [&](std::uint32_t set, std::uint32_t other) {
        const auto all = edges_of(tree, edges, other);
        return std::ranges::all_of(edges_of(tree, edges, set), [&](const BlendEdges::SetEdge& own) {
            return std::ranges::find(all, own.edge, &BlendEdges::SetEdge::edge) != all.end();
        });
    };
    const auto count = static_cast<std::uint32_t>(tree.sets.size());
    for (std::uint32_t set = 0; set < count; ++set) {
        bool wide = tree.sets[set].joint_count > 1;
        for (std::uint32_t other = 0; wide && other < count; ++other)
            wide = tree.sets[other].joint_count <= tree.sets[set].joint_count || !within(set, other);
        if (!wide) continue;
        edges.widest.push_back(set);
        edges.inner_places.push_back(static_cast<std::uint32_t>(edges.inner.size()));
        for (std::uint32_t other = 0; other < count; ++other) {
            if (tree.sets[other].joint_count > 2 && within(other, set)) edges.inner.push_back(other);
        }
    }
    edges.inner_places.push_back(static_cast<std::uint32_t>(edges.inner.size()));
}

}  // namespace

BlendEdges make_edges(const SphereTree& tree) {
    BlendEdges edges;
    take_edges(tree, edges);
    if (!edges.whole) return edges;
    const std::vector<double> levers = levers_of(tree, edges);
    for (std::uint32_t set = 0; set < tree.sets.size(); ++set) {
        const auto own = edges_of(tree, edges, set);
        edges.pivots.push_back(pivot_of_set(own, edges));
        for (BlendEdges::SetEdge& edge : own) {
            const double distance =
                (pivot_of(edges.edges[edge.edge]) - pivot_of(edges.edges[edges.pivots.back().edge])).norm();
            edge.distance = rounded_up(distance);
            edge.dual_lever = rounded_up(std::numbers::sqrt2 * levers[edge.edge]);
            edge.spherical_lever =
                rounded_up(std::numbers::sqrt2 *
                           (levers[edge.edge] + std::sqrt(static_cast<double>(own.size())) * distance));
        }
    }
    list_widest(tree, edges);
    return edges;
}

}  // namespace sinew::collide
