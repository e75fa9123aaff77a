// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "sinew/base/error.h"
#include "sinew/render/figures.h"

namespace sinew::render {
namespace {

// From values to positions along the sides of a plot.

/// An axis with final limits.
struct AxisRange {
    double low = 0;
    double high = 1;
    AxisScale scale = AxisScale::linear;

    /// True when the axis can show the value.
    bool holds(double value) const;
    /// 0 at low, 1 at high.
    double fraction(double value) const;
};

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

/// Extends limits that were not given to the next tick.
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

bool AxisRange::holds(double value) const {
    return std::isfinite(value) && (scale == AxisScale::linear || value > 0);
}

double AxisRange::fraction(double value) const {
    if (scale == AxisScale::linear) return (value - low) / (high - low);
    return std::log(value / low) / std::log(high / low);
}

/// Limits that contain the values of all series, for axis `side` (0 is x, 1 is y).
/// \throws Error when given limits are invalid.
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
        fail("plot", "the axis \"{}\" cannot range from {} to {}", axis.label, range.low, range.high);
    return range;
}
constexpr double label_size = 14, tick_size = 12, title_size = 17;
constexpr Pixel line_ink = {45, 45, 48, 255}, faint = {226, 228, 232, 255}, fainter = {242, 243, 245, 255};

/// Positions of the axes: pixels, y down.
struct Frame {
    AxisRange x, y;
    double left = 0, right = 0, top = 0, bottom = 0;

