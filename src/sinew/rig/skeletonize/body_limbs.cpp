#include "sinew/rig/skeletonize/body_limbs.h"

#include <algorithm>
#include <cmath>

#include "sinew/rig/skeletonize/curve_pieces.h"

namespace sinew::rig {
namespace {

/// The part of its height, from the top, by which a side limb is judged: two ears may meet further down.
constexpr double judged = 0.35;

class SideTips {
  public:
    SideTips(const CurveSkeleton& curve, const std::vector<BodyTip>& known, const BodyField& field,
             const BodyGraph& graph, const LimbOptions& options)
        : graph_(graph),
          options_(options),
          percent_(100 * field.cell() / field.diagonal),
          height_(ball_distances(curve, field, graph)),
          seen_(graph.size(), BodyGraph::none) {
        for (const BodyTip& tip : known) known_.push_back(tip.node);
    }

    std::vector<BodyTip> find() {
        std::vector<BodyTip> tips;
        std::vector<double> scores;
        for (std::uint32_t node = 0; node < graph_.size(); ++node) {
            const double height = percent_ * static_cast<double>(height_[node]);
            if (!std::isfinite(height) || height < options_.least_side || !is_top(node)) continue;
            const double fit = std::min(1.0, shape(node));
            const double score = height * fit * fit;
            if (score < options_.least_side) continue;
            tips.push_back({node, height_[node], static_cast<float>(score), true});
            scores.push_back(score);
        }
        const double limit = widest_gap(scores, options_.least_side, options_.most_side);
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

    /// At least 1 when what lies around a top and not much lower is slender and thin; 0 when it is too wide,
    /// leads to a higher top, or holds a known tip.
    double shape(std::uint32_t top) {
        const auto height = static_cast<double>(height_[top]);
        const double most = std::pow(options_.side_width / percent_, 2) * judged * height;
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
        return height * height / (width * static_cast<double>(depth)) / std::pow(options_.slender, 2);
    }

    const BodyGraph& graph_;
    const LimbOptions& options_;
    double percent_;             ///< of the diagonal in a cell
    std::vector<float> height_;  ///< above the balls of the curve, in cells
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

std::vector<BodyTip> limb_tips(const BodyField& field, const BodyGraph& graph, const LimbOptions& options) {
    const double percent = 100 * field.cell() / field.diagonal;
    std::vector<BodyTip> tips = body_tips(graph, graph.distances(body_roots(graph, field), {}),
                                          static_cast<float>(options.least / percent));
    std::vector<double> values;
    for (const BodyTip& tip : tips) values.push_back(percent * static_cast<double>(tip.prominence));
    const double limit = widest_gap(values, options.least, options.most);
    std::erase_if(tips,
                  [&](const BodyTip& tip) { return percent * static_cast<double>(tip.prominence) < limit; });
    return tips;
}

std::vector<BodyTip> side_tips(const CurveSkeleton& curve, const std::vector<BodyTip>& known,
                               const BodyField& field, const BodyGraph& graph, const LimbOptions& options) {
    // A sheet has corners, but no limbs.
    const bool sheet = std::all_of(curve.nodes.begin(), curve.nodes.end(),
                                   [&](const CurveNode& node) { return node.radius < 2 * field.cell(); });
    if (!options.side || sheet) return {};
    return SideTips(curve, known, field, graph, options).find();
}

}  // namespace sinew::rig
