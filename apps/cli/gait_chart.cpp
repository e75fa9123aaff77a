#include "gait_chart.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace sinew::cli {
namespace {

using model::Side;
using gait::CycleCurve;
using gait::GaitAnalysis;
using gait::GaitAngle;

constexpr double width = 360, height = 230, left = 40, right = 10, top = 26, bottom = 30;

struct Scale {
    double low = -10;
    double high = 10;
    double x(double percent) const { return left + (width - left - right) * percent / 100; }
    double y(double value) const { return top + (height - top - bottom) * (high - value) / (high - low); }
};

double step_for(double range) {
    for (const double step : {5.0, 10.0, 20.0, 30.0, 60.0})
        if (range / step <= 6) return step;
    return 90;
}

void include(Scale& scale, bool& any, const std::vector<double>& mean, const std::vector<double>& deviation) {
    for (std::size_t i = 0; i < mean.size(); ++i) {
        const double spread = i < deviation.size() ? deviation[i] : 0;
        scale.low = any ? std::min(scale.low, mean[i] - spread) : mean[i] - spread;
        scale.high = any ? std::max(scale.high, mean[i] + spread) : mean[i] + spread;
        any = true;
    }
}

Scale scale_for(const GaitAnalysis& analysis, GaitAngle angle, const NormalCurve& normal) {
    Scale scale;
    bool any = false;
    for (const Side side : {Side::left, Side::right}) {
        const CycleCurve& curve = analysis.curve(side, angle);
        include(scale, any, curve.mean, curve.deviation);
    }
    include(scale, any, normal.mean, normal.deviation);
    if (scale.high - scale.low < 20) {
        const double middle = (scale.high + scale.low) / 2;
        scale.low = middle - 10, scale.high = middle + 10;
    }
    const double step = step_for(scale.high - scale.low);
    scale.low = step * std::floor(scale.low / step);
    scale.high = step * std::ceil(scale.high / step);
    return scale;
}

std::string points(const Scale& scale, const std::vector<double>& values) {
    std::string text;
    for (std::size_t i = 0; i < values.size(); ++i) {
        const double percent = 100.0 * static_cast<double>(i) / static_cast<double>(values.size() - 1);
        text += fmt::format("{}{:.1f},{:.1f}", i > 0 ? " " : "", scale.x(percent), scale.y(values[i]));
    }
    return text;
}

/// There along mean + deviation, back along mean - deviation.
std::string band(const Scale& scale, const std::vector<double>& mean, const std::vector<double>& deviation,
                 const char* kind) {
    std::vector<double> upper, lower;
    for (std::size_t i = 0; i < mean.size(); ++i) {
        upper.push_back(mean[i] + deviation[i]);
        lower.push_back(mean[i] - deviation[i]);
    }
    std::string text = points(scale, upper);
    std::string back;
    for (std::size_t i = lower.size(); i-- > 0;) {
        const double percent = 100.0 * static_cast<double>(i) / static_cast<double>(lower.size() - 1);
        back += fmt::format(" {:.1f},{:.1f}", scale.x(percent), scale.y(lower[i]));
    }
    return fmt::format("<polygon class=\"band {}\" points=\"{}{}\"/>", kind, text, back);
}

std::string axes(const Scale& scale, const gait::AngleInfo& info) {
    std::string text;
    const double step = step_for(scale.high - scale.low);
    for (double value = scale.low; value <= scale.high + 1e-9; value += step) {
        text +=
            fmt::format("<line class=\"{}\" x1=\"{:.1f}\" x2=\"{:.1f}\" y1=\"{:.1f}\" y2=\"{:.1f}\"/>",
                        value == 0 ? "zero" : "grid", left, width - right, scale.y(value), scale.y(value));
        text += fmt::format("<text class=\"tick\" x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"end\">{:g}°</text>",
                            left - 4, scale.y(value) + 3.5, value);
    }
    for (int percent = 0; percent <= 100; percent += 20)
        text += fmt::format("<text class=\"tick\" x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{}</text>",
                            scale.x(percent), height - bottom + 14, percent);
    text += fmt::format("<text class=\"head\" x=\"{}\" y=\"15\">{} <tspan class=\"plane\">{}</tspan></text>",
                        left, info.title, info.plane);
    text += fmt::format("<text class=\"sign\" x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"end\">{} ↑</text>",
                        width - right, top + 9.0, info.positive);
    text += fmt::format("<text class=\"sign\" x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"end\">{} ↓</text>",
                        width - right, height - bottom - 4, info.negative);
    return text;
}

}  // namespace

