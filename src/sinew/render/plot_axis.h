#pragma once
/// \file
/// From numbers to places on the sides of a plot.

#include "sinew/render/plot.h"

namespace sinew::render {

/// An axis with its limits settled.
struct AxisRange {
    double low = 0;
    double high = 1;
    AxisScale scale = AxisScale::linear;

    /// True when the axis can show the value.
    bool holds(double value) const;
    /// 0 at low, 1 at high.
    double fraction(double value) const;
};

/// Limits that hold the numbers of all series: those of axis `side` (0 is x, 1 is y).
/// \throws Error when given limits make no sense.
AxisRange axis_range(const Plot& plot, int side);

}  // namespace sinew::render
