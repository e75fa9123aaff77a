#pragma once
/// \file
/// Curves on axes: one description becomes a picture or SVG.

#include <optional>
#include <string>
#include <vector>

#include "sinew/render/drawing.h"

namespace sinew::render {

enum class AxisScale { linear, logarithmic };

/// One side of a plot. Limits that are not given go around the data, to the next tick.
struct Axis {
    std::string label;
    AxisScale scale = AxisScale::linear;
    std::optional<double> low;
    std::optional<double> high;
};

enum class SeriesStyle { line, dashed, marks, marked_line };

/// One curve. It is broken where a number is not finite, or not above 0 on a logarithmic axis.
struct Series {
    std::string name;  ///< in the legend; without one it is left out of it
    std::vector<Vec2d> points;
    SeriesStyle style = SeriesStyle::line;
    std::optional<Pixel> color;  ///< otherwise the next of `series_color`
};

struct Plot {
    std::string title;
    Axis x;
    Axis y;
    std::vector<Series> series;
};

struct PlotSize {
    int width = 800;
    int height = 500;
};

/// Colours that stay apart for colour-blind readers too (Okabe and Ito 2008), from the start again after 7.
Pixel series_color(std::size_t index);

/// A place on an axis.
struct Tick {
    double value = 0;
    std::string label;  ///< empty for the small ticks between decades
};
/// Round values from low to high, about `wanted` of them: multiples of 1, 2 or 5 of a power of ten, or the
/// decades of a logarithmic axis. \throws Error when the range is empty, not finite, or not above 0 for
/// logarithms.
std::vector<Tick> axis_ticks(double low, double high, AxisScale scale, int wanted = 6);

/// \throws Error when a limit makes no sense or the picture is too small to hold a plot (160 x 120).
Drawing layout(const Plot& plot, const PlotSize& size = {});
Picture draw(const Plot& plot, const PlotSize& size = {});
std::string svg(const Plot& plot, const PlotSize& size = {});

/// Writes .png or .svg, by the suffix. \throws Error for another.
void save_plot(const std::filesystem::path& path, const Plot& plot, const PlotSize& size = {});

}  // namespace sinew::render
