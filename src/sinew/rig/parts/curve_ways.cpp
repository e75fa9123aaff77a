#include "sinew/rig/parts/curve_ways.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "sinew/base/array.h"

namespace sinew::rig {
namespace {

/// A little of the surface, no limb as long as the others, and more than two limbs that are alike, which is
/// what a pelvis with short legs has.
bool is_head(const Behind& side, const CurveShape& shape, const WayGraph& graph,
             const std::vector<char>& in_twin, const CurveCutOptions& options) {
    if (side.area >= options.head || side.branch >= options.head_branch * graph.longest) return false;
    double all = 0, twins = 0;
    for (const int node : side.nodes) {
        all += shape.area[sinew::at(node)];
        if (in_twin[sinew::at(node)] != 0) twins += shape.area[sinew::at(node)];
    }
    return twins < options.legs * all;
}

/// Nodes of ways to limbs that have twins.
std::vector<char> nodes_in_twins(const std::vector<Way>& ways, const std::vector<int>& twins,
                                 std::size_t count) {
    std::vector<char> in(count, 0);
    for (std::size_t w = 0; w < ways.size(); ++w)
        for (std::size_t i = 1; twins[w] >= 0 && i < ways[w].nodes.size(); ++i)
            in[sinew::at(ways[w].nodes[i])] = 1;
    return in;
}

}  // namespace

Way way_of(const CurveSkeleton& curve, const CurveBranch& branch, const std::vector<int>& degree) {
    Way way{branch.nodes, {0}, {}};
    // From the thicker end, which is the trunk, or from the junction.
    const auto weight = [&](int node) {
        return (degree[sinew::at(node)] > 2 ? 1e6 : 0) + curve.nodes[sinew::at(node)].radius;
    };
    if (weight(way.nodes.back()) > weight(way.nodes.front()))
        std::reverse(way.nodes.begin(), way.nodes.end());
    for (std::size_t i = 1; i < way.nodes.size(); ++i)
        way.at.push_back(way.at.back() + (curve.nodes[sinew::at(way.nodes[i])].position -
                                          curve.nodes[sinew::at(way.nodes[i - 1])].position)
                                             .norm());
    way.junction[0] = degree[sinew::at(way.nodes.front())] > 2;
    way.junction[1] = degree[sinew::at(way.nodes.back())] > 2;
    return way;
}

WayGraph graph_of(const CurveSkeleton& curve, const std::vector<CurveBranch>& all) {
    WayGraph graph{degrees(curve), std::vector<std::vector<int>>(curve.nodes.size()),
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

bool is_trunk(const CurveSkeleton& curve, const Way& way, double part) {
    if (!way.junction[0] || !way.junction[1]) return false;
    double least = std::numeric_limits<double>::infinity();
    for (const int node : way.nodes) least = std::min(least, curve.nodes[sinew::at(node)].radius);
    return least >= part * std::max(curve.nodes[sinew::at(way.nodes.front())].radius,
                                    curve.nodes[sinew::at(way.nodes.back())].radius);
}

std::size_t leaves_ball(const CurveSkeleton& curve, const Way& way, bool from_end, double radii) {
    const std::size_t count = way.nodes.size();
    const int junction = from_end ? way.nodes.back() : way.nodes.front();
    const Vec3d& centre = curve.nodes[sinew::at(junction)].position;
    for (std::size_t i = 1; i < count; ++i) {
        const std::size_t at = from_end ? count - 1 - i : i;
        if ((curve.nodes[sinew::at(way.nodes[at])].position - centre).norm() >
            radii * curve.nodes[sinew::at(junction)].radius)
            return at;
    }
    return count;
}

Behind behind(const CurveShape& shape, const WayGraph& graph, const Way& way, bool from_end) {
    const int start = from_end ? way.nodes.back() : way.nodes.front();
    const int stop = from_end ? way.nodes.front() : way.nodes.back();
    const int next = from_end ? way.nodes[way.nodes.size() - 2] : way.nodes[1];
    std::vector<char> seen(shape.area.size(), 0);
    std::vector<int> queue{start};
    seen[sinew::at(start)] = 1;
    Behind result;
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

Heads find_heads(const CurveSkeleton& curve, const CurveShape& shape, const WayGraph& graph,
                 const std::vector<Way>& ways, const std::vector<int>& twins,
                 const CurveCutOptions& options) {
    const std::vector<char> in_twin = nodes_in_twins(ways, twins, curve.nodes.size());
    Heads heads{std::vector<char>(ways.size(), 0), std::vector<char>(ways.size(), 0)};
    std::vector<char> in_head(curve.nodes.size(), 0);
    for (std::size_t w = 0; w < ways.size(); ++w) {
        if (!ways[w].junction[0] || !ways[w].junction[1] || ways[w].nodes.size() < 2) continue;
        for (const bool from_end : {false, true}) {
            const Behind side = behind(shape, graph, ways[w], from_end);
            if (!is_head(side, shape, graph, in_twin, options)) continue;
            heads.neck[w] = 1;
            for (const int node : side.nodes) in_head[sinew::at(node)] = 1;
        }
    }
    std::vector<int> thickest(curve.nodes.size(), -1);
    const auto thickness = [&](std::size_t w) {
        const std::size_t leaves = leaves_ball(curve, ways[w], false, options.leave);
        return leaves < ways[w].nodes.size() ? curve.nodes[sinew::at(ways[w].nodes[leaves])].radius : 0;
    };
    for (std::size_t w = 0; w < ways.size(); ++w) {
        const int root = ways[w].nodes.front();
        if (!ways[w].junction[0] || ways[w].junction[1] || !in_head[sinew::at(root)]) continue;
        int& best = thickest[sinew::at(root)];
        if (thickness(w) < options.trunk * curve.nodes[sinew::at(root)].radius) continue;
        if (best < 0 || thickness(w) > thickness(static_cast<std::size_t>(best))) best = static_cast<int>(w);
    }
    for (const int way : thickest)
        if (way >= 0) heads.face[sinew::at(way)] = 1;
    return heads;
}

}  // namespace sinew::rig
