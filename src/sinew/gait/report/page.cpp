// SPDX-License-Identifier: MIT
// The report as a page of sheets; each prints on one page of A4.

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "sinew/base/text.h"
#include "sinew/gait/report/chart.h"

namespace sinew::gait {

using model::Side;

namespace {

constexpr double large_residual = 20;  // millimetres
constexpr double far_angle = 3;        // degrees

constexpr std::string_view style = R"(
:root{--ink:#1d2733;--soft:#5b6875;--line:#dde3e8;--paper:#fff;--wash:#f4f6f8;--left:#c2410c;--right:#0b66a8;--norm:#8a97a3}
*{box-sizing:border-box}body{margin:0;background:var(--wash);color:var(--ink);font:15px/1.5 system-ui,sans-serif}
main{max-width:1180px;margin:0 auto;padding:28px 20px 60px}h1{font-size:26px;margin:0}h2{font-size:17px;margin:34px 0 10px}
.sub{color:var(--soft);margin:2px 0 18px}.card{background:var(--paper);border:1px solid var(--line);border-radius:8px;padding:14px 16px;overflow-x:auto}
.tiles{display:grid;grid-template-columns:repeat(auto-fit,minmax(150px,1fr));gap:12px}.tile b{display:block;font-size:22px;font-variant-numeric:tabular-nums}
.tile span{color:var(--soft);font-size:13px}.charts{display:grid;grid-template-columns:repeat(3,1fr);gap:12px}
.charts .card{padding:6px}svg{display:block;width:100%;height:auto}
.key,.cycles{display:flex;flex-wrap:wrap;gap:6px 18px;color:var(--soft);font-size:13px;margin:0 0 10px}.key i{display:inline-block;width:22px;height:3px;margin-right:6px;vertical-align:middle}
.film{display:grid;grid-template-columns:repeat(7,1fr);gap:8px}.film figure{margin:0;text-align:center;font-size:12px;color:var(--soft)}.film img{width:100%;border-radius:6px;display:block}
table{border-collapse:collapse;width:100%;font-variant-numeric:tabular-nums}th,td{padding:5px 10px;border-bottom:1px solid var(--line);text-align:right}
th{color:var(--soft);font-weight:600;font-size:13px}th:first-child,td:first-child{text-align:left}.lists{display:flex;flex-wrap:wrap;gap:0 18px;align-items:flex-start}.lists table{flex:1;width:auto}td.norm{white-space:nowrap}tr.far td{color:#b91c1c;font-weight:600}.notes{border-left:4px solid #d69e2e;margin-top:14px}.notes ul{margin:0;padding-left:18px}
.two{display:grid;grid-template-columns:repeat(auto-fit,minmax(420px,1fr));gap:16px}.two>div{min-width:0}dt{font-weight:600}dd{margin:0 0 6px;color:var(--soft)}
@media(max-width:900px){.charts{grid-template-columns:repeat(2,1fr)}}
@media(max-width:700px){.film{grid-template-columns:repeat(4,1fr)}.two,.charts{grid-template-columns:1fr}main{padding:16px 10px}th,td{padding:4px 5px}td:first-child{min-width:8em}svg.phases{min-width:620px}}
@page{size:A4;margin:11mm}
@media print{body{background:#fff;font-size:9pt;-webkit-print-color-adjust:exact;print-color-adjust:exact}main{padding:0;max-width:none}.card,tr,figure{break-inside:avoid}h2{break-after:avoid;margin:9px 0 5px}h1{font-size:16pt}
section.sheet{break-before:page}.charts{grid-template-columns:repeat(3,1fr);gap:5px}svg.chart text{font-size:13px}svg.chart text.head{font-size:15px}.lists{flex-wrap:nowrap}.cycles,.screen{display:none}.card{padding:6px 8px;border-radius:4px;overflow:visible}td,th{padding:.5px 4px;font-size:7.5pt}td{white-space:nowrap}.sub{margin:2px 0 8px;font-size:8.5pt}.two{grid-template-columns:minmax(min-content,1fr) minmax(min-content,1fr);gap:8px}.two>div{min-width:min-content}.tiles{grid-template-columns:repeat(6,1fr);gap:6px}.tile b{font-size:12pt}.tile span{font-size:6.5pt}.film{grid-template-columns:repeat(7,1fr)}.film img{height:27mm;object-fit:contain}.film figure{font-size:7pt}.notes{font-size:7.5pt;margin-top:8px}section.tables td,section.tables th{padding:.5px 5px;font-size:7.5pt;white-space:nowrap}section.tables th{white-space:normal}section.tables dl{columns:2;font-size:7.5pt}dt{break-after:avoid}}
)";

// One cursor in all charts: percent of the cycle under the pointer, with the values of both sides. Cycles
// that are not ticked on one of the sheets are left out of mean and spread.
constexpr std::string_view script = R"(
const L=40,W=360,R=10,T=26,H=230,B=30,charts=[...document.querySelectorAll('svg.cycle')];
function show(p){for(const c of charts){const x=L+(W-L-R)*p/100,l=c.querySelector('.cursor');l.setAttribute('x1',x);l.setAttribute('x2',x);
const v=[...c.querySelectorAll('.curve[data-values]')].map(k=>k.dataset.side[0].toUpperCase()+' '+k.dataset.values.split(',')[Math.round(p)]);
c.querySelector('.read').textContent=v.length?Math.round(p)+' %  '+v.join('  '):''}}
for(const c of charts)c.addEventListener('pointermove',e=>{const b=c.getBoundingClientRect(),x=(e.clientX-b.left)/b.width*W;
show(Math.min(100,Math.max(0,(x-L)/(W-L-R)*100)))});
function choose(){const on=new Set([...document.querySelectorAll('.cycles input:checked')].map(i=>i.value));
for(const c of charts){const lo=+c.dataset.low,hi=+c.dataset.high,X=i=>(L+(W-L-R)*i/100).toFixed(1),Y=v=>(T+(H-T-B)*(hi-v)/(hi-lo)).toFixed(1);
for(const s of ['left','right']){const all=[...c.querySelectorAll('.each.'+s)];if(!all.length)continue;
const used=all.filter(k=>on.has(k.dataset.cycle)).map(k=>k.dataset.values.split(',').map(Number));
for(const k of all)k.style.display=on.has(k.dataset.cycle)?'':'none';
const m=[],d=[];for(let i=0;i<101;i++){const v=used.map(u=>u[i]),n=v.length,a=v.reduce((x,y)=>x+y,0)/n;m.push(a);
d.push(n>1?Math.sqrt(v.reduce((x,y)=>x+(y-a)**2,0)/(n-1)):0)}
const k=c.querySelector('.curve.'+s+'[data-values]'),b=c.querySelector('.band.'+s);k.style.display=used.length?'':'none';if(b)b.style.display=k.style.display;if(!used.length)continue;
k.dataset.values=m.map(v=>v.toFixed(2)).join(',');k.setAttribute('points',m.map((v,i)=>X(i)+','+Y(v)).join(' '));
if(b)b.setAttribute('points',[...m.map((v,i)=>X(i)+','+Y(v+d[i])),...m.map((v,i)=>X(i)+','+Y(v-d[i])).reverse()].join(' '))}}}
const boxes=[...document.querySelectorAll('.cycles input')];
for(const i of boxes)i.addEventListener('change',()=>{for(const k of boxes)if(k.value===i.value)k.checked=i.checked;choose()});
addEventListener('beforeprint',()=>{for(const d of document.querySelectorAll('details'))d.open=true});
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
    std::string html = "<div class=\"card notes\"><ul>";
    for (const std::string& note : a.notes) html += "<li>" + markup_text(note) + "</li>";
    if (!a.unmeasured.empty()) {
        std::string parts;
        for (const std::string& part : a.unmeasured) parts += (parts.empty() ? "" : ", ") + part;
        html += "<li>no markers, drawn transparent: " + markup_text(parts) + "</li>";
    }
    return html + "</ul></div>";
}

std::string film(const std::vector<PhasePicture>& pictures, const GaitAnalysis& a) {
    if (pictures.empty()) return {};
    std::string html = "<h2>The walk in its phases, right leg</h2><div class=\"card film\">";
    for (const PhasePicture& each : pictures) {
        html += fmt::format(
            "<figure><img alt=\"{}\" src=\"{}\"><figcaption>{}<br>{:.0f} %</figcaption></figure>", each.name,
            each.uri, each.name.empty() ? "phase not measured" : each.name, each.percent);
    }
    html += "</div>";
    if (std::ranges::any_of(a.ground.hits, &PlateHit::clean))
        html +=
            "<p class=\"sub\">Red: the force of the ground on a foot that is alone on a platform, 1 m for "
            "1000 N.</p>";
    return html;
}

bool any_cycle(const GaitAnalysis& a) {
    return std::ranges::any_of(a.phases, [](const auto& phases) { return phases.has_value(); });
}

std::string key(const GaitPage& page, const GaitAnalysis& a, std::size_t first, std::size_t last) {
    std::string html =
        "<div class=\"key\"><span><i style=\"background:var(--left)\"></i>left</span><span><i "
        "style=\"background:var(--right)\"></i>right</span>";
    if (!any_cycle(a))
        return html + "<span>over time: no complete cycle; dotted: foot strikes and offs</span></div>";
    html +=
        "<span>line: mean, band: one standard deviation of the cycles, thin: each cycle, dotted: foot "
        "off</span>";
    const auto normal = std::span(page.normal.curves).subspan(first, last - first);
    if (std::ranges::any_of(normal, [](const NormalCurve& c) { return !c.empty(); }))
        html += "<span><i style=\"background:var(--norm);height:9px\"></i>normal</span>";
    if (page.compared != nullptr)
        html += fmt::format("<span>dashed: {}</span>", markup_text(page.compared_name));
    return html + "</div>";
}

/// Check boxes to leave cycles out, when there are several.
std::string cycle_boxes(const GaitAnalysis& a) {
    if (a.cycles.size() < 3) return {};
    std::string html = "<div class=\"cycles\"><span>cycles in the mean curves:</span>";
    for (std::size_t i = 0; i < a.cycles.size(); ++i)
        html += fmt::format("<label><input type=\"checkbox\" value=\"{}\" checked> {} {}{:.2f} s{}</label>",
                            i, a.cycles[i].side == Side::left ? "left" : "right",
                            a.trials > 1 ? fmt::format("trial {}, ", a.cycles[i].trial + 1) : "",
                            a.cycles[i].start, a.cycles[i].outlier ? " (far from the others)" : "");
    return html + "</div>";
}

std::string sheet(const GaitPage& page, const GaitAnalysis& a, const std::string& title, std::size_t first,
                  std::size_t last, const std::string& below) {
    std::string html = fmt::format("<section class=\"sheet\"><h2>{}</h2>{}{}<div class=\"charts\">", title,
                                   key(page, a, first, last), cycle_boxes(a));
    // The nine charts of the standard sheet always have the same positions; others are shown only with
    // values.
    for (std::size_t i = first; i < last; ++i)
        if (first == 0 || has_curve(a, curve_at(i)))
            html += "<div class=\"card\">" + curve_chart(page, a, curve_at(i)) + "</div>";
    return html + "</div>" + below + "</section>";
}

bool any_curve(const GaitAnalysis& a, std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i)
        if (has_curve(a, curve_at(i))) return true;
    return false;
}

std::string scores(const GaitPage& page, const GaitAnalysis& a) {
    const GaitScores s = score(a, page.normal);
    std::string lines;
    for (std::size_t i = 0; i < sheet_angles; ++i)
        if (s.map[0][i] || s.map[1][i])
            lines += fmt::format("<tr><td>{}</td><td>{}{}</td><td>{}{}</td></tr>", info(curve_at(i)).title,
                                 a.doubts[0][i].empty() ? "" : "⚠ ", cell(s.map[0][i], 1),
                                 a.doubts[1][i].empty() ? "" : "⚠ ", cell(s.map[1][i], 1));
    if (lines.empty()) return {};
    // A score is only as reliable as its least reliable curve.
    std::array<const char*, 2> mark = {"", ""};
    for (const std::size_t side : {0u, 1u})
        for (std::size_t i = 0; i < sheet_angles; ++i)
            if (s.gps[side] && !a.doubts[side][i].empty()) mark[side] = "⚠ ";
    lines += fmt::format("<tr><td>Gait profile score</td><td>{}{}</td><td>{}{}</td></tr>", mark[0],
                         cell(s.gps[0], 1), mark[1], cell(s.gps[1], 1));
    if (s.gps_overall)
        lines += fmt::format("<tr><td>Gait profile score, overall</td><td colspan=\"2\">{}{}</td></tr>",
                             *mark[0] != 0 ? mark[0] : mark[1], cell(s.gps_overall, 1));
    if (s.gdi[0] || s.gdi[1])
        lines += fmt::format("<tr><td>Gait deviation index</td><td>{}</td><td>{}</td></tr>",
                             cell(s.gdi[0], 0), cell(s.gdi[1], 0));
    return "<div><h2>Distance from the norm</h2><div class=\"card\"><table><tr><th>movement analysis "
           "profile</th><th>left, °</th><th>right, °</th></tr>" +
           lines + "</table></div><p class=\"sub\">" +
           (s.gps[0] || s.gps[1]
                ? std::string("Baker 2009. The norm is named below the kinematics.") +
                      (*mark[0] != 0 || *mark[1] != 0 ? " ⚠: not all of its curves can be relied on." : "")
                : "Baker 2009. The profile score needs all nine curves, which this norm does not have.") +
           (s.gdi[0] || s.gdi[1] ? " Index: Schwartz and Rozumalski 2008, with the features of this norm's "
                                   "controls; 100 is normal, 10 one deviation."
                                 : "") +
           "</p></div>";
}

/// "118.4 ± 9.0", "0.65 ± 0.05"; without a deviation "0.65".
std::string normal_text(const std::pair<double, double>& value) {
    const int digits = value.first < 10 ? 2 : 1;
    const std::string mean = fmt::format("{:.{}f}", value.first, digits);
    return std::isnan(value.second) ? mean : fmt::format("{} ± {:.{}f}", mean, value.second, digits);
}

std::string values(const GaitPage& page, const GaitAnalysis& a) {
    const GaitAnalysis* const before = page.compared;
    const bool norm = !page.normal.values.empty();
    std::string html =
        "<div><h2>Times and lengths</h2><div class=\"card\"><table><tr><th>value</th><th>left</th>"
        "<th>right</th><th>asymmetry</th>";
    if (before != nullptr)
        html += fmt::format("<th>{0}, left</th><th>{0}, right</th>", markup_text(page.compared_name));
    html += norm ? "<th>normal</th></tr>" : "</tr>";
    for (const SpatioTemporalRow& row : spatiotemporal_rows()) {
        const auto l = a.sides[0].*row.value, r = a.sides[1].*row.value;
        if (row.unit == "1" && !l && !r) continue;
        html += fmt::format("<tr><td>{}{}</td><td>{}</td><td>{}</td><td>{}</td>", row.title,
                            row.unit == "1" ? "" : fmt::format(", {}", row.unit), cell(l), cell(r),
                            cell(symmetry_index(l, r), 1));
        if (before != nullptr)
            html += fmt::format("<td>{}</td><td>{}</td>", cell(before->sides[0].*row.value),
                                cell(before->sides[1].*row.value));
        const auto normal = page.normal.values.find(std::string(row.key));
        if (norm)
            html += normal == page.normal.values.end()
                        ? "<td>–</td>"
                        : fmt::format("<td class=\"norm\">{}</td>", normal_text(normal->second));
        html += "</tr>";
    }
    const std::optional<double> leg = a.measures.leg_length();
    return html +
           "</table></div><p class=\"sub\">Asymmetry: |L − R| over the mean, in percent (Robinson 1987)." +
           (norm ? " Normal: mean ± one deviation; source below the kinematics." : "") +
           (leg ? fmt::format(" Leg length {:.3f} m; values without a unit are divided by it (Hof 1996).",
                              *leg)
                : " No leg length is known: nothing is normalised to it.") +
           "</p></div>";
}

std::string events(const GaitAnalysis& a) {
    if (a.trials > 1) return {};
    std::string html =
        "<div><h2>Events</h2><div class=\"card\"><table><tr><th>event</th><th>side</th><th>time, "
        "s</th><th>±, ms</th><th>from</th></tr>";
    for (const GaitEvent& event : a.events.events)
        html += fmt::format("<tr><td>{}</td><td>{}</td><td>{:.3f}</td><td>{:.0f}</td><td>{}</td></tr>",
                            name_of(event.kind), model::name_of(event.side), event.time,
                            1000 * event.uncertainty, name_of(event.source));
    return html +
           "</table></div><p class=\"sub\">±: half a frame or, where it is more, how far the marker "
           "rules are apart (markers) or the force platform saw it (file).</p></div>";
}

/// Tables of measurements are those of the first trial.
const char* of_first(const GaitAnalysis& a) {
    return a.trials > 1 ? ", trial 1" : "";
}

std::string hits(const GaitAnalysis& a) {
    if (a.ground.hits.empty() || a.trials > 1) return {};
    std::string html =
        "<div><h2>Steps on force platforms</h2><div class=\"card\"><table><tr><th>platform</th>"
        "<th>foot</th><th>from, s</th><th>to, s</th><th>used</th></tr>";
    for (const PlateHit& hit : a.ground.hits)
        html += fmt::format("<tr><td>{}</td><td>{}</td><td>{:.2f}</td><td>{:.2f}</td><td>{}</td></tr>",
                            hit.platform + 1, hit.side == Side::none ? "–" : model::name_of(hit.side),
                            hit.start, hit.end, hit.clean ? "yes" : "no: " + hit.why);
    return html + "</table></div></div>";
}

std::string forces(const GaitAnalysis& a) {
    std::string charts;
    for (const PlateHit& hit : a.ground.hits)
        if (hit.clean) charts += "<div class=\"card\">" + force_chart(a, hit) + "</div>";
    if (charts.empty() || a.trials > 1) return {};
    return "<h2>Ground reaction from the side</h2><div class=\"charts\">" + charts + "</div>";
}

std::string muscles(const GaitAnalysis& a) {
    if (a.emg.empty()) return {};
    std::string html =
        "<section class=\"sheet\"><h2>Muscles</h2><p class=\"sub\">Raw over time; rectified with its "
        "envelope "
        "(high-pass 20 Hz, rectified, low-pass 6 Hz; lines: foot strikes); the envelope over "
        "the cycles of each leg. Which leg an electrode was on is what its label says.</p><div "
        "class=\"charts\">";
    for (std::size_t i = 0; i < a.emg.size(); ++i) {
        for (const bool rectified : {false, true})
            html += "<div class=\"card\">" + emg_chart(a, a.emg[i], rectified) + "</div>";
        const std::string cycle = emg_cycle_chart(a, a.emg_curves[i]);
        html += cycle.empty() ? "<div></div>" : "<div class=\"card\">" + cycle + "</div>";
    }
    return html + "</div></section>";
}

std::string rules(const GaitAnalysis& a) {
    if (a.rules.empty()) return {};
    std::string html =
        "<details class=\"screen\"><summary>For the laboratory: how well each marker rule finds the events"
        "</summary><div class=\"card\"><table><tr><th>rule</th><th>strikes found</th>"
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
    return html + fmt::format(
                      "</table></div><p class=\"sub\">Against the events of the {}, at {:g} frames per "
                      "second.</p></details>",
                      a.reference, a.rate);
}

/// Tables side by side, so that many markers fit on a page.
std::string residuals(const GaitAnalysis& a, const Json& fit) {
    if (fit.is_null()) return {};
    constexpr std::size_t rows = 22;  // of a table
    std::vector<std::string> lines = {fmt::format("<tr><td>all</td><td>{:.1f}</td><td>{:.1f}</td></tr>",
                                                  fit["rms_mm"].get<double>(), fit["max_mm"].get<double>())};
    for (const Json& marker : fit["per_marker"]) {
        const double rms = marker["rms_mm"].get<double>(), max = marker["max_mm"].get<double>();
        const bool far = max > large_residual;
        lines.push_back(
            fmt::format("<tr{}><td>{}{}</td><td>{:.1f}</td><td>{:.1f}</td></tr>", far ? " class=\"far\"" : "",
                        markup_text(marker["label"].get<std::string>()), far ? " ⚠" : "", rms, max));
    }
    std::string html =
        fmt::format("<div><h2>How well the markers fit{}</h2><div class=\"card lists\">", of_first(a));
    for (std::size_t first = 0; first < lines.size(); first += rows) {
        html += "<table><tr><th>marker</th><th>rms, mm</th><th>largest</th></tr>";
        for (std::size_t i = first; i < std::min(first + rows, lines.size()); ++i) html += lines[i];
        html += "</table>";
    }
    return html + fmt::format("</div><p class=\"sub\">⚠: more than {:.0f} mm from the fitted body.</p></div>",
                              large_residual);
}

/// Differences of each model from the curves that the file stores.
std::string agreements(const GaitAnalysis& a) {
    if (a.agreement.empty()) return {};
    std::string html = fmt::format(
        "<div><h2>Computed against stored curves{}</h2><div class=\"card\"><table><tr><th>rms</th>",
        of_first(a));
    for (const ModelAgreement& each : a.agreement)
        html += fmt::format("<th>{0}, left</th><th>{0}, right</th>", name_of(each.model));
    html += "</tr>";
    for (std::size_t i = 0; i < curve_count; ++i) {
        std::string row;
        bool any = false;
        for (const ModelAgreement& each : a.agreement)
            for (const std::size_t s : {0u, 1u}) {
                any = any || each.rms[s][i];
                const bool far = i < angle_count && each.rms[s][i] && *each.rms[s][i] > far_angle;
                row += fmt::format("<td>{}{}</td>", far ? "⚠ " : "", cell(each.rms[s][i], 2));
            }
        const CurveInfo& what = info(curve_at(i));
        if (any)
            html += fmt::format("<tr><td>{}{}, {}</td>{}</tr>", what.title,
                                what.plane.empty() || i < angle_count ? "" : fmt::format(" {}", what.plane),
                                what.unit, row);
    }
    return html +
           fmt::format(
               "</table></div><p class=\"sub\">cgm: conventional gait model; fit: skeleton fitted to all "
               "markers; ⚠: more than {:.0f}°.</p></div>",
               far_angle);
}

std::string travel(const GaitAnalysis& a) {
    if (a.motion.pelvis.empty()) return "travel not measured";
    return a.motion.on_the_spot
               ? "in place"
               : fmt::format("{:.2f} m travelled", std::abs(a.motion.travel) < 0.005 ? 0.0 : a.motion.travel);
}

std::string subject(const BodyMeasures& m) {
    std::string text;
    if (m.age) text += fmt::format(" · {:.0f} years", *m.age);
    if (m.sex) text += *m.sex == Sex::female ? " · female" : " · male";
    if (m.height) text += fmt::format(" · {:.2f} m", *m.height);
    if (m.mass) text += fmt::format(" · {:.1f} kg", *m.mass);
    return text;
}

constexpr std::string_view glossary =
    R"(<details class="card"><summary>Words</summary><dl>
<dt>Gait cycle</dt><dd>From a foot's contact to the next contact of the same foot.</dd>
<dt>Stance: LR, MSt, TSt, PSw</dt><dd>Loading response, mid-stance, terminal stance, pre-swing: the foot is on the ground.</dd>
<dt>Swing: ISw, MSw, TSw</dt><dd>Initial, mid and terminal swing: the foot is in the air.</dd>
<dt>Double support</dt><dd>One leg is in loading response while the other is in pre-swing.</dd></dl></details>)";

constexpr std::string_view disclaimer =
    "For research and education. This is not a medical device: no diagnosis and no treatment may rest on it.";

}  // namespace

