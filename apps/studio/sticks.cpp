// SPDX-License-Identifier: MIT
#include "sticks.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sinew::studio {
namespace {

using math::Vec3d;

constexpr int moments = 24;
/// Markers of one bone keep their distance; its change is weighted by this factor.
constexpr double change_counts = 4;
/// A link is left out when it is longer than the median by this factor.
constexpr double longest = 6;

using Positions = std::vector<std::vector<Vec3d>>;  ///< moment by moment

Positions sample_positions(const model::Character& character, const model::Clip& clip) {
    Positions list;
    const model::TimeRange range = model::time_range(clip);
    for (int i = 0; i < moments; ++i) {
        const double time = range.start + range.duration() * i / (moments - 1);
        std::vector<Vec3d> now;
        for (const math::Mat4d& joint :
             model::world_matrices(character.skeleton, model::sample(clip, character.skeleton, time)))
            now.push_back(joint.topRightCorner<3, 1>());
        list.push_back(std::move(now));
    }
    return list;
}

double cost(const Positions& positions, std::size_t a, std::size_t b) {
    double sum = 0, squares = 0;
    for (const auto& now : positions) {
        const double d = (now[a] - now[b]).norm();
        sum += d;
        squares += d * d;
    }
    const auto n = static_cast<double>(positions.size());
    const double mean = sum / n, variance = std::max(squares / n - mean * mean, 0.0);
    return mean + change_counts * std::sqrt(variance);
}

}  // namespace

std::vector<std::pair<int, int>> marker_sticks(const model::Character& character, const model::Clip& clip) {
    const std::size_t count = character.skeleton.size();
    if (count < 2) return {};
    const Positions positions = sample_positions(character, clip);
    // Prim 1957.
    std::vector<double> nearest(count, std::numeric_limits<double>::infinity());
    std::vector<int> to(count, -1);
    std::vector<bool> inside(count, false);
    std::vector<std::pair<double, std::pair<int, int>>> links;
    std::size_t last = 0;
    inside[0] = true;
    for (std::size_t step = 1; step < count; ++step) {
        std::size_t best = count;
        for (std::size_t j = 0; j < count; ++j) {
            if (inside[j]) continue;
            if (const double c = cost(positions, last, j); c < nearest[j]) {
                nearest[j] = c;
                to[j] = static_cast<int>(last);
            }
            if (best == count || nearest[j] < nearest[best]) best = j;
        }
        inside[best] = true;
        if (to[best] >= 0) links.push_back({nearest[best], {to[best], static_cast<int>(best)}});
        last = best;
    }
    if (links.empty()) return {};
    std::ranges::sort(links);
    const double limit = longest * links[links.size() / 2].first;
    std::vector<std::pair<int, int>> sticks;
    // Points without a label are visible only for short times: between these, the position is unknown.
    const auto labelled = [&](int joint) {
        return !character.skeleton.joints[static_cast<std::size_t>(joint)].name.starts_with('*');
    };
    for (const auto& [length, pair] : links)
        if (length <= limit && labelled(pair.first) && labelled(pair.second)) sticks.push_back(pair);
    return sticks;
}

}  // namespace sinew::studio
