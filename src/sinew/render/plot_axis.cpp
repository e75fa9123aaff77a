#include "sinew/render/plot_axis.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "sinew/base/error.h"

namespace sinew::render {
namespace {

/// 1, 2 or 5 times a power of ten, such that `length` takes about `wanted` steps.
double round_step(double length, int wanted) {
    const double rough = length / std::max(wanted, 1), power = std::pow(10, std::floor(std::log10(rough)));
    const double leading = rough / power;
    return power * (leading < 1.5 ? 1 : leading < 3.5 ? 2 : leading < 7.5 ? 5 : 10);
}

std::vector<Tick> linear_ticks(double low, double high, int wanted) {
    const double step = round_step(high - low, wanted);
    std::vector<Tick> ticks;
    // Counted in whole steps, so that 0 is 0 and 0.3 is not 0.30000000000000004.
    const double slack = 1e-9, first = std::ceil(low / step - slack), last = std::floor(high / step + slack);
    const int decimals = std::max(0, -static_cast<int>(std::floor(std::log10(step) + 1e-9)));
    const bool plain = std::max(std::abs(low), std::abs(high)) < 1e6 && decimals <= 6;
    for (double k = first; k <= last; ++k) {
        const double value = k * step + 0.0;  // no "-0"
        ticks.push_back(
            {value, plain ? fmt::format("{:.{}f}", value, decimals) : fmt::format("{:.6g}", value)});
    }
    return ticks;
}

std::vector<Tick> decade_ticks(double low, double high, int wanted) {
    const int first = static_cast<int>(std::floor(std::log10(low) + 1e-9));
    const int last = static_cast<int>(std::ceil(std::log10(high) - 1e-9));
    const int stride = std::max(1, (last - first) / std::max(wanted, 1));
    std::vector<Tick> ticks;
    for (int decade = first; decade <= last; ++decade)
        for (int digit = 1; digit < (stride > 1 ? 2 : 10); ++digit) {
            const double value = digit * std::pow(10, decade);
            if (value < low * (1 - 1e-9) || value > high * (1 + 1e-9)) continue;
            const bool named = digit == 1 && (decade - first) % stride == 0;
            ticks.push_back({value, named ? fmt::format("{:g}", value) : std::string()});
        }
    return ticks;
}

/// Widens limits that were not given to the next tick.
void round_limits(AxisRange& range, const Axis& axis) {
    if (range.scale == AxisScale::logarithmic) {
        if (!axis.low) range.low = std::pow(10, std::floor(std::log10(range.low) + 1e-9));
        if (!axis.high) range.high = std::pow(10, std::ceil(std::log10(range.high) - 1e-9));
        if (range.low == range.high) range.high *= 10;
        return;
    }
    if (range.low == range.high) {
        const double margin = range.low == 0 ? 1 : std::abs(range.low) / 2;
        if (!axis.low) range.low -= margin;
        if (!axis.high) range.high += margin;
    }
    const double step = round_step(range.high - range.low, 6);
    if (!axis.low) range.low = step * std::floor(range.low / step + 1e-9);
    if (!axis.high) range.high = step * std::ceil(range.high / step - 1e-9);
}

}  // namespace

bool AxisRange::holds(double value) const {
    return std::isfinite(value) && (scale == AxisScale::linear || value > 0);
}

double AxisRange::fraction(double value) const {
    if (scale == AxisScale::linear) return (value - low) / (high - low);
    return std::log(value / low) / std::log(high / low);
}

std::vector<Tick> axis_ticks(double low, double high, AxisScale scale, int wanted) {
    if (!(std::isfinite(low) && std::isfinite(high) && low < high) ||
        (scale == AxisScale::logarithmic && low <= 0))
        fail("plot", "an axis cannot go from {} to {}", low, high);
    return scale == AxisScale::linear ? linear_ticks(low, high, wanted) : decade_ticks(low, high, wanted);
}

AxisRange axis_range(const Plot& plot, int side) {
    const Axis& axis = side == 0 ? plot.x : plot.y;
    AxisRange range{std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity(),
                    axis.scale};
    for (const Series& series : plot.series)
        for (const Vec2d& point : series.points)
            if (range.holds(point[side])) {
                range.low = std::min(range.low, point[side]);
                range.high = std::max(range.high, point[side]);
            }
    if (range.low > range.high) {
        range.low = axis.scale == AxisScale::linear ? 0.0 : 1.0;
        range.high = axis.scale == AxisScale::linear ? 1.0 : 10.0;
    }
    range.low = axis.low.value_or(range.low);
    range.high = axis.high.value_or(range.high);
    if (range.low <= range.high) round_limits(range, axis);
    if (!range.holds(range.low) || !range.holds(range.high) || range.low >= range.high)
        fail("plot", "the axis \"{}\" cannot go from {} to {}", axis.label, range.low, range.high);
    return range;
}

}  // namespace sinew::render