    bool holds(const Vec2d& point) const { return x.holds(point.x()) && y.holds(point.y()); }
    Vec2d position(const Vec2d& point) const {
        return {left + x.fraction(point.x()) * (right - left),
                bottom - y.fraction(point.y()) * (bottom - top)};
    }
};

double widest(const std::vector<Tick>& ticks) {
    double width = 0;
    for (const Tick& tick : ticks) width = std::max(width, text_width(tick.label) * tick_size);
    return width;
}

void add_ticks_x(Drawing& drawing, const Frame& frame, const std::vector<Tick>& ticks) {
    for (const Tick& tick : ticks) {
        const double x = frame.left + frame.x.fraction(tick.value) * (frame.right - frame.left);
        const Pixel color = tick.label.empty() ? fainter : faint;
        drawing.shapes.emplace_back(LineShape{{{x, frame.top}, {x, frame.bottom}}, color, 1, 0});
        if (tick.label.empty()) continue;
        drawing.shapes.emplace_back(LineShape{{{x, frame.bottom}, {x, frame.bottom + 5}}, line_ink, 1, 0});
        drawing.shapes.emplace_back(
            TextShape{{x, frame.bottom + 20}, tick.label, tick_size, line_ink, Align::middle, false, false});
    }
}

void add_ticks_y(Drawing& drawing, const Frame& frame, const std::vector<Tick>& ticks) {
    for (const Tick& tick : ticks) {
        const double y = frame.bottom - frame.y.fraction(tick.value) * (frame.bottom - frame.top);
        const Pixel color = tick.label.empty() ? fainter : faint;
        drawing.shapes.emplace_back(LineShape{{{frame.left, y}, {frame.right, y}}, color, 1, 0});
        if (tick.label.empty()) continue;
        drawing.shapes.emplace_back(LineShape{{{frame.left - 5, y}, {frame.left, y}}, line_ink, 1, 0});
        drawing.shapes.emplace_back(TextShape{{frame.left - 9, y + tick_size * cap_height / 2},
                                              tick.label,
                                              tick_size,
                                              line_ink,
                                              Align::end,
                                              false,
                                              false});
    }
}

/// The part of a segment within the axes (Liang and Barsky 1984); false when there is none.
bool clip(const Frame& frame, Vec2d& a, Vec2d& b) {
    const Vec2d along = b - a, start = a;
    double enter = 0, leave = 1;
    const auto cut = [&](double slope, double margin) {
        if (slope == 0) return margin >= 0;
        (slope < 0 ? enter : leave) =
            slope < 0 ? std::max(enter, margin / slope) : std::min(leave, margin / slope);
        return enter <= leave;
    };
    if (!cut(-along.x(), a.x() - frame.left) || !cut(along.x(), frame.right - a.x()) ||
        !cut(-along.y(), a.y() - frame.top) || !cut(along.y(), frame.bottom - a.y()))
        return false;
    a = start + enter * along;
    b = start + leave * along;
    return true;
}

/// A curve in pixels, clipped at the axes and interrupted where it cannot be shown.
std::vector<Polyline> visible(const Frame& frame, const std::vector<Vec2d>& points) {
    std::vector<Polyline> lines;
    bool joined = false;  // the last segment ended within the axes, where the next one starts
    for (std::size_t i = 0; i + 1 < points.size(); ++i) {
        if (!frame.holds(points[i]) || !frame.holds(points[i + 1])) {
            joined = false;
            continue;
        }
        Vec2d a = frame.position(points[i]), b = frame.position(points[i + 1]);
        const Vec2d end = b;
        if (!clip(frame, a, b)) {
            joined = false;
            continue;
        }
        if (!joined) lines.push_back({a});
        lines.back().push_back(b);
        joined = (b - end).norm() < 1e-9;
    }
    return lines;
}

Pixel color_of(const Series& series, std::size_t index) {
    return series.color.value_or(series_color(index));
}

bool has_line(SeriesStyle style) {
    return style != SeriesStyle::marks;
}
bool has_marks(SeriesStyle style) {
    return style == SeriesStyle::marks || style == SeriesStyle::marked_line;
}

void add_series(Drawing& drawing, const Frame& frame, const Series& series, const Pixel& color) {
    if (has_line(series.style)) {
        const double dash = series.style == SeriesStyle::dashed ? 7 : 0;
        for (Polyline& line : visible(frame, series.points))
            drawing.shapes.emplace_back(LineShape{std::move(line), color, 2, dash});
    }
    if (!has_marks(series.style)) return;
    for (const Vec2d& point : series.points) {
        if (!frame.holds(point)) continue;
        Vec2d position = frame.position(point), same = position;
        if (clip(frame, position, same)) drawing.shapes.emplace_back(DiscShape{position, 3.5, color});
    }
}

struct LegendBox {
    double width = 0, height = 0;
    Vec2d low = Vec2d::Zero();
};

/// Number of curve points that a box would cover; lines are sampled along their length.
int covered(const Frame& frame, const Plot& plot, const LegendBox& box) {
    const Vec2d margin(10, 8), high = box.low + Vec2d(box.width, box.height) + margin, low = box.low - margin;
    int count = 0;
    const auto test = [&](const Vec2d& p) {
        count += p.x() > low.x() && p.x() < high.x() && p.y() > low.y() && p.y() < high.y();
    };
    for (const Series& series : plot.series) {
        for (const Polyline& line : visible(frame, series.points))
            for (std::size_t i = 0; i + 1 < line.size(); ++i) {
                const int steps = 1 + static_cast<int>((line[i + 1] - line[i]).norm() / 8);
                for (int s = 0; s <= steps; ++s)
                    test(line[i] + (line[i + 1] - line[i]) * (static_cast<double>(s) / steps));
            }
        for (const Vec2d& point : series.points)
            if (has_marks(series.style) && frame.holds(point)) test(frame.position(point));
    }
    return count;
}

/// The corner, or middle of the upper or lower side, where a legend covers fewest curve points.
void layout_legend(LegendBox& box, const Frame& frame, const Plot& plot) {
    const double left = frame.left + 12, right = frame.right - 12 - box.width, middle = (left + right) / 2;
    const double top = frame.top + 12, bottom = frame.bottom - 12 - box.height;
    int best = std::numeric_limits<int>::max();
    LegendBox chosen = box;
    for (const Vec2d& low : {Vec2d(right, top), Vec2d(left, top), Vec2d(right, bottom), Vec2d(left, bottom),
                             Vec2d(middle, top), Vec2d(middle, bottom)}) {
        box.low = low;
        const int count = covered(frame, plot, box);
        if (count >= best) continue;
        best = count;
        chosen = box;
    }
    box = chosen;
}

void add_legend(Drawing& drawing, const Frame& frame, const Plot& plot) {
    constexpr double row = 20, sample = 28, padding = 9;
    constexpr double wider = 1.15;  // than the stroke font: fonts that may be used to show an SVG
    LegendBox box;
    std::size_t rows = 0;
    for (const Series& series : plot.series) {
        if (series.name.empty()) continue;
        ++rows;
        box.width = std::max(box.width, wider * text_width(series.name) * tick_size);
    }
    if (rows == 0) return;
    box.width += sample + 8 + 2 * padding;
    box.height = row * static_cast<double>(rows) + 2 * padding - 6;
    layout_legend(box, frame, plot);
    const Vec2d size(box.width, box.height);
    drawing.shapes.emplace_back(RectShape{box.low, box.low + size, faint});
    drawing.shapes.emplace_back(
        RectShape{box.low + Vec2d(1, 1), box.low + size - Vec2d(1, 1), {255, 255, 255, 255}});
    double y = box.low.y() + padding + 7;
    for (std::size_t i = 0; i < plot.series.size(); ++i) {
        const Series& series = plot.series[i];
        if (series.name.empty()) continue;
        const double x = box.low.x() + padding;
        const Pixel color = color_of(series, i);
        if (has_line(series.style))
            drawing.shapes.emplace_back(LineShape{
                {{x, y}, {x + sample, y}}, color, 2, series.style == SeriesStyle::dashed ? 7.0 : 0.0});
        if (has_marks(series.style)) drawing.shapes.emplace_back(DiscShape{{x + sample / 2, y}, 3.5, color});
        drawing.shapes.emplace_back(TextShape{{x + sample + 8, y + tick_size * cap_height / 2},
                                              series.name,
                                              tick_size,
                                              line_ink,
                                              Align::start,
                                              false,
                                              false});
        y += row;
    }
}

void add_labels(Drawing& drawing, const Frame& frame, const Plot& plot) {
    const double middle = (frame.left + frame.right) / 2;
    drawing.shapes.emplace_back(
        TextShape{{middle, frame.top - 16}, plot.title, title_size, line_ink, Align::middle, false, true});
    drawing.shapes.emplace_back(TextShape{
        {middle, drawing.height - 14}, plot.x.label, label_size, line_ink, Align::middle, false, false});
    drawing.shapes.emplace_back(TextShape{{22, (frame.top + frame.bottom) / 2},
                                          plot.y.label,
                                          label_size,
                                          line_ink,
                                          Align::middle,
                                          true,
                                          false});
}

}  // namespace

