#include "gait_page.h"

#include <fmt/format.h>

#include "sinew/base/text.h"
#include "sinew/io/interchange.h"

namespace sinew::cli {
namespace {

using model::Side;
using motion::GaitAnalysis;

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
rect.stance{opacity:.62}rect.stance.double{opacity:.9}rect.swing{opacity:.25}svg text.phase{fill:var(--ink);font-weight:600}
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
    const auto mean = [&](std::optional<double> motion::SpatioTemporal::* v) -> std::optional<double> {
        if (a.sides[0].*v && a.sides[1].*v) return (*(a.sides[0].*v) + *(a.sides[1].*v)) / 2;
        return a.sides[0].*v ? a.sides[0].*v : a.sides[1].*v;
    };
    using S = motion::SpatioTemporal;
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
        const std::string png = render::encode_png(each.picture);
        html += fmt::format(
            "<figure><img alt=\"{}\" src=\"data:image/png;base64,{}\"><figcaption>{}<br>{:.0f} "
            "%</figcaption></figure>",
            each.name, io::encode_base64(as_bytes(png)), each.name, each.percent);
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
    for (std::size_t i = 0; i < motion::angle_count; ++i)
        html += "<div class=\"card\">" + angle_chart(a, motion::angle_at(i), normal) + "</div>";
    return html + "</div><p class=\"sub\">Angles from " + markup_text(a.angles.source) + ". " +
           markup_text(normal.citation) + "</p>";
}

std::string values(const GaitAnalysis& a) {
    std::string html =
        "<div><h2>Times and lengths</h2><div "
        "class=\"card\"><table><tr><th>value</th><th>left</th><th>right</th><th>asymmetry</th></tr>";
    for (const motion::SpatioTemporalRow& row : motion::spatiotemporal_rows()) {
        const auto l = a.sides[0].*row.value, r = a.sides[1].*row.value;
        html += fmt::format("<tr><td>{}, {}</td><td>{}</td><td>{}</td><td>{}</td></tr>", row.title, row.unit,
                            cell(l), cell(r), cell(motion::symmetry_index(l, r), 1));
    }
    return html +
           "</table></div><p class=\"sub\">Asymmetry: |L − R| over the mean, in percent (Robinson "
           "1987).</p></div>";
}

std::string events(const GaitAnalysis& a) {
    std::string html =
        "<div><h2>Events</h2><div class=\"card\"><table><tr><th>event</th><th>side</th><th>time, "
        "s</th><th>from</th></tr>";
    for (const motion::GaitEvent& event : a.events.events)
        html += fmt::format("<tr><td>{}</td><td>{}</td><td>{:.3f}</td><td>{}</td></tr>",
                            motion::name_of(event.kind), model::name_of(event.side), event.time,
                            motion::name_of(event.source));
    return html + "</table></div></div>";
}

std::string rules(const GaitAnalysis& a) {
    if (a.rules.empty()) return {};
    std::string html =
        "<h2>How well each marker rule finds the events</h2><div "
        "class=\"card\"><table><tr><th>rule</th><th>strikes found</th>"
        "<th>mean, frames late</th><th>largest</th><th>offs found</th><th>mean, frames "
        "late</th><th>largest</th></tr>";
    for (const motion::RuleErrors& rule : a.rules) {
        const auto side = [](const motion::EventError& e) {
            return fmt::format("<td>{} of {}</td><td>{:+.1f}</td><td>{:.1f}</td>", e.matched,
                               e.matched + e.missed, e.mean, e.largest);
        };
        html += fmt::format("<tr><td>{}</td>{}{}</tr>", motion::name_of(rule.rule), side(rule.strike),
                            side(rule.off));
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
    for (std::size_t i = 0; i < motion::angle_count; ++i) {
        if (!a.agreement[0][i] && !a.agreement[1][i]) continue;
        rows +=
            fmt::format("<tr><td>{}</td><td>{}</td><td>{}</td></tr>", motion::info(motion::angle_at(i)).title,
                        cell(a.agreement[0][i], 1), cell(a.agreement[1][i], 1));
    }
    if (!rows.empty())
        html +=
            "<div class=\"card\"><table><tr><th>solved against stored angle, rms</th><th>left, °</th>"
            "<th>right, °</th></tr>" +
            rows + "</table></div>";
    return html + "</div>";
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
    html += fmt::format("<p class=\"sub\">{}{}</p>",
                        a.frames > 0 ? fmt::format("{} frames at {:g} a second, {:.2f} m travelled", a.frames,
                                                   a.rate, a.motion.travel)
                                     : "one reported cycle",
                        page.anonymous ? " · anonymous: names, dates and paths were taken out" : "");
    html += tiles(a) + notes(a) + "<h2>Phases</h2><div class=\"card\">" + phase_bar(a) + "</div>" +
            film(pictures) + curves(a, normal) + "<div class=\"two\">" + values(a) + events(a) + "</div>" +
            rules(a) + quality(a, fit) + std::string(glossary);
    return html + "</main><script>" + std::string(script) + "</script></html>\n";
}

}  // namespace sinew::cli
