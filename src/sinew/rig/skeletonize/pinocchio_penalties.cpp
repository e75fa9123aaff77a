#include "sinew/rig/skeletonize/pinocchio_penalties.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "sinew/base/array.h"

namespace sinew::rig {
namespace {

double square(double x) {
    return x * x;
}

}  // namespace

EmbeddingPenalties::EmbeddingPenalties(const SphereGraph& graph, const TemplatePlan& plan,
                                       const ReducedTemplate& pattern, double scale,
                                       const EmbeddingWeights& weights)
    : graph_(graph), plan_(plan), pattern_(pattern), scale_(scale), weights_(weights) {
    double top = std::numeric_limits<double>::lowest();
    bottom_ = std::numeric_limits<double>::max();
    for (std::size_t s = 0; s < graph.size(); ++s) {
        bottom_ = std::min(bottom_, graph.center[s].y() - graph.radius[s]);
        top = std::max(top, graph.center[s].y() + graph.radius[s]);
    }
    height_ = top - bottom_;
    find_ends();
}

/// From every sphere uphill, by distance along the graph from the middle of its longest way, until nothing is
/// farther.
void EmbeddingPenalties::find_ends() {
    const auto farthest = [](const std::vector<double>& length) {
        return static_cast<int>(std::ranges::max_element(length) - length.begin());
    };
    const int end = farthest(ways_from(graph_, 0).length);
    const SphereWays across = ways_from(graph_, end);
    const std::vector<int> longest = across.way_to(farthest(across.length));
    const double half = across.length[at(longest.back())] / 2;
    const int middle = *std::ranges::min_element(
        longest, {}, [&](int sphere) { return std::abs(across.length[at(sphere)] - half); });
    const std::vector<double> far = ways_from(graph_, middle).length;
    std::vector<std::size_t> order(graph_.size());
    for (std::size_t s = 0; s < order.size(); ++s) order[s] = s;
    std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) { return far[a] > far[b]; });
    to_end_.assign(graph_.size(), 0);
    for (const std::size_t s : order) {
        for (const SphereGraph::Link& link : graph_.around[s]) {
            if (far[at(link.to)] > far[s])
                to_end_[s] = std::max(to_end_[s], link.length + to_end_[at(link.to)]);
        }
    }
}

double EmbeddingPenalties::alone(std::size_t joint, int sphere) const {
    const ReducedTemplate::Joint& j = pattern_.joints[joint];
    double sum = 0;
    if (j.is_foot)
        sum +=
            weights_.foot * (graph_.center[at(sphere)].y() - graph_.radius[at(sphere)] - bottom_) / height_;
    // Where the rest of the limb is but the ball that fills its end, it ends.
    const double rest = std::max(0.0, to_end_[at(sphere)] - graph_.radius[at(sphere)]);
    if (j.is_end) sum += weights_.not_an_end * std::min(1.0, rest / (0.3 * scale_ * j.length));
    return sum;
}

/// Between the directions in the template and in the body; 1 where either has none.
double EmbeddingPenalties::cosine(std::size_t from, std::size_t to, int from_sphere, int to_sphere) const {
    const Vec3d wanted =
        plan_.points[at(pattern_.joints[to].point)] - plan_.points[at(pattern_.joints[from].point)];
    const Vec3d have = graph_.center[at(to_sphere)] - graph_.center[at(from_sphere)];
    const double size = wanted.norm() * have.norm();
    return size > 0 ? wanted.dot(have) / size : 1;
}

double EmbeddingPenalties::chain(std::size_t joint, int parent, int sphere, double length) const {
    const ReducedTemplate::Joint& j = pattern_.joints[joint];
    if (parent == sphere) return weights_.no_length;
    const double ratio = length / (scale_ * std::max(j.length, 1e-6 * plan_.size));
    double sum = weights_.orientation * square(1 - cosine(at(j.parent), joint, parent, sphere));
    sum += weights_.short_bone * square(std::max(0.0, 1 - 2 * ratio));
    sum += weights_.detour * square(std::max(0.0, ratio - 1));
    return sum;
}

double EmbeddingPenalties::pair(std::size_t first, int first_sphere, std::size_t second,
                                int second_sphere) const {
    if (first_sphere == second_sphere) return weights_.no_length;
    const double apart =
        (plan_.points[at(pattern_.joints[first].point)] - plan_.points[at(pattern_.joints[second].point)])
            .norm();
    if (apart < 0.05 * plan_.size) return 0;
    return weights_.direction * square(1 - cosine(first, second, first_sphere, second_sphere));
}

double EmbeddingPenalties::twins(double d1, const std::array<int, 2>& first_ends, double d2,
                                 const std::array<int, 2>& second_ends) const {
    const auto radii = [&](const std::array<int, 2>& ends) {
        return graph_.radius[at(ends[0])] + graph_.radius[at(ends[1])];
    };
    if (!(d1 > 0) || !(d2 > 0)) return 0;  // counted as chains without length
    const double q = 0.2 * std::max(d1 / d2, d2 / d1) + 0.8 * std::max(d1 / (d2 + 0.7 * radii(second_ends)),
                                                                       d2 / (d1 + 0.7 * radii(first_ends)));
    return weights_.asymmetry * std::max(0.0, q * q * q - 1.2);
}

double EmbeddingPenalties::shared(std::size_t spheres, std::size_t count) const {
    if (count == 0) return 0;
    const double share = static_cast<double>(spheres) / static_cast<double>(count);
    return weights_.shared * square(std::max(0.0, 2 * share - 1));
}

}  // namespace sinew::rig
