// SPDX-License-Identifier: MIT
#include "sinew/collide/tree/weight_corners.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace sinew::collide {
namespace {

constexpr double rounding = 0x1p-24;     // of the weights as stored
constexpr std::size_t max_corners = 12;  // for more, a simplex is cheaper
constexpr std::size_t max_enumerated = 6;

void add_distinct(WeightCorners& corners, std::span<const double> corner) {
    for (std::size_t k = 0; k < corners.count(); ++k) {
        const auto other = corners.corner(k);
        const bool same = std::equal(corner.begin(), corner.end(), other.begin(),
                                     [](double a, double b) { return std::abs(a - b) <= 4 * rounding; });
        if (same) return;
    }
    corners.values.insert(corners.values.end(), corner.begin(), corner.end());
}

/// Distinct vectors in increasing order, at most `limit`; none when there are more.
WeightCorners distinct_weights(std::span<const float> weights, std::size_t joints, std::size_t limit) {
    const std::size_t count = weights.size() / joints;
    std::vector<std::size_t> order(count);
    std::iota(order.begin(), order.end(), std::size_t{0});
    const auto of = [&](std::size_t i) { return weights.subspan(i * joints, joints); };
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return std::lexicographical_compare(of(a).begin(), of(a).end(), of(b).begin(), of(b).end());
    });
    WeightCorners corners{joints, {}};
    for (std::size_t i = 0; i < count; ++i) {
        const auto w = of(order[i]);
        if (i > 0 && std::equal(w.begin(), w.end(), of(order[i - 1]).begin())) continue;
        if (corners.count() == limit) return {joints, {}};
        corners.values.insert(corners.values.end(), w.begin(), w.end());
    }
    return corners;
}

/// n binom(n-1, floor((n-1)/2)): the largest number of corners of the intervals.
std::size_t max_interval_corners(std::size_t n) {
    constexpr std::size_t table[]{1, 1, 2, 6, 12, 30, 60};
    return n < std::size(table) ? table[n] : 1000;
}

}  // namespace

WeightCorners interval_corners(std::span<const double> low, std::span<const double> high) {
    const std::size_t n = low.size();
    const double tolerance = 8 * static_cast<double>(n) * rounding;
    WeightCorners corners{n, {}};
    std::vector<double> corner(n);
    for (std::size_t free = 0; free < n; ++free) {
        for (std::size_t choice = 0; choice < (std::size_t{1} << (n - 1)); ++choice) {
            double rest = 1;
            for (std::size_t i = 0, bit = 0; i < n; ++i) {
                if (i == free) continue;
                corner[i] = (choice >> bit++) & 1 ? high[i] : low[i];
                rest -= corner[i];
            }
            corner[free] = rest;
            if (rest < low[free] - tolerance || rest > high[free] + tolerance) continue;
            add_distinct(corners, corner);
        }
    }
    return corners;
}

WeightCorners simplex_corners(std::span<const double> low, std::span<const double> high) {
    const std::size_t n = low.size();
    const double below = 1 - std::accumulate(low.begin(), low.end(), 0.0);
    const double above = std::accumulate(high.begin(), high.end(), 0.0) - 1;
    const auto base = below <= above ? low : high;
    const double step = below <= above ? below : -above;
    WeightCorners corners{n, {}};
    for (std::size_t k = 0; k < n; ++k) {
        corners.values.insert(corners.values.end(), base.begin(), base.end());
        corners.values[k * n + k] += step;
    }
    return corners;
}

WeightCorners weight_corners(std::span<const float> weights, std::size_t joints) {
    if (joints == 1) return {1, {1.0}};
    std::vector<double> low(joints, 2), high(joints, -1);
    for (std::size_t i = 0; i < weights.size(); ++i) {
        low[i % joints] = std::min(low[i % joints], static_cast<double>(weights[i]));
        high[i % joints] = std::max(high[i % joints], static_cast<double>(weights[i]));
    }
    if (joints > 2) {
        const std::size_t limit = std::min(max_corners, max_interval_corners(joints));
        WeightCorners actual = distinct_weights(weights, joints, limit);
        if (actual.count() > 0 && actual.count() <= joints) return actual;
        if (joints <= max_enumerated) {
            WeightCorners ends = interval_corners(low, high);
            if (actual.count() > 0 && actual.count() <= ends.count()) return actual;
            if (ends.count() > 0 && ends.count() <= max_corners) return ends;
        } else if (actual.count() > 0) {
            return actual;
        }
        return simplex_corners(low, high);
    }
    return interval_corners(low, high);
}

}  // namespace sinew::collide