std::string angle_chart(const GaitAnalysis& analysis, GaitAngle angle, const NormalBand& band_of) {
    const NormalCurve& normal = band_of.curves[static_cast<std::size_t>(angle)];
    const Scale scale = scale_for(analysis, angle, normal);
    std::string svg = fmt::format(
        "<svg class=\"chart\" viewBox=\"0 0 {} {}\" data-low=\"{:g}\" data-high=\"{:g}\" role=\"img\" "
        "aria-label=\"{}\">",
        width, height, scale.low, scale.high, gait::info(angle).title);
    svg += axes(scale, gait::info(angle));
    if (!normal.empty() && !normal.deviation.empty())
        svg += band(scale, normal.mean, normal.deviation, "normal");
    if (!normal.empty() && normal.deviation.empty())
        svg += fmt::format("<polyline class=\"normal\" points=\"{}\"/>", points(scale, normal.mean));
    bool any = false;
    for (const Side side : {Side::left, Side::right}) {
        const CycleCurve& curve = analysis.curve(side, angle);
        if (curve.empty()) continue;
        any = true;
        const char* const kind = side == Side::left ? "left" : "right";
        const bool spread = std::ranges::any_of(curve.deviation, [](double each) { return each > 0; });
        if (spread) svg += band(scale, curve.mean, curve.deviation, kind);
        std::string numbers;
        for (const double each : curve.mean)
            numbers += fmt::format("{}{:.1f}", numbers.empty() ? "" : ",", each);
        svg += fmt::format("<polyline class=\"curve {}\" data-side=\"{}\" data-values=\"{}\" points=\"{}\"/>",
                           kind, kind, numbers, points(scale, curve.mean));
        const double off = analysis.phases[side == Side::left ? 0 : 1][4];
        svg += fmt::format("<line class=\"off {}\" x1=\"{:.1f}\" x2=\"{:.1f}\" y1=\"{}\" y2=\"{}\"/>", kind,
                           scale.x(off), scale.x(off), top, height - bottom);
    }
    if (!any)
        svg +=
            fmt::format("<text class=\"none\" x=\"{}\" y=\"{}\" text-anchor=\"middle\">not measured</text>",
                        (width + left) / 2, height / 2);
    svg += fmt::format(
        "<line class=\"cursor\" x1=\"-9\" x2=\"-9\" y1=\"{}\" y2=\"{}\"/><text class=\"read\" x=\"{}\" "
        "y=\"{}\"></text></svg>",
        top, height - bottom, left + 4, height - bottom - 4);
    return svg;
}

std::string phase_bar(const GaitAnalysis& analysis) {
    constexpr double w = 900, row = 34, label = 60;
    std::string svg =
        fmt::format("<svg class=\"phases\" viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"gait phases\">", w,
                    2 * row + 24);
    for (const Side side : {Side::left, Side::right}) {
        const std::size_t s = side == Side::left ? 0 : 1;
        const double y = static_cast<double>(s) * row;
        svg += fmt::format("<text class=\"head\" x=\"0\" y=\"{:.1f}\">{}</text>", y + 20,
                           side == Side::left ? "Left" : "Right");
        for (std::size_t p = 0; p < gait::phase_count; ++p) {
            const double from = label + (w - label) * analysis.phases[s][p] / 100;
            const double to = label + (w - label) * analysis.phases[s][p + 1] / 100;
            const auto phase = static_cast<gait::GaitPhase>(p);
            svg += fmt::format(
                "<g><title>{}: {:.1f} to {:.1f} %</title><rect class=\"phase {} {}{}\" x=\"{:.1f}\" "
                "y=\"{:.1f}\" "
                "width=\"{:.1f}\" height=\"{:.1f}\"/>",
                motion::long_name(phase), analysis.phases[s][p], analysis.phases[s][p + 1],
                side == Side::left ? "left" : "right", p < 4 ? "stance" : "swing",
                p == 0 || p == 3 ? " double" : "", from, y + 2, std::max(0.0, to - from - 1), row - 6);
            svg += fmt::format(
                "<text class=\"phase\" x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{}</text></g>",
                (from + to) / 2, y + 20, motion::short_name(phase));
        }
    }
    for (int percent = 0; percent <= 100; percent += 10) {
        const char* const anchor = percent == 0 ? "start" : percent == 100 ? "end" : "middle";
        svg += fmt::format("<text class=\"tick\" x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\">{}{}</text>",
                           label + (w - label) * percent / 100, 2 * row + 14, anchor, percent,
                           percent == 100 ? " %" : "");
    }
    return svg + "</svg>";
}

}  // namespace sinew::cli
