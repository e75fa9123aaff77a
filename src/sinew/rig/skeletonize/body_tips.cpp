#include "sinew/rig/skeletonize/body_tips.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace sinew::rig {
namespace {

/// Sets of cells with the peak of each.
class Basins {
  public:
    explicit Basins(std::size_t count) : leader_(count, BodyGraph::none), peak_(count) {}

    bool has(std::uint32_t node) const { return leader_[node] != BodyGraph::none; }
    void add(std::uint32_t node) { leader_[node] = peak_[node] = node; }
    std::uint32_t find(std::uint32_t node) {
        while (leader_[node] != node) node = leader_[node] = leader_[leader_[node]];
        return node;
    }
    std::uint32_t peak(std::uint32_t set) const { return peak_[set]; }
    void join(std::uint32_t into, std::uint32_t from, std::uint32_t peak) {
        leader_[from] = into;
        peak_[into] = peak;
    }

  private:
    std::vector<std::uint32_t> leader_, peak_;
};

}  // namespace

std::vector<BodyTip> body_tips(const BodyGraph& graph, const std::vector<float>& distance, float prominence) {
    std::vector<std::uint32_t> order;
    for (std::uint32_t n = 0; n < graph.size(); ++n) {
        if (std::isfinite(distance[n])) order.push_back(n);
    }
    const auto higher = [&](std::uint32_t a, std::uint32_t b) {
        return distance[a] != distance[b] ? distance[a] > distance[b] : a < b;
    };
    std::sort(order.begin(), order.end(), higher);
    Basins basins(graph.size());
    std::vector<BodyTip> tips;
    const auto keep = [&](std::uint32_t peak, float rise) {
        if (rise >= prominence) tips.push_back({peak, distance[peak], rise, false});
    };
    for (const std::uint32_t node : order) {
        basins.add(node);
        graph.for_each_neighbour(node, [&](std::uint32_t next, float) {
            if (!basins.has(next)) return;
            const std::uint32_t a = basins.find(node), b = basins.find(next);
            if (a == b) return;
            std::uint32_t high = basins.peak(a), low = basins.peak(b);
            if (higher(low, high)) std::swap(high, low);
            if (low != node) keep(low, distance[low] - distance[node]);
            basins.join(b, a, high);
        });
    }
    for (const std::uint32_t node : order) {
        if (basins.find(node) == node) keep(basins.peak(node), distance[basins.peak(node)]);
    }
    std::sort(tips.begin(), tips.end(),
              [&](const BodyTip& a, const BodyTip& b) { return higher(a.node, b.node); });
    return tips;
}

std::vector<std::uint32_t> body_roots(const BodyGraph& graph, const BodyField& field) {
    std::vector<char> seen(graph.size());
    std::vector<std::uint32_t> roots;
    for (std::uint32_t seed = 0; seed < graph.size(); ++seed) {
        if (seen[seed] != 0) continue;
        std::vector<std::uint32_t> part = {seed};
        seen[seed] = 1;
        for (std::size_t i = 0; i < part.size(); ++i) {
            graph.for_each_neighbour(part[i], [&](std::uint32_t next, float) {
                if (seen[next] == 0) part.push_back(next);
                seen[next] = 1;
            });
        }
        Vec3d middle = Vec3d::Zero();
        float deepest = 0;
        for (const std::uint32_t node : part) {
            middle += graph.position(node) / static_cast<double>(part.size());
            deepest = std::max(deepest, graph.depth(node));
        }
        const auto score = [&](std::uint32_t node) {
            return (graph.position(node) - middle).norm() / field.diagonal +
                   0.5 * (1 - static_cast<double>(graph.depth(node) / deepest));
        };
        roots.push_back(*std::min_element(
            part.begin(), part.end(), [&](std::uint32_t a, std::uint32_t b) { return score(a) < score(b); }));
    }
    return roots;
}

}  // namespace sinew::rig
