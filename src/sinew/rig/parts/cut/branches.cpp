// SPDX-License-Identifier: MIT
#include "sinew/rig/parts/cut/branches.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>

#include "sinew/base/array.h"

namespace sinew::rig {
namespace {

/// A small part of the surface, with shorter limbs than the others, and with less area in twin limbs than a
/// pelvis with short legs has.
bool is_head(const Subtree& side, const CurveShape& shape, const PathGraph& graph,
             const std::vector<char>& in_twin) {
    if (side.area >= curve_cut::head || side.branch >= curve_cut::head_branch * graph.longest) return false;
    double all = 0, twins = 0;
    for (const int node : side.nodes) {
        all += shape.area[sinew::at(node)];
        if (in_twin[sinew::at(node)] != 0) twins += shape.area[sinew::at(node)];
    }
    return twins < curve_cut::legs * all;
}

/// Nodes of paths to limbs that have twins.
std::vector<char> nodes_in_twins(const std::vector<BranchPath>& paths, const std::vector<int>& twins,
                                 std::size_t count) {
    std::vector<char> in(count, 0);
    for (std::size_t w = 0; w < paths.size(); ++w)
        for (std::size_t i = 1; twins[w] >= 0 && i < paths[w].nodes.size(); ++i)
            in[sinew::at(paths[w].nodes[i])] = 1;
    return in;
}

}  // namespace

BranchPath path_of(const CurveSkeleton& curve, const CurveBranch& branch, const std::vector<int>& degree) {
    BranchPath path{branch.nodes, {0}, {}};
    // From the thicker end, which is the trunk, or from the junction.
    const auto weight = [&](int node) {
        return (degree[sinew::at(node)] > 2 ? 1e6 : 0) + curve.nodes[sinew::at(node)].radius;
    };
    if (weight(path.nodes.back()) > weight(path.nodes.front()))
        std::reverse(path.nodes.begin(), path.nodes.end());
    for (std::size_t i = 1; i < path.nodes.size(); ++i)
        path.at.push_back(path.at.back() + (curve.nodes[sinew::at(path.nodes[i])].position -
                                            curve.nodes[sinew::at(path.nodes[i - 1])].position)
                                               .norm());
    path.junction[0] = degree[sinew::at(path.nodes.front())] > 2;
    path.junction[1] = degree[sinew::at(path.nodes.back())] > 2;
    return path;
}

PathGraph graph_of(const CurveSkeleton& curve, const std::vector<CurveBranch>& all) {
    PathGraph graph{degrees(curve), std::vector<std::vector<int>>(curve.nodes.size()),
                    std::vector<double>(curve.nodes.size(), 0), 0};
    for (const auto& [a, b] : curve.edges) {
        graph.around[sinew::at(a)].push_back(b);
        graph.around[sinew::at(b)].push_back(a);
    }
    for (const CurveBranch& branch : all) {
        for (const int end : {branch.nodes.front(), branch.nodes.back()}) {
            if (graph.degree[sinew::at(end)] != 1) continue;
            graph.free_length[sinew::at(end)] = branch.length;
            graph.longest = std::max(graph.longest, branch.length);
        }
    }
    return graph;
}

bool is_trunk(const CurveSkeleton& curve, const BranchPath& path, double part) {
    if (!path.junction[0] || !path.junction[1]) return false;
    double min = std::numeric_limits<double>::infinity();
    for (const int node : path.nodes) min = std::min(min, curve.nodes[sinew::at(node)].radius);
    return min >= part * std::max(curve.nodes[sinew::at(path.nodes.front())].radius,
                                  curve.nodes[sinew::at(path.nodes.back())].radius);
}

std::size_t leaves_sphere(const CurveSkeleton& curve, const BranchPath& path, bool from_end, double radii) {
    const std::size_t count = path.nodes.size();
    const int junction = from_end ? path.nodes.back() : path.nodes.front();
    const Vec3d& centre = curve.nodes[sinew::at(junction)].position;
    for (std::size_t i = 1; i < count; ++i) {
        const std::size_t at = from_end ? count - 1 - i : i;
        if ((curve.nodes[sinew::at(path.nodes[at])].position - centre).norm() >
            radii * curve.nodes[sinew::at(junction)].radius)
            return at;
    }
    return count;
}

Subtree subtree_beyond(const CurveShape& shape, const PathGraph& graph, const BranchPath& path,
                       bool from_end) {
    const int start = from_end ? path.nodes.back() : path.nodes.front();
    const int stop = from_end ? path.nodes.front() : path.nodes.back();
    const int next = from_end ? path.nodes[path.nodes.size() - 2] : path.nodes[1];
    std::vector<char> seen(shape.area.size(), 0);
    std::vector<int> queue{start};
    seen[sinew::at(start)] = 1;
    Subtree result;
    double sum = 0;
    for (std::size_t head = 0; head < queue.size(); ++head) {
        const int node = queue[head];
        if (node == stop) return {};
        sum += shape.area[sinew::at(node)];
        result.branch = std::max(result.branch, graph.free_length[sinew::at(node)]);
        for (const int n : graph.around[sinew::at(node)]) {
            if (seen[sinew::at(n)] || (node == start && n == next)) continue;
            seen[sinew::at(n)] = 1;
            queue.push_back(n);
        }
    }
    result.area = sum / std::accumulate(shape.area.begin(), shape.area.end(), 1e-300);
    result.nodes = std::move(queue);
    return result;
}

Heads find_heads(const CurveSkeleton& curve, const CurveShape& shape, const PathGraph& graph,
                 const std::vector<BranchPath>& paths, const std::vector<int>& twins) {
    const std::vector<char> in_twin = nodes_in_twins(paths, twins, curve.nodes.size());
    Heads heads{std::vector<char>(paths.size(), 0), std::vector<char>(paths.size(), 0)};
    std::vector<char> in_head(curve.nodes.size(), 0);
    for (std::size_t w = 0; w < paths.size(); ++w) {
        if (!paths[w].junction[0] || !paths[w].junction[1] || paths[w].nodes.size() < 2) continue;
        for (const bool from_end : {false, true}) {
            const Subtree side = subtree_beyond(shape, graph, paths[w], from_end);
            if (!is_head(side, shape, graph, in_twin)) continue;
            heads.neck[w] = 1;
            for (const int node : side.nodes) in_head[sinew::at(node)] = 1;
        }
    }
    std::vector<int> thickest(curve.nodes.size(), -1);
    const auto thickness = [&](std::size_t w) {
        const std::size_t leaves = leaves_sphere(curve, paths[w], false, curve_cut::leave);
        return leaves < paths[w].nodes.size() ? curve.nodes[sinew::at(paths[w].nodes[leaves])].radius : 0;
    };
    for (std::size_t w = 0; w < paths.size(); ++w) {
        const int root = paths[w].nodes.front();
        if (!paths[w].junction[0] || paths[w].junction[1] || !in_head[sinew::at(root)]) continue;
        int& best = thickest[sinew::at(root)];
        if (thickness(w) < curve_cut::trunk * curve.nodes[sinew::at(root)].radius) continue;
        if (best < 0 || thickness(w) > thickness(static_cast<std::size_t>(best))) best = static_cast<int>(w);
    }
    for (const int path : thickest)
        if (path >= 0) heads.face[sinew::at(path)] = 1;
    return heads;
}

namespace {

/// A path and everything attached to its end.
struct Limb {
    double length = 0;
    double area = 0;  ///< 0 when it is not a limb
};
Limb limb_of(const CurveShape& shape, const PathGraph& graph, const BranchPath& path, double all_area) {
    if (!path.junction[0]) return {};
    double area = 0;
    for (std::size_t i = 1; i < path.nodes.size(); ++i) area += shape.area[sinew::at(path.nodes[i])];
    if (!path.junction[1]) return {path.length(), area};
    const Subtree end = subtree_beyond(shape, graph, path, true);
    // With more area than the path itself, it is not a hand on an arm, but a body.
    if (end.nodes.empty() || end.area * all_area > area) return {};
    return {path.length() + end.branch, area + end.area * all_area};
}

bool alike(double a, double b, double min) {
    return std::min(a, b) >= min * std::max(a, b);
}

/// The node of a path, but not its ends, that is nearest to an arc length; the number of nodes beyond its
/// end.
std::size_t node_at(const BranchPath& path, double arc) {
    if (arc >= path.length()) return path.nodes.size();
    const auto above = std::lower_bound(path.at.begin(), path.at.end(), arc);
    auto node = static_cast<std::size_t>(above - path.at.begin());
    if (node > 0 && arc - path.at[node - 1] < path.at[node] - arc) --node;
    return std::max<std::size_t>(node, 1);
}

/// The cuts of one path on another, which keeps the first of its own: where it leaves its junction.
std::vector<std::size_t> carried_over(const BranchPath& from, const std::vector<std::size_t>& cuts,
                                      const BranchPath& to, const std::vector<std::size_t>& own) {
    std::vector<std::size_t> result;
    if (!own.empty()) result.push_back(own.front());
    const double start = result.empty() ? 0 : to.at[own.front()];
    const double from_start = from.at[cuts.front()];
    for (std::size_t i = own.empty() ? 0 : 1; i < cuts.size(); ++i) {
        const double part = own.empty() ? from.at[cuts[i]] / from.length()
                                        : (from.at[cuts[i]] - from_start) / (from.length() - from_start);
        const std::size_t node = node_at(to, start + part * (to.length() - start));
        if (node < to.nodes.size() && (result.empty() || node > result.back())) result.push_back(node);
    }
    return result;
}

/// Nodes of junctions whose spheres overlap much have the same number.
std::vector<int> junction_groups(const CurveSkeleton& curve, const std::vector<BranchPath>& paths,
                                 double apart) {
    std::vector<int> group(curve.nodes.size());
    std::iota(group.begin(), group.end(), 0);
    for (const BranchPath& path : paths) {
        const int a = path.nodes.front(), b = path.nodes.back();
        const double radii = curve.nodes[sinew::at(a)].radius + curve.nodes[sinew::at(b)].radius;
        if (!path.junction[0] || !path.junction[1] || path.length() > apart * radii) continue;
        const int old = group[sinew::at(b)];
        std::replace(group.begin(), group.end(), old, group[sinew::at(a)]);
    }
    return group;
}

}  // namespace

std::vector<int> twin_paths(const CurveSkeleton& curve, const CurveShape& shape, const PathGraph& graph,
                            const std::vector<BranchPath>& paths) {
    double all_area = 0;
    for (const double area : shape.area) all_area += area;
    std::vector<Limb> limbs;
    for (const BranchPath& path : paths) limbs.push_back(limb_of(shape, graph, path, all_area));
    constexpr double apart =
        0.75;  // of the sum of their radii: junctions that are nearer on the curve are one
    const std::vector<int> junctions = junction_groups(curve, paths, apart);
    const auto junction = [&](std::size_t path) { return junctions[sinew::at(paths[path].nodes.front())]; };
    std::vector<int> group(paths.size(), -1);
    for (std::size_t a = 0; a < paths.size(); ++a) {
        for (std::size_t b = a + 1; b < paths.size() && limbs[a].area > 0; ++b) {
            if (junction(a) != junction(b) || !alike(limbs[a].length, limbs[b].length, 0.8) ||
                !alike(limbs[a].area, limbs[b].area, 0.65))
                continue;
            if (group[a] < 0) group[a] = static_cast<int>(a);
            if (group[b] < 0) group[b] = group[a];
        }
    }
    return group;
}

void level_cuts(const std::vector<BranchPath>& paths, const std::vector<int>& groups,
                std::vector<std::vector<std::size_t>>& cuts) {
    std::map<int, std::vector<std::size_t>> members;
    for (std::size_t w = 0; w < groups.size(); ++w)
        if (groups[w] >= 0) members[groups[w]].push_back(w);
    for (const auto& [group, list] : members) {
        std::vector<double> counts;
        for (const std::size_t w : list) counts.push_back(static_cast<double>(cuts[w].size()));
        const auto wanted = static_cast<std::size_t>(median(std::move(counts)));
        const std::size_t model =
            *std::find_if(list.begin(), list.end(), [&](std::size_t w) { return cuts[w].size() == wanted; });
        if (wanted == 0) continue;
        for (const std::size_t w : list)
            if (cuts[w].size() != wanted)
                cuts[w] = carried_over(paths[model], cuts[model], paths[w], cuts[w]);
    }
}

}  // namespace sinew::rig
