#include "sinew/motion/clean.h"

#include <algorithm>
#include <cmath>

#include "sinew/base/error.h"
#include "sinew/math/types.h"

namespace sinew::motion {
namespace {

/// One pass in place, started as if the first value had always been there.
void run(std::vector<double>& values, const LowPass& f) {
    double x1 = values.front(), x2 = x1, y1 = x1, y2 = x1;
    for (double& value : values) {
        const double y = f.a * (value + 2 * x1 + x2) + f.b1 * y1 + f.b2 * y2;
        x2 = x1;
        x1 = value;
        y2 = y1;
        y1 = y;
        value = y;
    }
}

}  // namespace

LowPass zero_lag_butterworth(double cutoff, double rate) {
    if (!(cutoff > 0) || !(cutoff < rate / 2)) {
        fail("filter", "a cut-off of {} Hz needs a rate above {} frames a second, not {}", cutoff, 2 * cutoff,
             rate);
    }
    const double corner = std::tan(math::pi * cutoff / rate) / std::pow(std::sqrt(2.0) - 1, 0.25);
    const double k1 = std::sqrt(2.0) * corner, k2 = corner * corner;
    LowPass f;
    f.a = k2 / (1 + k1 + k2);
    f.b1 = 2 * f.a * (1 / k2 - 1);
    f.b2 = 1 - 4 * f.a - f.b1;
    return f;
}

std::vector<double> filtered(std::span<const double> values, const LowPass& filter) {
    const std::size_t n = values.size();
    if (n < 2) return {values.begin(), values.end()};
    // The slower the filter, the longer it remembers where it started.
    const double memory = 3 / std::sqrt(filter.a);
    const std::size_t pad = std::min(n - 1, static_cast<std::size_t>(std::min(memory, 1e6)) + 1);
    std::vector<double> padded(n + 2 * pad);
    for (std::size_t k = 1; k <= pad; ++k) {
        padded[pad - k] = 2 * values[0] - values[k];
        padded[pad + n - 1 + k] = 2 * values[n - 1] - values[n - 1 - k];
    }
    std::copy(values.begin(), values.end(), padded.begin() + static_cast<std::ptrdiff_t>(pad));
    for (int pass = 0; pass < 2; ++pass) {
        run(padded, filter);
        std::reverse(padded.begin(), padded.end());
    }
    const auto start = padded.begin() + static_cast<std::ptrdiff_t>(pad);
    return {start, start + static_cast<std::ptrdiff_t>(n)};
}

}  // namespace sinew::motion