std::vector<Tick> axis_ticks(double low, double high, AxisScale scale, int wanted) {
    if (!(std::isfinite(low) && std::isfinite(high) && low < high) ||
        (scale == AxisScale::logarithmic && low <= 0))
        fail("plot", "an axis cannot range from {} to {}", low, high);
    return scale == AxisScale::linear ? linear_ticks(low, high, wanted) : decade_ticks(low, high, wanted);
}

Pixel series_color(std::size_t index) {
    constexpr std::array<std::uint32_t, 7> colors = {0x0072b2, 0xd55e00, 0x009e73, 0xcc79a7,
                                                     0xe69f00, 0x56b4e9, 0x404040};
    return pixel_from_hex(colors[index % colors.size()]);
}

Drawing layout(const Plot& plot, const PlotSize& size) {
    check_size(size.width, size.height);
    if (size.width < 160 || size.height < 120)
        fail("plot", "{} x {} pixels are too few for a plot: 160 x 120 at least", size.width, size.height);
    Drawing drawing;
    drawing.width = size.width;
    drawing.height = size.height;
    Frame frame{axis_range(plot, 0), axis_range(plot, 1)};
    const auto x_ticks = axis_ticks(frame.x.low, frame.x.high, frame.x.scale, std::max(2, size.width / 110));
    const auto y_ticks = axis_ticks(frame.y.low, frame.y.high, frame.y.scale, std::max(2, size.height / 70));
    frame.left = std::min(widest(y_ticks) + (plot.y.label.empty() ? 24 : 46), size.width / 2.0);
    frame.right = size.width - 28;
    frame.top = plot.title.empty() ? 18 : 46;
    frame.bottom = size.height - (plot.x.label.empty() ? 34 : 52);
    add_ticks_x(drawing, frame, x_ticks);
    add_ticks_y(drawing, frame, y_ticks);
    drawing.shapes.emplace_back(LineShape{
        {{frame.left, frame.top}, {frame.left, frame.bottom}, {frame.right, frame.bottom}}, line_ink, 1, 0});
    for (std::size_t i = 0; i < plot.series.size(); ++i)
        add_series(drawing, frame, plot.series[i], color_of(plot.series[i], i));
    add_legend(drawing, frame, plot);
    add_labels(drawing, frame, plot);
    return drawing;
}

Picture draw(const Plot& plot, const PlotSize& size) {
    return to_picture(layout(plot, size));
}

std::string svg(const Plot& plot, const PlotSize& size) {
    return to_svg(layout(plot, size));
}

void save_plot(const std::filesystem::path& path, const Plot& plot, const PlotSize& size) {
    const std::string kind = suffix(path);
    if (kind == "png") return save_png(path, draw(plot, size));
    if (kind != "svg") fail(path.string(), "a plot is a picture: use .png or .svg");
    write_file(path, svg(plot, size));
}

}  // namespace sinew::render
