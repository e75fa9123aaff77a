#include "sinew/rig/skeletonize/body_tips.h"

#include <algorithm>
#include <cmath>
#include <limits>
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

/// All cells at a finite distance; of equal ones the lowest first.
std::vector<std::uint32_t> farthest_first(const std::vector<float>& distance) {
    // Distances lie beside the cells: sorting what lies elsewhere is slow.
    std::vector<std::pair<float, std::uint32_t>> cells;
    cells.reserve(distance.size());
    for (std::uint32_t n = 0; n < distance.size(); ++n) {
        if (std::isfinite(distance[n])) cells.emplace_back(-distance[n], n);
    }
    std::sort(cells.begin(), cells.end());
    std::vector<std::uint32_t> order;
    order.reserve(cells.size());
    for (const auto& cell : cells) order.push_back(cell.second);
    return order;
}

}  // namespace

std::vector<BodyTip> body_tips(const BodyGraph& graph, const std::vector<float>& distance, float prominence) {
    const auto higher = [&](std::uint32_t a, std::uint32_t b) {
        return distance[a] != distance[b] ? distance[a] > distance[b] : a < b;
    };
    const std::vector<std::uint32_t> order = farthest_first(distance);
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
    struct Body {
        Vec3d sum = Vec3d::Zero();
        double cells = 0;
        float deepest = 0;
        double best = std::numeric_limits<double>::infinity();
        std::uint32_t root = BodyGraph::none;
    };
    std::vector<Body> bodies(static_cast<std::size_t>(field.bodies));
    for (std::uint32_t node = 0; node < graph.size(); ++node) {
        Body& body = bodies[graph.body(node)];
        body.sum += graph.position(node);
        body.cells += 1;
        body.deepest = std::max(body.deepest, graph.depth(node));
    }
    for (std::uint32_t node = 0; node < graph.size(); ++node) {
        Body& body = bodies[graph.body(node)];
        const double score = (graph.position(node) - body.sum / body.cells).norm() / field.diagonal +
                             0.5 * (1 - static_cast<double>(graph.depth(node) / body.deepest));
        if (score >= body.best) continue;
        body.best = score;
        body.root = node;
    }
    std::vector<std::uint32_t> roots;
    for (const Body& body : bodies) roots.push_back(body.root);
    return roots;
}

}  // namespace sinew::rig
