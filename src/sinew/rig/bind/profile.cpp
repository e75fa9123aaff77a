#include "sinew/rig/bind/profile.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

namespace sinew::rig {

std::vector<double> smooth_profile(std::span<const double> profile, double sigma) {
    std::vector<double> out(profile.begin(), profile.end());
    const auto n = static_cast<std::ptrdiff_t>(profile.size());
    const auto reach = static_cast<std::ptrdiff_t>(std::ceil(3 * sigma));
    if (!(sigma > 0) || n < 2) return out;
    for (std::ptrdiff_t i = 0; i < n; ++i) {
        if (!std::isfinite(profile[static_cast<std::size_t>(i)])) continue;
        double sum = 0, weights = 0;
        for (std::ptrdiff_t k = -reach; k <= reach; ++k) {
            std::ptrdiff_t at = i + k;
            if (at < 0) at = -at - 1;
            if (at >= n) at = 2 * n - 1 - at;
            if (at < 0 || at >= n) continue;
            const double value = profile[static_cast<std::size_t>(at)];
            if (!std::isfinite(value)) continue;
            const double weight = std::exp(-0.5 * static_cast<double>(k * k) / (sigma * sigma));
            sum += weight * value;
            weights += weight;
        }
        out[static_cast<std::size_t>(i)] = sum / weights;
    }
    return out;
}

double second_derivative(std::span<const double> profile, std::size_t ray, const MinimumOptions& options) {
    const std::size_t stride =
        std::min({static_cast<std::size_t>(options.stride), ray, profile.size() - 1 - ray});
    if (stride == 0) return 0;
    const double width = static_cast<double>(stride) * options.step;
    const double value = (profile[ray - stride] - 2 * profile[ray] + profile[ray + stride]) / (width * width);
    return std::isfinite(value) ? value : 0;
}

int choose_minimum(std::span<const double> profile, std::span<const char> counts,
                   const MinimumOptions& options) {
    const double none = std::numeric_limits<double>::infinity();
    const auto value = [&](std::ptrdiff_t i) {
        if (i < 0 || i >= static_cast<std::ptrdiff_t>(profile.size())) return none;
        const auto at = static_cast<std::size_t>(i);
        return counts.empty() || counts[at] != 0 ? profile[at] : none;
    };
    const auto n = static_cast<std::ptrdiff_t>(profile.size());
    double least = none;
    for (std::ptrdiff_t i = 0; i < n; ++i) least = std::min(least, value(i));
    if (!std::isfinite(least)) return -1;
    const double middle = options.middle >= 0 ? options.middle : static_cast<double>(n - 1) / 2;
    int best = -1;
    double best_score = -none, best_off = none;
    for (std::ptrdiff_t i = 0; i < n; ++i) {
        if (value(i) > options.near * least) continue;
        if (value(i - 1) < value(i) || value(i + 1) < value(i)) continue;
        const double score = second_derivative(profile, static_cast<std::size_t>(i), options);
        const double off = std::abs(static_cast<double>(i) - middle);
        const double margin = 1e-9 * std::max(std::abs(score), least);
        if (score > best_score + margin || (score >= best_score - margin && off < best_off)) {
            best = static_cast<int>(i);
            best_score = std::max(score, best_score);
            best_off = off;
        }
    }
    return best;
}

}  // namespace sinew::rig
