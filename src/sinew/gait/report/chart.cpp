// SPDX-License-Identifier: MIT
#include "sinew/gait/report/chart.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "sinew/base/text.h"

namespace sinew::gait {

using model::Side;

const std::string_view chart_style = R"(
svg{--ink:#1d2733;--soft:#5b6875;--line:#dde3e8;--left:#c2410c;--right:#0b66a8;--norm:#8a97a3}
svg text{font:11px system-ui,sans-serif;fill:var(--soft)}svg .head{font-size:13px;font-weight:600;fill:var(--ink)}svg .plane{font-weight:400;fill:var(--soft)}
svg .sign,svg .tick{font-size:10px}line.grid{stroke:var(--line)}line.zero{stroke:#9aa6b1}.curve,.each,.raw{fill:none}.curve{stroke-width:2}
.curve.left,.each.left,.off.left,.force.left{stroke:var(--left)}.curve.right,.each.right,.off.right,.force.right{stroke:var(--right)}.curve.before{stroke-dasharray:6 3;stroke-width:1.3}
.each{stroke-width:.7;opacity:.45}.each.outlier{stroke-dasharray:3 2;opacity:.9}.band.left{fill:var(--left);opacity:.16}.band.right{fill:var(--right);opacity:.16}.band.normal{fill:var(--norm);opacity:.3}
polyline.normal{fill:none;stroke:var(--norm);stroke-width:1.5;stroke-dasharray:5 4}.off{stroke-dasharray:2 3;opacity:.7}.raw{stroke:var(--norm);stroke-width:.6}.envelope{stroke:var(--ink)}.force{stroke-width:.8;opacity:.7}
.cursor{stroke:var(--ink)}svg text.read{font-weight:600;fill:var(--ink)}rect.left{fill:var(--left)}rect.right{fill:var(--right)}
svg text.doubt{fill:#b91c1c;font-weight:600}.curve.doubt{stroke-dasharray:1 4;stroke-linecap:round}
rect.stance{opacity:.62}rect.stance.double{opacity:.9}rect.swing{opacity:.25}rect.unknown{opacity:.12;stroke:var(--soft);stroke-dasharray:4 3}svg text.phase{fill:var(--ink);font-weight:600}
)";

namespace {

constexpr double width = chart_width, height = chart_height, left = 40, right = 10, top = 26, bottom = 30;

struct Scale {
    double low = 0, high = 0;
    double first = 0, last = 100;  ///< percent, or seconds
    bool any = false;

    double x(double at) const { return left + (width - left - right) * (at - first) / (last - first); }
    double y(double value) const { return top + (height - top - bottom) * (high - value) / (high - low); }
    void include(double value) {
        if (!std::isfinite(value)) return;
        low = any ? std::min(low, value) : value;
        high = any ? std::max(high, value) : value;
        any = true;
    }
    void include(const std::vector<double>& mean, const std::vector<double>& deviation) {
        for (std::size_t i = 0; i < mean.size(); ++i) {
            const double spread = i < deviation.size() ? deviation[i] : 0;
            include(mean[i] - spread), include(mean[i] + spread);
        }
    }
    /// Rounds the range to whole steps, with at least the given size.
    void finish(double smallest) {
        if (high - low < smallest) {
            const double middle = (high + low) / 2;
            low = middle - smallest / 2, high = middle + smallest / 2;
        }
        // Rounding may need a larger step; 2 % of a step outside the frame is less than a line width.
        for (double each = 0; each != step();) {
            each = step();
            low = each * std::floor(low / each + 0.02), high = each * std::ceil(high / each - 0.02);
        }
    }
    double step() const { return step_of(high - low); }
    static double step_of(double range) {
        const double power = std::pow(10, std::floor(std::log10(range)) - 1);
        for (const double each : {1.0, 2.0, 5.0, 10.0, 20.0, 50.0})
            if (range / (each * power) <= 6.5) return each * power;
        return 100 * power;
    }
};

const char* side_word(Side side) {
    return side == Side::left ? "left" : "right";
}

/// Points of a trace; a gap begins a new line.
std::vector<std::string> lines(const Scale& scale, const std::vector<double>& values) {
    std::vector<std::string> all(1);
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (!std::isfinite(values[i])) {
            if (!all.back().empty()) all.emplace_back();
            continue;
        }
        const double at = scale.first + (scale.last - scale.first) * static_cast<double>(i) /
                                            static_cast<double>(values.size() - 1);
        all.back() +=
            fmt::format("{}{:.1f},{:.1f}", all.back().empty() ? "" : " ", scale.x(at), scale.y(values[i]));
    }
    if (all.back().empty()) all.pop_back();
    return all;
}

std::string points(const Scale& scale, const std::vector<double>& values) {
    const std::vector<std::string> all = lines(scale, values);
    return all.empty() ? std::string() : all.front();
}

/// Forwards along mean + deviation, back along mean - deviation.
std::string band(const Scale& scale, const std::vector<double>& mean, const std::vector<double>& deviation,
                 const std::string& kind) {
    std::vector<double> upper;
    std::string back;
    for (std::size_t i = 0; i < mean.size(); ++i) upper.push_back(mean[i] + deviation[i]);
    for (std::size_t i = mean.size(); i-- > 0;) {
        const double percent = 100.0 * static_cast<double>(i) / static_cast<double>(mean.size() - 1);
        back += fmt::format(" {:.1f},{:.1f}", scale.x(percent), scale.y(mean[i] - deviation[i]));
    }
    return fmt::format("<polygon class=\"band {}\" points=\"{}{}\"/>", kind, points(scale, upper), back);
}

std::string axes(const Scale& scale, std::string_view unit, std::string_view across) {
    std::string text;
    for (double value = scale.low; value <= scale.high + 1e-9; value += scale.step()) {
        const double shown = std::abs(value) < 1e-9 ? 0 : value;
        text +=
            fmt::format("<line class=\"{}\" x1=\"{:.1f}\" x2=\"{:.1f}\" y1=\"{:.1f}\" y2=\"{:.1f}\"/>",
                        shown == 0 ? "zero" : "grid", left, width - right, scale.y(value), scale.y(value));
        text +=
            fmt::format("<text class=\"tick\" x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"end\">{:.3g}{}</text>",
                        left - 4, scale.y(value) + 3.5, shown, unit == "°" ? "°" : "");
    }
    const double step = Scale::step_of(scale.last - scale.first);
    for (double at = scale.first; at <= scale.last + 1e-9; at += step) {
        const bool last = at + step > scale.last + 1e-9;
        const bool edge = last && scale.x(at) > width - 2 * right;
        text +=
            fmt::format("<text class=\"tick\" x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\">{:.3g}{}</text>",
                        edge ? width - 2 : scale.x(at), height - bottom + 14, edge ? "end" : "middle", at,
                        last ? fmt::format(" {}", across) : "");
    }
    return text;
}

std::string heading(const std::string& title, std::string_view plane, std::string_view positive,
                    std::string_view negative) {
    std::string text =
        fmt::format("<text class=\"head\" x=\"{}\" y=\"15\">{} <tspan class=\"plane\">{}</tspan></text>",
                    left, title, plane);
    if (!positive.empty())
        text += fmt::format("<text class=\"sign\" x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"end\">{} ↑</text>",
                            width - right, top + 9.0, positive);
    if (!negative.empty())
        text += fmt::format("<text class=\"sign\" x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"end\">{} ↓</text>",
                            width - right, height - bottom - 4, negative);
    return text;
}

std::string open_chart(const Scale& scale, std::string_view title, std::string_view kind) {
    return fmt::format(
        "<svg class=\"chart {}\" viewBox=\"0 0 {} {}\" data-low=\"{:g}\" data-high=\"{:g}\" role=\"img\" "
        "aria-label=\"{}\">",
        kind, width, height, scale.low, scale.high, title);
}

std::string numbers(const std::vector<double>& values, int digits) {
    std::string text;
    for (const double each : values) text += fmt::format("{}{:.{}f}", text.empty() ? "" : ",", each, digits);
    return text;
}

const std::string& doubt_of(const GaitAnalysis& a, Side side, GaitCurve curve) {
    return a.doubts[side == Side::left ? 0 : 1][static_cast<std::size_t>(curve)];
}

/// Lists which sides cannot be relied on, with the reasons as tooltips.
std::string doubt_text(const GaitAnalysis& a, GaitCurve curve) {
    std::string sides, reasons;
    for (const Side side : {Side::left, Side::right}) {
        if (doubt_of(a, side, curve).empty()) continue;
        sides += fmt::format("{}{}", sides.empty() ? "" : ", ", side_word(side));
        reasons +=
            fmt::format("{}{}: {}", reasons.empty() ? "" : "; ", side_word(side), doubt_of(a, side, curve));
    }
    if (sides.empty()) return {};
    return fmt::format(
        "<text class=\"doubt\" x=\"{}\" y=\"{}\">⚠ {}: do not rely on it<title>{}</title></text>", left + 4,
        top + 9.0, sides, markup_text(reasons));
}

/// Mean, standard deviation and single cycles of one side.
std::string side_curves(const Scale& scale, const GaitAnalysis& a, const CycleCurve& curve, Side side,
                        int digits, bool doubt) {
    std::string svg;
    if (std::ranges::any_of(curve.deviation, [](double each) { return each > 0; }))
        svg += band(scale, curve.mean, curve.deviation, side_word(side));
    for (std::size_t i = 0; curve.each.size() > 1 && i < curve.each.size(); ++i) {
        const std::size_t cycle = i < curve.cycles.size() ? curve.cycles[i] : i;
        const bool outlier = cycle < a.cycles.size() && a.cycles[cycle].outlier;
        svg += fmt::format(
            "<polyline class=\"each {}{}\" data-side=\"{}\" data-cycle=\"{}\" data-values=\"{}\" "
            "points=\"{}\"/>",
            side_word(side), outlier ? " outlier" : "", side_word(side), cycle,
            numbers(curve.each[i], digits), points(scale, curve.each[i]));
    }
    return svg +
           fmt::format("<polyline class=\"curve {}{}\" data-side=\"{}\" data-values=\"{}\" points=\"{}\"/>",
                       side_word(side), doubt ? " doubt" : "", side_word(side), numbers(curve.mean, digits),
                       points(scale, curve.mean));
}

std::string foot_off(const Scale& scale, const GaitAnalysis& a, Side side) {
    const std::optional<PhaseBoundaries>& phases = a.phases[side == Side::left ? 0 : 1];
    if (!phases || !std::isfinite((*phases)[4])) return {};
    const double off = (*phases)[4];
    return fmt::format("<line class=\"off {}\" x1=\"{:.1f}\" x2=\"{:.1f}\" y1=\"{}\" y2=\"{}\"/>",
                       side_word(side), scale.x(off), scale.x(off), top, height - bottom);
}

constexpr double smallest_range(std::string_view unit) {
    return unit == "°" ? 20 : 1;
}

/// The trace of a trial without cycles, with the available events.
std::string time_chart(const GaitAnalysis& a, GaitCurve curve) {
    const CurveInfo& what = info(curve);
    Scale scale;
    scale.last = std::max(1e-3, static_cast<double>(a.frames - 1) / a.rate);
    for (const Side side : {Side::left, Side::right}) scale.include(a.traces.of(side, curve), {});
    scale.finish(smallest_range(what.unit));
    std::string svg = open_chart(scale, what.title, "over-time") + axes(scale, what.unit, "s") +
                      heading(std::string(what.title), "over time", what.positive, what.negative);
    for (const Side side : {Side::left, Side::right}) {
        for (const std::string& line : lines(scale, a.traces.of(side, curve)))
            svg += fmt::format("<polyline class=\"curve {}{}\" points=\"{}\"/>", side_word(side),
                               doubt_of(a, side, curve).empty() ? "" : " doubt", line);
        for (const GaitEvent& event : a.events.events)
            if (event.side == side)
                svg += fmt::format("<line class=\"off {}\" x1=\"{:.1f}\" x2=\"{:.1f}\" y1=\"{}\" y2=\"{}\"/>",
                                   side_word(side), scale.x(event.time), scale.x(event.time), top,
                                   height - bottom);
    }
    return svg + doubt_text(a, curve) + "</svg>";
}

}  // namespace

bool has_curve(const GaitAnalysis& a, GaitCurve curve) {
    return std::ranges::any_of(std::array{Side::left, Side::right}, [&](Side side) {
        return !a.curve(side, curve).empty() || !a.traces.of(side, curve).empty();
    });
}

std::string curve_chart(const GaitPage& page, const GaitAnalysis& a, GaitCurve curve) {
    const CurveInfo& what = info(curve);
    const bool cycles = !a.curve(Side::left, curve).empty() || !a.curve(Side::right, curve).empty();
    const bool no_cycle = std::ranges::none_of(a.phases, [](const auto& p) { return p.has_value(); });
    if (!cycles && no_cycle && a.trials == 1 && has_curve(a, curve)) return time_chart(a, curve);
    const NormalCurve& normal = page.normal.curves[static_cast<std::size_t>(curve)];
    Scale scale;
    for (const GaitAnalysis* const each : {&a, page.compared})
        for (const Side side : {Side::left, Side::right})
            if (each != nullptr)
                scale.include(each->curve(side, curve).mean, each->curve(side, curve).deviation);
    scale.include(normal.mean, normal.deviation);
    scale.finish(smallest_range(what.unit));
    const std::string plane =
        what.unit == "°" ? std::string(what.plane) : fmt::format("{} {}", what.plane, what.unit);
    std::string svg = open_chart(scale, what.title, "cycle") + axes(scale, what.unit, "%") +
                      heading(std::string(what.title), plane, what.positive, what.negative);
    if (!normal.empty() && !normal.deviation.empty())
        svg += band(scale, normal.mean, normal.deviation, "normal");
    if (!normal.empty() && normal.deviation.empty())
        svg += fmt::format("<polyline class=\"normal\" points=\"{}\"/>", points(scale, normal.mean));
    for (const Side side : {Side::left, Side::right}) {
        const int digits = what.unit == "°" ? 1 : 3;
        const CycleCurve& own = a.curve(side, curve);
        if (!own.empty())
            svg += side_curves(scale, a, own, side, digits, !doubt_of(a, side, curve).empty()) +
                   foot_off(scale, a, side);
        if (page.compared != nullptr && !page.compared->curve(side, curve).empty())
            svg += fmt::format("<polyline class=\"curve before {}\" points=\"{}\"/>", side_word(side),
                               points(scale, page.compared->curve(side, curve).mean));
    }
    if (!cycles) {
        const std::string why = has_curve(a, curve) ? "no complete cycle with this curve" : "not measured";
        svg += fmt::format("<text class=\"none\" x=\"{}\" y=\"{}\" text-anchor=\"middle\">{}</text>",
                           (width + left) / 2, height / 2, why);
    }
    return svg + doubt_text(a, curve) +
           fmt::format(
               "<line class=\"cursor\" x1=\"-9\" x2=\"-9\" y1=\"{}\" y2=\"{}\"/><text "
               "class=\"read\" x=\"{}\" y=\"{}\"></text></svg>",
               top, height - bottom, left + 4, height - bottom - 4);
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
        const std::optional<PhaseBoundaries>& phases = analysis.phases[s];
        if (!phases)
            svg += fmt::format("<text class=\"none\" x=\"{}\" y=\"{:.1f}\">no complete cycle: {}</text>",
                               label, y + 20, why_no_cycle(analysis, side));
        for (const auto& [first, last] : phases ? measured_spans(*phases) : std::vector<PhaseSpan>{}) {
            const double from = label + (w - label) * (*phases)[first] / 100;
            const double to = label + (w - label) * (*phases)[last] / 100;
            const auto phase = static_cast<GaitPhase>(first);
            const bool known = last == first + 1;
            svg += fmt::format(
                "<g><title>{}: {:.1f} to {:.1f} %</title><rect class=\"phase {} {}\" x=\"{:.1f}\" "
                "y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\"/>",
                known ? long_name(phase) : "phases not measured: events are missing", (*phases)[first],
                (*phases)[last], side_word(side),
                !known                     ? "unknown"
                : first == 0 || first == 3 ? "stance double"
                : first < 4                ? "stance"
                                           : "swing",
                from, y + 2, std::max(0.0, to - from - 1), row - 6);
            // Names that would overlap are only in the tooltip.
            if (to - from > (known ? 30 : 75))
                svg += fmt::format(
                    "<text class=\"{}\" x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{}</text>",
                    known ? "phase" : "none", (from + to) / 2, y + 20,
                    known ? short_name(phase) : "not measured");
            svg += "</g>";
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

std::string emg_chart(const GaitAnalysis& a, const EmgChannel& channel, bool rectified) {
    // Limits the points to what an image can show: the minimum and maximum of the samples in each of 700
    // columns.
    constexpr std::size_t columns = 700;
    const std::vector<double>& samples = rectified ? channel.rectified : channel.raw;
    std::vector<double> drawn, envelope;
    double level = 0;
    for (const double value : channel.raw) level += value / static_cast<double>(channel.raw.size());
    const std::size_t count = samples.size(), step = std::max<std::size_t>(1, count / columns);
    for (std::size_t s = 0; s < count; s += step) {
        const auto [low, high] =
            std::ranges::minmax(std::span(samples).subspan(s, std::min(step, count - s)));
        drawn.push_back(rectified ? low : low - level), drawn.push_back(rectified ? high : high - level);
        envelope.push_back(channel.envelope[s]);
    }
    Scale scale;
    scale.last = static_cast<double>(count) / channel.rate;
    scale.include(drawn, {});
    scale.finish(1e-9);
    const std::string title = markup_text(channel.label);
    std::string svg =
        open_chart(scale, title, "emg") + axes(scale, "", "s") +
        heading(title, (rectified ? "rectified and envelope, " : "raw, ") + markup_text(channel.unit), "",
                "");
    svg += fmt::format("<polyline class=\"raw\" points=\"{}\"/>", points(scale, drawn));
    if (rectified)
        svg += fmt::format("<polyline class=\"curve envelope\" points=\"{}\"/>", points(scale, envelope));
    for (const GaitEvent& event : a.events.events)
        if (event.kind == GaitEventKind::strike)
            svg += fmt::format("<line class=\"off {}\" x1=\"{:.1f}\" x2=\"{:.1f}\" y1=\"{}\" y2=\"{}\"/>",
                               side_word(event.side), scale.x(event.time), scale.x(event.time), top,
                               height - bottom);
    return svg + "</svg>";
}

std::string emg_cycle_chart(const GaitAnalysis& a, const EmgCurve& muscle) {
    Scale scale;
    for (const CycleCurve& side : muscle.sides) scale.include(side.mean, side.deviation);
    if (!scale.any) return {};
    scale.include(0);
    scale.finish(1e-9);
    const std::string title = markup_text(muscle.label);
    std::string svg = open_chart(scale, title, "emg-cycle") + axes(scale, "", "%") +
                      heading(title, "envelope over the cycle", "", "");
    for (const Side side : {Side::left, Side::right}) {
        const CycleCurve& curve = muscle.sides[side == Side::left ? 0 : 1];
        if (curve.empty()) continue;
        if (curve.each.size() > 1) svg += band(scale, curve.mean, curve.deviation, side_word(side));
        svg += fmt::format("<polyline class=\"curve {}\" points=\"{}\"/>", side_word(side),
                           points(scale, curve.mean)) +
               foot_off(scale, a, side);
    }
    return svg + "</svg>";
}

std::string force_chart(const GaitAnalysis& a, const PlateHit& hit) {
    const std::vector<GroundReaction>& foot = a.ground.feet[hit.side == Side::left ? 0 : 1];
    const auto first = static_cast<std::size_t>(hit.start * a.rate),
               last = std::min(foot.size(), static_cast<std::size_t>(hit.end * a.rate) + 1);
    constexpr double metres = 0.001;  // length of the drawn arrow per newton
    double low = 1e9, high = -1e9, tall = 0;
    for (std::size_t f = first; f < last; ++f) {
        if (!(foot[f].force.y() > 0)) continue;
        const double x = a.motion.forward.dot(foot[f].center),
                     tip = x + metres * a.motion.forward.dot(foot[f].force);
        low = std::min({low, x, tip}), high = std::max({high, x, tip});
        tall = std::max(tall, metres * foot[f].force.y());
    }
    if (!(tall > 0)) return {};
    const double scale = std::min((width - left - right) / (high - low), (height - top - bottom) / tall);
    const double middle = (left + width - right) / 2;
    const auto x = [&](double at) { return middle + scale * (at - (low + high) / 2); };
    std::string svg = fmt::format("<svg class=\"chart forces\" viewBox=\"0 0 {} {}\">", width, height) +
                      heading(fmt::format("{} foot, platform {}", hit.side == Side::left ? "Left" : "Right",
                                          hit.platform + 1),
                              fmt::format("{:.2f} to {:.2f} s", hit.start, hit.end),
                              fmt::format("largest {:.0f} N", tall / metres), "");
    const auto step = std::max<std::size_t>(1, static_cast<std::size_t>(std::lround(a.rate / 100)));
    for (std::size_t f = first; f < last; f += step) {
        if (!(foot[f].force.y() > 0)) continue;
        const double from = a.motion.forward.dot(foot[f].center);
        svg += fmt::format("<line class=\"force {}\" x1=\"{:.1f}\" y1=\"{}\" x2=\"{:.1f}\" y2=\"{:.1f}\"/>",
                           side_word(hit.side), x(from), height - bottom,
                           x(from + metres * a.motion.forward.dot(foot[f].force)),
                           height - bottom - scale * metres * foot[f].force.y());
    }
    return svg + fmt::format("<line class=\"zero\" x1=\"{}\" x2=\"{}\" y1=\"{}\" y2=\"{}\"/></svg>", left,
                             width - right, height - bottom, height - bottom);
}

}  // namespace sinew::gait
