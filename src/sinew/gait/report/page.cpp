// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "sinew/base/text.h"
#include "sinew/gait/report.h"

namespace sinew::gait {

using model::Side;

namespace {

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

std::string axes(const Scale& scale, const AngleInfo& info) {
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

/// One angle, both sides: mean, spread over cycles, normal curve, foot off.
std::string angle_chart(const GaitAnalysis& analysis, GaitAngle angle, const NormalBand& band_of) {
    const NormalCurve& normal = band_of.curves[static_cast<std::size_t>(angle)];
    const Scale scale = scale_for(analysis, angle, normal);
    std::string svg = fmt::format(
        "<svg class=\"chart\" viewBox=\"0 0 {} {}\" data-low=\"{:g}\" data-high=\"{:g}\" role=\"img\" "
        "aria-label=\"{}\">",
        width, height, scale.low, scale.high, info(angle).title);
    svg += axes(scale, info(angle));
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
        const std::optional<MeanPhases>& phases = analysis.phases[side == Side::left ? 0 : 1];
        if (!phases || !phases->measured[4]) continue;
        const double off = phases->percent[4];
        svg += fmt::format("<line class=\"off {}\" x1=\"{:.1f}\" x2=\"{:.1f}\" y1=\"{}\" y2=\"{}\"/>", kind,
                           scale.x(off), scale.x(off), top, height - bottom);
    }
    if (!any) {
        const bool measured =
            !analysis.angles.of(Side::left, angle).empty() || !analysis.angles.of(Side::right, angle).empty();
        svg += fmt::format("<text class=\"none\" x=\"{}\" y=\"{}\" text-anchor=\"middle\">{}</text>",
                           (width + left) / 2, height / 2, measured ? "no complete cycle" : "not measured");
    }
    svg += fmt::format(
        "<line class=\"cursor\" x1=\"-9\" x2=\"-9\" y1=\"{}\" y2=\"{}\"/><text class=\"read\" x=\"{}\" "
        "y=\"{}\"></text></svg>",
        top, height - bottom, left + 4, height - bottom - 4);
    return svg;
}

/// The seven phases of both sides over the cycle, stance dark, swing light.
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
        const std::optional<MeanPhases>& phases = analysis.phases[s];
        if (!phases)
            svg += fmt::format("<text class=\"none\" x=\"{}\" y=\"{:.1f}\">no complete cycle: {}</text>",
                               label, y + 20, why_no_cycle(analysis, side));
        for (std::size_t p = 0; phases && p < phase_count; ++p) {
            const double from = label + (w - label) * phases->percent[p] / 100;
            const double to = label + (w - label) * phases->percent[p + 1] / 100;
            const bool measured = phases->measured[p] && phases->measured[p + 1];
            const auto phase = static_cast<GaitPhase>(p);
            svg += fmt::format(
                "<g><title>{}: {:.1f} to {:.1f} %{}</title><rect class=\"phase {} {}{}{}\" x=\"{:.1f}\" "
                "y=\"{:.1f}\" "
                "width=\"{:.1f}\" height=\"{:.1f}\"/>",
                long_name(phase), phases->percent[p], phases->percent[p + 1],
                measured ? "" : ", estimated: not all of its events were measured",
                side == Side::left ? "left" : "right", p < 4 ? "stance" : "swing",
                p == 0 || p == 3 ? " double" : "", measured ? "" : " estimated", from, y + 2,
                std::max(0.0, to - from - 1), row - 6);
            svg += fmt::format(
                "<text class=\"phase\" x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{}</text></g>",
                (from + to) / 2, y + 20, short_name(phase));
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

constexpr std::string_view style = R"(
:root{--ink:#1d2733;--soft:#5b6875;--line:#dde3e8;--paper:#fff;--wash:#f4f6f8;--left:#c2410c;--right:#0b66a8;--norm:#8a97a3}
*{box-sizing:border-box}body{margin:0;background:var(--wash);color:var(--ink);font:15px/1.5 system-ui,sans-serif}
main{max-width:1180px;margin:0 auto;padding:28px 20px 60px}h1{font-size:26px;margin:0}h2{font-size:17px;margin:34px 0 10px}
.sub{color:var(--soft);margin:2px 0 18px}.card{background:var(--paper);border:1px solid var(--line);border-radius:8px;padding:14px 16px}
.tiles{display:grid;grid-template-columns:repeat(auto-fit,minmax(150px,1fr));gap:12px}.tile b{display:block;font-size:22px;font-variant-numeric:tabular-nums}
.tile span{color:var(--soft);font-size:13px}.grid{display:grid;grid-template-columns:repeat(auto-fill,minmax(330px,1fr));gap:12px}
.grid .card{padding:6px}svg{display:block;width:100%;height:auto}svg text{font:11px system-ui,sans-serif;fill:var(--soft)}
svg .head{font-size:13px;font-weight:600;fill:var(--ink)}svg .plane{font-weight:400;fill:var(--soft)}svg .sign,svg .tick{font-size:10px}
.grid line.grid{stroke:var(--line)}.zero{stroke:#9aa6b1}.curve{fill:none;stroke-width:2}.curve.left{stroke:var(--left)}.curve.right{stroke:var(--right)}
.band.left{fill:var(--left);opacity:.16}.band.right{fill:var(--right);opacity:.16}.band.normal{fill:var(--norm);opacity:.3}
polyline.normal{fill:none;stroke:var(--norm);stroke-width:1.5;stroke-dasharray:5 4}.off{stroke-dasharray:2 3;opacity:.7}.off.left{stroke:var(--left)}.off.right{stroke:var(--right)}
.cursor{stroke:var(--ink)}svg text.read{font-size:11px;fill:var(--ink);font-weight:600}rect.left{fill:var(--left)}rect.right{fill:var(--right)}
rect.stance{opacity:.62}rect.stance.double{opacity:.9}rect.swing{opacity:.25}rect.estimated{opacity:.12;stroke:var(--soft);stroke-dasharray:4 3}svg text.phase{fill:var(--ink);font-weight:600}
.key{display:flex;flex-wrap:wrap;gap:18px;color:var(--soft);font-size:13px;margin:0 0 10px}.key i{display:inline-block;width:22px;height:3px;margin-right:6px;vertical-align:middle}
.film{display:grid;grid-template-columns:repeat(7,1fr);gap:8px}.film figure{margin:0;text-align:center;font-size:12px;color:var(--soft)}.film img{width:100%;border-radius:6px;display:block}
table{border-collapse:collapse;width:100%;font-variant-numeric:tabular-nums}th,td{padding:5px 10px;border-bottom:1px solid var(--line);text-align:right}
th{color:var(--soft);font-weight:600;font-size:13px}th:first-child,td:first-child{text-align:left}.notes{border-left:4px solid #d69e2e}.notes ul{margin:0;padding-left:18px}
.two{display:grid;grid-template-columns:repeat(auto-fit,minmax(420px,1fr));gap:16px}dt{font-weight:600}dd{margin:0 0 6px;color:var(--soft)}
@media(max-width:700px){.film{grid-template-columns:repeat(4,1fr)}.two{grid-template-columns:1fr}}@media print{body{background:#fff}.card{break-inside:avoid}}
)";

// One cursor in all charts: percent of the cycle under the pointer, with the values of both sides.
constexpr std::string_view script = R"(
const L=40,W=360,R=10,charts=[...document.querySelectorAll('svg.chart')];
function show(p){for(const c of charts){const x=L+(W-L-R)*p/100,l=c.querySelector('.cursor');l.setAttribute('x1',x);l.setAttribute('x2',x);
const v=[...c.querySelectorAll('.curve')].map(k=>k.dataset.side[0].toUpperCase()+' '+k.dataset.values.split(',')[Math.round(p)]+'°');
c.querySelector('.read').textContent=v.length?Math.round(p)+' %  '+v.join('  '):''}}
for(const c of charts)c.addEventListener('pointermove',e=>{const b=c.getBoundingClientRect(),x=(e.clientX-b.left)/b.width*W;
show(Math.min(100,Math.max(0,(x-L)/(W-L-R)*100)))});
)";

std::string cell(std::optional<double> value, int digits = 2) {
    return value ? fmt::format("{:.{}f}", *value, digits) : "–";
}

std::string tiles(const GaitAnalysis& a) {
    const auto tile = [](std::string_view name, const std::string& value) {
        return fmt::format("<div class=\"card tile\"><b>{}</b><span>{}</span></div>", value, name);
    };
    const auto mean = [&](std::optional<double> SpatioTemporal::* v) -> std::optional<double> {
        if (a.sides[0].*v && a.sides[1].*v) return (*(a.sides[0].*v) + *(a.sides[1].*v)) / 2;
        return a.sides[0].*v ? a.sides[0].*v : a.sides[1].*v;
    };
    using S = SpatioTemporal;
    return "<div class=\"tiles\">" + tile("walking speed, m/s", cell(mean(&S::speed))) +
           tile("cadence, steps/min", cell(mean(&S::cadence), 0)) +
           tile("stride length, m", cell(mean(&S::stride_length))) +
           tile("stance left / right, %", cell(a.sides[0].stance, 0) + " / " + cell(a.sides[1].stance, 0)) +
           tile("double support, %", cell(mean(&S::double_support), 0)) +
           tile("cycles left / right", fmt::format("{} / {}", a.sides[0].cycles, a.sides[1].cycles)) +
           "</div>";
}

std::string notes(const GaitAnalysis& a) {
    if (a.notes.empty() && a.unmeasured.empty()) return {};
    std::string html = "<div class=\"card notes\" style=\"margin-top:14px\"><ul>";
    for (const std::string& note : a.notes) html += "<li>" + markup_text(note) + "</li>";
    if (!a.unmeasured.empty()) {
        std::string parts;
        for (const std::string& part : a.unmeasured) parts += (parts.empty() ? "" : ", ") + part;
        html += "<li>not measured, shown as a ghost: " + markup_text(parts) + "</li>";
    }
    return html + "</ul></div>";
}

std::string film(const std::vector<PhasePicture>& pictures) {
    if (pictures.empty()) return {};
    std::string html = "<h2>The walk in its phases, right leg</h2><div class=\"card film\">";
    for (const PhasePicture& each : pictures) {
        html += fmt::format("<figure><img alt=\"{}\" src=\"{}\"><figcaption>{}<br>{}</figcaption></figure>",
                            each.name, each.uri, each.name,
                            each.percent ? fmt::format("{:.0f} %", *each.percent) : "estimated");
    }
    return html + "</div>";
}

std::string curves(const GaitAnalysis& a, const NormalBand& normal) {
    std::string html =
        "<h2>Joint angles over the cycle</h2><div class=\"key\"><span><i "
        "style=\"background:var(--left)\"></i>left, mean and "
        "standard deviation</span><span><i style=\"background:var(--right)\"></i>right</span><span><i "
        "style=\"background:var(--norm)\"></i>normal</span><span>dotted: foot off</span></div><div "
        "class=\"grid\">";
    for (std::size_t i = 0; i < angle_count; ++i)
        html += "<div class=\"card\">" + angle_chart(a, angle_at(i), normal) + "</div>";
    return html + "</div><p class=\"sub\">Angles from " + markup_text(a.angles.source) + ". " +
           markup_text(normal.citation) + "</p>";
}

std::string values(const GaitAnalysis& a) {
    std::string html =
        "<div><h2>Times and lengths</h2><div "
        "class=\"card\"><table><tr><th>value</th><th>left</th><th>right</th><th>asymmetry</th></tr>";
    for (const SpatioTemporalRow& row : spatiotemporal_rows()) {
        const auto l = a.sides[0].*row.value, r = a.sides[1].*row.value;
        html += fmt::format("<tr><td>{}, {}</td><td>{}</td><td>{}</td><td>{}</td></tr>", row.title, row.unit,
                            cell(l), cell(r), cell(symmetry_index(l, r), 1));
    }
    return html +
           "</table></div><p class=\"sub\">Asymmetry: |L − R| over the mean, in percent (Robinson "
           "1987).</p></div>";
}

std::string events(const GaitAnalysis& a) {
    std::string html =
        "<div><h2>Events</h2><div class=\"card\"><table><tr><th>event</th><th>side</th><th>time, "
        "s</th><th>from</th></tr>";
    for (const GaitEvent& event : a.events.events)
        html += fmt::format("<tr><td>{}</td><td>{}</td><td>{:.3f}</td><td>{}</td></tr>", name_of(event.kind),
                            model::name_of(event.side), event.time, name_of(event.source));
    return html + "</table></div></div>";
}

std::string rules(const GaitAnalysis& a) {
    if (a.rules.empty()) return {};
    std::string html =
        "<h2>How well each marker rule finds the events</h2><div "
        "class=\"card\"><table><tr><th>rule</th><th>strikes found</th>"
        "<th>mean, frames late</th><th>largest</th><th>offs found</th><th>mean, frames "
        "late</th><th>largest</th></tr>";
    for (const RuleErrors& rule : a.rules) {
        const auto side = [](const EventError& e) {
            return fmt::format("<td>{} of {}</td><td>{:+.1f}</td><td>{:.1f}</td>", e.matched,
                               e.matched + e.missed, e.mean, e.largest);
        };
        html +=
            fmt::format("<tr><td>{}</td>{}{}</tr>", name_of(rule.rule), side(rule.strike), side(rule.off));
    }
    return html +
           fmt::format(
               "</table></div><p class=\"sub\">Against the events of the {}, at {:g} frames a second.</p>",
               a.reference, a.rate);
}

/// Residuals of the markers, and how far the solved angles are from those that the file stores.
std::string quality(const GaitAnalysis& a, const Json& fit) {
    if (fit.is_null()) return {};
    std::string html = fmt::format(
        "<h2>How well the markers fit</h2><div class=\"two\"><div class=\"card\"><table><tr><th>marker</th>"
        "<th>rms, mm</th><th>largest, mm</th></tr><tr><td>all</td><td>{:.1f}</td><td>{:.1f}</td></tr>",
        fit["rms_mm"].get<double>(), fit["max_mm"].get<double>());
    for (const Json& marker : fit["per_marker"])
        html += fmt::format("<tr><td>{}</td><td>{:.1f}</td><td>{:.1f}</td></tr>",
                            markup_text(marker["label"].get<std::string>()), marker["rms_mm"].get<double>(),
                            marker["max_mm"].get<double>());
    html += "</table></div>";
    std::string rows;
    for (std::size_t i = 0; i < angle_count; ++i) {
        if (!a.agreement[0][i] && !a.agreement[1][i]) continue;
        rows += fmt::format("<tr><td>{}</td><td>{}</td><td>{}</td></tr>", info(angle_at(i)).title,
                            cell(a.agreement[0][i], 1), cell(a.agreement[1][i], 1));
    }
    if (!rows.empty())
        html +=
            "<div class=\"card\"><table><tr><th>solved against stored angle, rms</th><th>left, °</th>"
            "<th>right, °</th></tr>" +
            rows + "</table></div>";
    return html + "</div>";
}

std::string travel(const GaitAnalysis& a) {
    if (a.motion.pelvis.empty()) return "travel not measured";
    return a.motion.on_the_spot
               ? "on the spot"
               : fmt::format("{:.2f} m travelled", std::abs(a.motion.travel) < 0.005 ? 0.0 : a.motion.travel);
}

constexpr std::string_view glossary =
    R"(<h2>Words</h2><details class="card"><summary>Phases and disorders</summary><dl>
<dt>Gait cycle</dt><dd>From a foot's contact to the next contact of the same foot.</dd>
<dt>Stance: LR, MSt, TSt, PSw</dt><dd>Loading response, mid-stance, terminal stance, pre-swing: the foot is on the ground.</dd>
<dt>Swing: ISw, MSw, TSw</dt><dd>Initial, mid and terminal swing: the foot is in the air.</dd>
<dt>Double support</dt><dd>One leg is in loading response while the other is in pre-swing.</dd>
<dt>Multiple sclerosis</dt><dd>Slower, shorter strides, longer double support, early calf recruitment, late tibialis relaxation.</dd>
<dt>Polio</dt><dd>Loss of motor neurons in less than 1 % of infections; weakness or paralysis, variable.</dd>
<dt>Cerebral palsy</dt><dd>Not progressive; spasticity, toe or scissor walking, unsteady.</dd>
<dt>Osteoarthritis</dt><dd>Erosion of cartilage, pain, limited motion of joints.</dd></dl></details>)";

}  // namespace

std::string gait_page(const GaitPage& page, const GaitAnalysis& a, const Json& fit, const NormalBand& normal,
                      const std::vector<PhasePicture>& pictures) {
    std::string html = fmt::format(
        "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><meta name=\"viewport\" "
        "content=\"width=device-width\">"
        "<title>{0}</title><style>{1}</style><main><h1>{0}</h1>",
        markup_text(page.title), style);
    html +=
        fmt::format("<p class=\"sub\">{}{}</p>",
                    a.frames > 0 ? fmt::format("{} frames at {:g} a second, {}", a.frames, a.rate, travel(a))
                                 : "one reported cycle",
                    page.anonymous ? " · anonymous: names, dates and paths were taken out" : "");
    html += tiles(a) + notes(a) + "<h2>Phases</h2><div class=\"card\">" + phase_bar(a) + "</div>" +
            film(pictures) + curves(a, normal) + "<div class=\"two\">" + values(a) + events(a) + "</div>" +
            rules(a) + quality(a, fit) + std::string(glossary);
    return html + "</main><script>" + std::string(script) + "</script></html>\n";
}

}  // namespace sinew::gait
