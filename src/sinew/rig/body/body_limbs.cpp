// SPDX-License-Identifier: MIT
#include "sinew/rig/body/body_limbs.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>

#include "sinew/rig/curve/curve_growth.h"

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

/// All cells at a finite distance; of equal ones the lowest first. The bits of non-negative floats have the
/// same order as their values, so a radix sort by eleven bits works.
std::vector<std::uint32_t> farthest_first(const std::vector<float>& distance) {
    constexpr std::uint32_t digits = 1 << 11;
    struct Cell {
        std::uint32_t key, node;
    };
    std::vector<Cell> cells, next;
    cells.reserve(distance.size());
    for (std::uint32_t n = 0; n < distance.size(); ++n) {
        if (std::isfinite(distance[n])) cells.push_back({~std::bit_cast<std::uint32_t>(distance[n]), n});
    }
    next.resize(cells.size());
    for (const int shift : {0, 11, 22}) {
        const auto digit = [&](const Cell& cell) { return cell.key >> shift & (digits - 1); };
        std::array<std::uint32_t, digits + 1> begin{};
        for (const Cell& cell : cells) ++begin[digit(cell) + 1];
        for (std::size_t d = 0; d < digits; ++d) begin[d + 1] += begin[d];
        for (const Cell& cell : cells) next[begin[digit(cell)]++] = cell;
        cells.swap(next);
    }
    std::vector<std::uint32_t> order;
    order.reserve(cells.size());
    for (const Cell& cell : cells) order.push_back(cell.node);
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
        std::uint32_t a = node;
        graph.for_each_neighbour(node, [&](std::uint32_t next, float) {
            if (!basins.has(next)) return;
            const std::uint32_t b = basins.find(next);
            if (a == b) return;
            std::uint32_t high = basins.peak(a), low = basins.peak(b);
            if (higher(low, high)) std::swap(high, low);
            if (low != node) keep(low, distance[low] - distance[node]);
            basins.join(b, a, high);
            a = b;
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

namespace {

// Lengths in percent of the diagonal. With a fixed limit, noise would decide about features of about that
// size, for example a toe: limits lie in the widest gap of a range instead.

/// How much farther the end of a limb is from the middle of the body than its surroundings.
constexpr double min_limb = 2.6, max_limb = 4.2;
/// How far a side limb, such as an ear, protrudes from the spheres of the curve.
constexpr double min_side = 4.8, max_side = 6.6;
/// A side limb is at least this many times as long as it is wide and deep (geometric mean): the side of a
/// foot is not a limb;
constexpr double slenderness = 4;
/// and not wider than this: the rim of a large ear is not a limb either.
constexpr double max_side_width = 3.6;

/// The part of its height, from the top, by which a side limb is judged: two ears may meet further down.
constexpr double judged = 0.35;

class SideTips {
  public:
    SideTips(const CurveSkeleton& curve, const std::vector<BodyTip>& known, const BodyField& field,
             const BodyGraph& graph)
        : graph_(graph),
          percent_(100 * field.cell() / field.diagonal),
          height_(sphere_distances(curve, field, graph)),
          seen_(graph.size(), BodyGraph::none) {
        for (const BodyTip& tip : known) known_.push_back(tip.node);
    }

    std::vector<BodyTip> find() {
        std::vector<BodyTip> tips;
        std::vector<double> scores;
        for (std::uint32_t node = 0; node < graph_.size(); ++node) {
            const double height = percent_ * static_cast<double>(height_[node]);
            if (!std::isfinite(height) || height < min_side || !is_top(node)) continue;
            const double fit = std::min(1.0, shape(node));
            const double score = height * fit * fit;
            if (score < min_side) continue;
            tips.push_back({node, height_[node], static_cast<float>(score), true});
            scores.push_back(score);
        }
        const double limit = widest_gap(scores, min_side, max_side);
        std::erase_if(tips, [&](const BodyTip& tip) { return static_cast<double>(tip.prominence) < limit; });
        std::sort(tips.begin(), tips.end(),
                  [&](const BodyTip& a, const BodyTip& b) { return higher(a.node, b.node); });
        return tips;
    }

  private:
    bool higher(std::uint32_t a, std::uint32_t b) const {
        return height_[a] != height_[b] ? height_[a] > height_[b] : a < b;
    }

    bool is_top(std::uint32_t node) const {
        bool top = true;
        graph_.for_each_neighbour(node, [&](std::uint32_t next, float) { top = top && !higher(next, node); });
        return top;
    }

    /// At least 1 when the region around a top, down to a little below it, is slender and thin; 0 when it is
    /// too wide, leads to a higher top, or contains a known tip.
    double shape(std::uint32_t top) {
        const auto height = static_cast<double>(height_[top]);
        const double most = std::pow(max_side_width / percent_, 2) * judged * height;
        const auto level = static_cast<float>((1 - judged) * height);
        std::vector<std::uint32_t> part = {top};
        seen_[top] = top;
        bool is_highest = true;
        float depth = 0;
        for (std::size_t i = 0; i < part.size(); ++i) {
            depth = std::max(depth, graph_.depth(part[i]));
            graph_.for_each_neighbour(part[i], [&](std::uint32_t next, float) {
                if (seen_[next] == top || height_[next] < level) return;
                seen_[next] = top;
                part.push_back(next);
                is_highest = is_highest && !higher(next, top);
            });
            if (!is_highest || static_cast<double>(part.size()) > most) return 0;
        }
        for (const std::uint32_t tip : known_) {
            if (seen_[tip] == top) return 0;
        }
        const double width = std::sqrt(static_cast<double>(part.size()) / (judged * height));
        return height * height / (width * static_cast<double>(depth)) / std::pow(slenderness, 2);
    }

    const BodyGraph& graph_;
    double percent_;             ///< of the diagonal in a cell
    std::vector<float> height_;  ///< above the spheres of the curve, in cells
    std::vector<std::uint32_t> seen_;
    std::vector<std::uint32_t> known_;
};

}  // namespace

double widest_gap(std::vector<double> values, double least, double most) {
    for (double& value : values) value = std::clamp(value, least, most);
    values.push_back(least);
    values.push_back(most);
    std::sort(values.begin(), values.end(), std::greater<>());
    double widest = 0, limit = most;
    for (std::size_t i = 0; i + 1 < values.size(); ++i) {
        const double ratio = values[i] / values[i + 1];
        if (ratio <= widest) continue;
        widest = ratio;
        limit = std::sqrt(values[i] * values[i + 1]);
    }
    return limit;
}

std::vector<BodyTip> limb_tips(const BodyField& field, const BodyGraph& graph) {
    const double percent = 100 * field.cell() / field.diagonal;
    std::vector<BodyTip> tips = body_tips(graph, graph.distances(body_roots(graph, field), {}),
                                          static_cast<float>(min_limb / percent));
    std::vector<double> values;
    for (const BodyTip& tip : tips) values.push_back(percent * static_cast<double>(tip.prominence));
    const double limit = widest_gap(values, min_limb, max_limb);
    std::erase_if(tips,
                  [&](const BodyTip& tip) { return percent * static_cast<double>(tip.prominence) < limit; });
    return tips;
}

std::vector<BodyTip> side_tips(const CurveSkeleton& curve, const std::vector<BodyTip>& known,
                               const BodyField& field, const BodyGraph& graph) {
    // A sheet has corners, but no limbs.
    const bool sheet = std::all_of(curve.nodes.begin(), curve.nodes.end(),
                                   [&](const CurveNode& node) { return node.radius < 2 * field.cell(); });
    if (sheet) return {};
    return SideTips(curve, known, field, graph).find();
}

}  // namespace sinew::rig
