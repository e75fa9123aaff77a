#include "sinew/rig/skeletonize/curve_growth.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <queue>

namespace sinew::rig {
namespace {

constexpr float unreached = std::numeric_limits<float>::infinity();
constexpr double no_limit = std::numeric_limits<double>::infinity();

/// The free end whose limb each node belongs to, or -1. A branch with two free ends is halved.
std::vector<int> end_of_nodes(const CurveSkeleton& curve) {
    const std::vector<int> degree = degrees(curve);
    std::vector<int> out(curve.nodes.size(), -1);
    const auto is_end = [&](int node) { return degree[static_cast<std::size_t>(node)] == 1; };
    const auto give = [&](auto first, auto last, int end) {
        for (auto n = first; n != last; ++n) out[static_cast<std::size_t>(*n)] = end;
    };
    for (const CurveBranch& branch : branches(curve)) {
        const auto& nodes = branch.nodes;
        const auto half = static_cast<std::ptrdiff_t>(nodes.size() / 2);
        const bool front = is_end(nodes.front()), back = is_end(nodes.back());
        if (front) give(nodes.begin(), back ? nodes.begin() + half : nodes.end() - 1, nodes.front());
        if (back) give(nodes.rbegin(), front ? nodes.rend() - half : nodes.rend() - 1, nodes.back());
    }
    return out;
}

}  // namespace

CurveGrowth::CurveGrowth(const BodyGraph& graph, double centring, const CurveSkeleton& start)
    : graph_(graph),
      curve_(start),
      curve_of_(graph.size(), -1),
      cost_(graph.size(), unreached),
      from_(graph.size()),
      price_(graph.size()) {
    for (std::uint32_t n = 0; n < graph.size(); ++n) {
        price_[n] = std::pow(graph.depth(n), -static_cast<float>(centring));
    }
    for (std::size_t n = 0; n < start.nodes.size(); ++n) {
        const std::uint32_t cell = graph.nearest(start.nodes[n].position, 3);
        if (cell != BodyGraph::none && curve_of_[cell] < 0) curve_of_[cell] = static_cast<int>(n);
    }
}

void CurveGrowth::plant(std::uint32_t root) {
    curve_of_[root] = curve_.add({graph_.position(root), 0});
}

void CurveGrowth::plant(std::uint32_t from, std::uint32_t to) {
    Way way = way_from(from, [&](std::uint32_t node) { return node == to; });
    way.erase(way.begin(), way.begin() + static_cast<std::ptrdiff_t>(trimmed(way, no_limit)));
    std::reverse(way.begin(), way.end());
    way.erase(way.begin(), way.begin() + static_cast<std::ptrdiff_t>(trimmed(way, no_limit)));
    plant(way.back());
    append(way);
}

void CurveGrowth::grow(const BodyTip& tip) {
    add(tip, way_from(tip.node, [&](std::uint32_t cell) { return curve_of_[cell] >= 0; }));
}

void CurveGrowth::grow(const BodyTip& tip, int node) {
    add(tip, way_from(tip.node, [&](std::uint32_t cell) { return curve_of_[cell] == node; }));
}

void CurveGrowth::add(const BodyTip& tip, Way way) {
    // What a side limb stands on is much thicker: the search for the ball that fills its end would run there.
    const double most_cut = tip.side ? static_cast<double>(tip.distance) / 4 : no_limit;
    way.erase(way.begin(), way.begin() + static_cast<std::ptrdiff_t>(trimmed(way, most_cut)));
    append(way);
}

void CurveGrowth::close(int node) {
    const std::uint32_t cell = graph_.nearest(curve_.at(node).position, 3);
    if (cell != BodyGraph::none && curve_of_[cell] == node) curve_of_[cell] = -1;
}

/// Nodes for all cells of a way but the last, which has one.
void CurveGrowth::append(const Way& way) {
    if (way.empty()) return;
    int last = curve_of_[way.back()];
    for (std::size_t i = way.size() - 1; i-- > 0;) {
        const int node = curve_.add({graph_.position(way[i]), 0});
        curve_of_[way[i]] = node;
        curve_.link(last, node);
        last = node;
    }
}

/// Dijkstra's algorithm from the tip to the first goal, which is the last cell of the way.
template <class Goal>
CurveGrowth::Way CurveGrowth::way_from(std::uint32_t tip, const Goal& is_goal) {
    // Costs are not negative: their bits are ordered as they are, and one number holds cost and cell.
    std::priority_queue<std::uint64_t, std::vector<std::uint64_t>, std::greater<>> queue;
    const auto push = [&](float cost, std::uint32_t node) {
        queue.push(std::uint64_t{std::bit_cast<std::uint32_t>(cost)} << 32 | node);
    };
    Way touched = {tip};
    cost_[tip] = 0;
    from_[tip] = tip;
    push(0, tip);
    std::uint32_t goal = BodyGraph::none;
    while (!queue.empty()) {
        const auto node = static_cast<std::uint32_t>(queue.top());
        const auto cost = std::bit_cast<float>(static_cast<std::uint32_t>(queue.top() >> 32));
        queue.pop();
        if (cost > cost_[node]) continue;
        if (is_goal(node)) {
            goal = node;
            break;
        }
        graph_.for_each_neighbour(node, [&](std::uint32_t next, float length) {
            const float sum = cost + length * (price_[node] + price_[next]) / 2;
            if (!(sum < cost_[next])) return;
            if (cost_[next] == unreached) touched.push_back(next);
            cost_[next] = sum;
            from_[next] = node;
            push(sum, next);
        });
    }
    Way way;
    for (std::uint32_t n = goal; n != BodyGraph::none; n = from_[n]) {
        way.push_back(n);
        if (n == tip) break;
    }
    for (const std::uint32_t n : touched) cost_[n] = unreached;
    std::reverse(way.begin(), way.end());
    return way;
}

/// The way starts on the surface; a limb's curve ends where the ball that fills its end has its middle. Seen
/// from the apex, depth grows by the sine of the angle at which the end opens: at least 0.58 in the corner of
/// a box, 1 in a round end, and hardly in a pointed one, which keeps its apex.
std::size_t CurveGrowth::trimmed(const Way& way, double most_cut) const {
    if (way.size() < 2) return 0;
    const Vec3d apex = graph_.position(way[0]);
    const double cell = (graph_.position(way[1]) - apex).cwiseAbs().maxCoeff();
    std::size_t end = 0;
    double best = 0;
    for (std::size_t i = 1; i + 1 < way.size(); ++i) {
        const double away = (graph_.position(way[i]) - apex).norm() / cell;
        const double gain = static_cast<double>(graph_.depth(way[i])) - 0.5 * away;
        if (gain < best - 1 || away > most_cut) break;
        if (gain <= best) continue;
        best = gain;
        end = i;
    }
    return end;
}

CurveSkeleton with_all_tips(const CurveSkeleton& curve, const BodyGraph& graph,
                            const std::vector<BodyTip>& tips, const std::vector<int>& node_of_tip,
                            double centring) {
    const std::vector<int> end_of = end_of_nodes(curve);
    std::vector<char> taken(curve.nodes.size());
    CurveGrowth growth(graph, centring, curve);
    std::vector<BodyTip> missed;
    for (std::size_t t = 0; t < tips.size(); ++t) {
        if (node_of_tip[t] < 0) continue;
        const int end = end_of[static_cast<std::size_t>(node_of_tip[t])];
        if (end < 0 || taken[static_cast<std::size_t>(end)] != 0) {
            missed.push_back(tips[t]);
            continue;
        }
        taken[static_cast<std::size_t>(end)] = 1;
        growth.grow(tips[t], end);
    }
    for (std::size_t n = 0; n < taken.size(); ++n) {
        if (taken[n] != 0) growth.close(static_cast<int>(n));
    }
    for (const BodyTip& tip : missed) growth.grow(tip);
    return growth.curve();
}

CurveSkeleton with_side_tips(const CurveSkeleton& curve, const BodyGraph& graph,
                             const std::vector<BodyTip>& tips, double centring) {
    CurveGrowth growth(graph, centring, curve);
    for (const BodyTip& tip : tips) growth.grow(tip);
    return growth.curve();
}

}  // namespace sinew::rig