std::string gait_page(const GaitPage& page, const GaitAnalysis& a) {
    std::string html = fmt::format(
        "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><meta name=\"viewport\" "
        "content=\"width=device-width\">"
        "<title>{0}</title><style>{1}{2}</style><main><h1>{0}</h1>",
        markup_text(page.title), style, chart_style);
    const std::string what =
        a.trials > 1   ? fmt::format("{} trials, {} cycles", a.trials, a.cycles.size())
        : a.frames > 0 ? fmt::format("{} frames at {:g} per second, {}", a.frames, a.rate, travel(a))
                       : "one reported cycle";
    html +=
        fmt::format("<p class=\"sub\">{}{}{}<br>{}</p>", what, subject(a.measures),
                    page.anonymous ? " · anonymous: names, dates and paths were taken out" : "", disclaimer);
    html += tiles(a) + notes(a) + "<h2>Phases</h2><div class=\"card\">" + phase_bar(a) + "</div>" +
            film(page.pictures, a) + "<div class=\"two\">" + values(page, a) + scores(page, a) + "</div>";
    std::string angles = "Angles from " + a.traces.source;
    if (page.compared != nullptr && page.compared->traces.source != a.traces.source)
        angles += fmt::format("; {}: {}", page.compared_name, page.compared->traces.source);
    const std::string source = "<p class=\"sub\">" + markup_text(angles) + ". " +
                               (any_cycle(a) ? markup_text(page.normal.citation) : std::string()) + "</p>";
    html += sheet(page, a, "Kinematics", 0, sheet_angles, source);
    if (any_curve(a, sheet_angles, angle_count))
        html += sheet(page, a, "Kinematics: knee, foot, trunk and arms", sheet_angles, angle_count, source);
    if (any_curve(a, angle_count, curve_count))
        html +=
            sheet(page, a, "Kinetics", angle_count, curve_count,
                  "<p class=\"sub\">Internal moments and powers per kilogram: inverse dynamics from the "
                  "foot up with the segments of Dempster 1955 (Winter 2009), where a foot hits one platform "
                  "cleanly; or as the file stores them.</p>" +
                      forces(a));
    html += muscles(a);
    html += "<section class=\"sheet tables\"><div class=\"two\">" + events(a) + hits(a) +
            "</div><div class=\"two\">" + residuals(a, page.fit) + agreements(a) + "</div>" + rules(a) +
            std::string(glossary) + "</section>";
    return html + "</main><script>" + std::string(script) + "</script></html>\n";
}

