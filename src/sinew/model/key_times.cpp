#include <cmath>

#include "sinew/model/clip.h"

namespace sinew::model {
namespace {

/// Evenly spaced within the rounding of single precision.
bool evenly_spaced(const std::vector<float>& times, double step) {
    const double tolerance =
        4 * 1.1920929e-7 * std::max({std::abs(times.front()), std::abs(times.back()), 1e-3f});
    for (std::size_t i = 0; i < times.size(); ++i) {
        // Written so that a time that is not a number is not even spacing.
        if (!(std::abs(times[i] - (times.front() + step * static_cast<double>(i))) <= tolerance))
            return false;
    }
    return tolerance < step / 4;
}

/// A step read from single precision is off by a few units in the last place; capture rates are round
/// numbers.
double snapped_step(double step) {
    for (const double scale : {1.0, 1000.0}) {
        const double rate = scale / step;
        const double nearest = std::round(rate);
        if (nearest >= 1 && std::abs(rate - nearest) < 1e-5 * nearest) return scale / nearest;
    }
    return step;
}

}  // namespace

KeyTimes KeyTimes::even(double start, double step, std::size_t count) {
    KeyTimes times;
    times.start_ = start;
    times.step_ = step;
    times.count_ = count;
    return times;
}

KeyTimes KeyTimes::listed(std::vector<float> times) {
    KeyTimes result;
    if (times.size() == 1) return even(times[0], 0, 1);
    if (times.size() > 2) {
        const double measured =
            (static_cast<double>(times.back()) - times.front()) / static_cast<double>(times.size() - 1);
        for (const double step : {snapped_step(measured), measured}) {
            if (evenly_spaced(times, step)) return even(times.front(), step, times.size());
        }
    }
    result.count_ = times.size();
    result.times_ = std::move(times);
    return result;
}

KeyTimes::Span KeyTimes::span(double time) const {
    if (count_ < 2 || !(time > front())) return {0, 0};  // not a number counts as before
    if (time >= back()) return {count_ - 2, 1};
    std::size_t index = 0;
    if (is_even()) {
        index = std::min(static_cast<std::size_t>((time - start_) / step_), count_ - 2);
    } else {
        const auto after = std::upper_bound(times_.begin(), times_.end(), time,
                                            [](double t, float key) { return t < static_cast<double>(key); });
        index = static_cast<std::size_t>(after - times_.begin()) - 1;
    }
    const double from = (*this)[index], to = (*this)[index + 1];
    return {index, std::clamp((time - from) / (to - from), 0.0, 1.0)};
}

}  // namespace sinew::model