std::string gait_svg(const GaitPage& page, const GaitAnalysis& a) {
    std::vector<std::string> charts;
    for (std::size_t i = 0; i < curve_count; ++i)
        if (i < sheet_angles || has_curve(a, curve_at(i)))
            charts.push_back(curve_chart(page, a, curve_at(i)));
    for (const PlateHit& hit : a.ground.hits)
        if (hit.clean && a.trials == 1) charts.push_back(force_chart(a, hit));
    for (std::size_t i = 0; i < a.emg.size(); ++i) {
        for (const bool rectified : {false, true}) charts.push_back(emg_chart(a, a.emg[i], rectified));
        charts.push_back(emg_cycle_chart(a, a.emg_curves[i]));
    }
    std::erase(charts, "");
    const std::size_t tall = (charts.size() + 2) / 3;
    std::string svg = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" "
        "height=\"{1}\"><style>{2}</style><rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>",
        3 * chart_width, static_cast<double>(tall) * chart_height, chart_style);
    for (std::size_t i = 0; i < charts.size(); ++i) {
        const auto column = static_cast<double>(i % 3), row = static_cast<double>(i / 3);
        svg += fmt::format("<svg x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"", column * chart_width,
                           row * chart_height, chart_width, chart_height) +
               charts[i].substr(4);
    }
    return svg + "</svg>\n";
}

}  // namespace sinew::gait
