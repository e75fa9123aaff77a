// SPDX-License-Identifier: MIT
// An analysis as JSON and as CSV.

#include <algorithm>
#include <array>
#include <cmath>

#include "sinew/gait/report.h"

namespace sinew::gait {

using model::Side;

namespace {

Json number(std::optional<double> value) {
    return value && std::isfinite(*value) ? Json(*value) : Json(nullptr);
}

Json to_json(const EventError& e) {
    return {{"matched", e.matched},
            {"missed", e.missed},
            {"mean", e.mean},
            {"median", e.median},
            {"largest", e.largest}};
}

Json to_json(const GaitEvent& event) {
    return {{"side", model::name_of(event.side)},
            {"event", name_of(event.kind)},
            {"time", event.time},
            {"source", name_of(event.source)},
            {"uncertainty", event.uncertainty}};
}

Json to_json(const GaitCycleSpan& cycle) {
    Json phases = Json::array();
    for (const double percent : cycle.phases) phases.push_back(number(percent));
    return {{"side", model::name_of(cycle.side)},
            {"start", cycle.start},
            {"end", cycle.end},
            {"phases", phases},
            {"single_support", number(single_support(cycle))},
            {"double_support", number(double_support(cycle))},
            {"trial", cycle.trial},
            {"outlier", cycle.outlier}};
}

std::string quoted(const std::string& text) {
    if (text.find_first_of(",\"\n") == std::string::npos) return text;
    std::string result = "\"";
    for (const char c : text) result += c == '"' ? "\"\"" : std::string(1, c);
    return result + "\"";
}

/// The mean and every cycle; without any cycle the trace over time.
std::string curve_lines(const GaitAnalysis& a, Side side, const std::string& name, std::size_t i) {
    const CycleCurve& curve = a.curve(side, curve_at(i));
    const CurveInfo& what = info(curve_at(i));
    const std::string_view unit = i < angle_count ? "deg" : what.unit,
                           kind = i < angle_count ? "angle" : "kinetics";
    const std::string& doubt = a.doubts[side == Side::left ? 0 : 1][i];
    std::string csv =
        doubt.empty() ? "" : fmt::format("untrusted,{},{},,,,{}\n", name, what.key, quoted(doubt));
    for (std::size_t k = 0; k < curve.mean.size(); ++k)
        csv += fmt::format("{},{},{},{},{:.4f},{:.4f},{}\n", kind, name, what.key, k, curve.mean[k],
                           curve.deviation[k], unit);
    for (std::size_t c = 0; curve.each.size() > 1 && c < curve.each.size(); ++c)
        for (std::size_t k = 0; k < curve.each[c].size(); ++k)
            csv += fmt::format("cycle {},{},{},{},{:.4f},,{}\n", c + 1, name, what.key, k, curve.each[c][k],
                               unit);
    if (curve.empty() && a.trials == 1) {
        const std::vector<double>& trace = a.traces.of(side, curve_at(i));
        for (std::size_t f = 0; f < trace.size(); ++f)
            if (std::isfinite(trace[f]))
                csv += fmt::format("time,{},{},{:.4f},{:.4f},,{}\n", name, what.key,
                                   static_cast<double>(f) / a.rate, trace[f], unit);
    }
    return csv;
}

std::string score_lines(const GaitScores& s) {
    std::string csv;
    const auto line = [&](std::string_view side, std::string_view name, std::optional<double> value,
                          std::string_view unit) {
        if (value) csv += fmt::format("score,{},{},,{:.5f},,{}\n", side, name, *value, unit);
    };
    for (const std::size_t side : {0u, 1u}) {
        const std::string_view word = side == 0 ? "left" : "right";
        for (std::size_t i = 0; i < sheet_angles; ++i)
            line(word, info(curve_at(i)).key, s.map[side][i], "deg");
        line(word, "gps", s.gps[side], "deg");
        line(word, "gdi", s.gdi[side], "");
    }
    line("", "gps", s.gps_overall, "deg");
    return csv;
}

/// Asymmetry, differences of models from the file, and loads on platforms: `at` is the start of a load, the
/// value its duration.
std::string table_lines(const GaitAnalysis& a) {
    std::string csv;
    for (const SpatioTemporalRow& row : spatiotemporal_rows())
        if (const auto index = symmetry_index(a.sides[0].*row.value, a.sides[1].*row.value))
            csv += fmt::format("asymmetry,,{},,{:.5f},,%\n", row.key, *index);
    for (const ModelAgreement& each : a.agreement)
        for (const std::size_t side : {0u, 1u})
            for (std::size_t i = 0; i < curve_count; ++i)
                if (each.rms[side][i])
                    csv += fmt::format("{} against stored,{},{},,{:.5f},,{}\n", name_of(each.model),
                                       side == 0 ? "left" : "right", info(curve_at(i)).key,
                                       *each.rms[side][i], i < angle_count ? "deg" : info(curve_at(i)).unit);
    for (const PlateHit& hit : a.ground.hits)
        csv += fmt::format("{},{},platform {},{:.5f},{:.5f},,s\n", hit.clean ? "step" : "unused step",
                           hit.side == Side::none ? "" : model::name_of(hit.side), hit.platform + 1,
                           hit.start, hit.end - hit.start);
    return csv;
}

}  // namespace

Json to_json(const GaitScores& s) {
    Json json;
    for (const std::size_t side : {0u, 1u}) {
        const char* const name = side == 0 ? "left" : "right";
        for (std::size_t i = 0; i < sheet_angles; ++i)
            json["map"][name][std::string(info(curve_at(i)).key)] = number(s.map[side][i]);
        json["gps"][name] = number(s.gps[side]);
        json["gdi"][name] = number(s.gdi[side]);
    }
    json["gps"]["overall"] = number(s.gps_overall);
    return json;
}

Json to_json(const GaitAnalysis& a) {
    Json json;
    json["trials"] = a.trials;
    json["frames"] = a.frames;
    json["fps"] = a.rate;
    json["progression"] = {{"travel_m", a.motion.travel}, {"on_the_spot", a.motion.on_the_spot}};
    json["events"] = Json::array();
    for (const GaitEvent& event : a.events.events) json["events"].push_back(to_json(event));
    json["event_rules"] = {{"reference", a.reference}, {"frames_late", Json::object()}};
    for (const RuleErrors& rule : a.rules)
        json["event_rules"]["frames_late"][std::string(name_of(rule.rule))] = {
            {"strike", to_json(rule.strike)}, {"off", to_json(rule.off)}};
    json["cycles"] = Json::array();
    for (const GaitCycleSpan& cycle : a.cycles) json["cycles"].push_back(to_json(cycle));
    json["angles"] = {{"source", a.traces.source}};
    json["spatiotemporal"] = Json::object();
    for (const Side side : {Side::left, Side::right}) {
        const std::string name = side == Side::left ? "left" : "right";
        for (std::size_t i = 0; i < curve_count; ++i) {
            const CycleCurve& curve = a.curve(side, curve_at(i));
            if (curve.empty()) continue;
            json[i < angle_count ? "angles" : "kinetics"][name][std::string(info(curve_at(i)).key)] = {
                {"cycles", curve.each.size()}, {"mean", curve.mean}, {"deviation", curve.deviation}};
        }
        for (const ModelAgreement& each : a.agreement)
            for (std::size_t i = 0; i < curve_count; ++i)
                if (const auto rms = each.rms[side == Side::left ? 0 : 1][i])
                    json["against_stored_rms"][std::string(name_of(each.model))][name]
                        [std::string(info(curve_at(i)).key)] = *rms;
        for (const EmgCurve& muscle : a.emg_curves) {
            const CycleCurve& curve = muscle.sides[side == Side::left ? 0 : 1];
            if (!curve.empty())
                json["emg"][muscle.label][name] = {{"mean", curve.mean}, {"deviation", curve.deviation}};
        }
        for (const SpatioTemporalRow& row : spatiotemporal_rows())
            json["spatiotemporal"][name][std::string(row.key)] =
                number(a.sides[side == Side::left ? 0 : 1].*row.value);
    }
    for (const SpatioTemporalRow& row : spatiotemporal_rows())
        json["symmetry"][std::string(row.key)] =
            number(symmetry_index(a.sides[0].*row.value, a.sides[1].*row.value));
    json["platform_hits"] = Json::array();
    for (const PlateHit& hit : a.ground.hits)
        json["platform_hits"].push_back({{"platform", hit.platform + 1},
                                         {"side", model::name_of(hit.side)},
                                         {"start", hit.start},
                                         {"end", hit.end},
                                         {"clean", hit.clean},
                                         {"why", hit.why}});
    json["untrusted"] = Json::array();
    for (const std::size_t s : {0u, 1u})
        for (std::size_t i = 0; i < curve_count; ++i)
            if (!a.doubts[s][i].empty())
                json["untrusted"].push_back({{"side", s == 0 ? "left" : "right"},
                                             {"curve", info(curve_at(i)).key},
                                             {"reason", a.doubts[s][i]}});
    json["unmeasured"] = a.unmeasured;
    json["notes"] = a.notes;
    return json;
}

std::string to_csv(const GaitAnalysis& a, const GaitScores* scores) {
    std::string csv = "kind,side,name,at,mean,deviation,unit\n";
    for (const Side side : {Side::left, Side::right}) {
        const std::string name = side == Side::left ? "left" : "right";
        for (std::size_t i = 0; i < curve_count; ++i) csv += curve_lines(a, side, name, i);
        for (const EmgCurve& muscle : a.emg_curves) {
            const CycleCurve& curve = muscle.sides[side == Side::left ? 0 : 1];
            for (std::size_t k = 0; k < curve.mean.size(); ++k)
                csv += fmt::format("emg,{},{},{},{:.6g},{:.6g},\n", name, quoted(muscle.label), k,
                                   curve.mean[k], curve.deviation[k]);
        }
        for (const SpatioTemporalRow& row : spatiotemporal_rows()) {
            const auto value = a.sides[side == Side::left ? 0 : 1].*row.value;
            if (value) csv += fmt::format("value,{},{},,{:.5f},,{}\n", name, row.key, *value, row.unit);
        }
        // Values that were not measured are not listed.
        const std::optional<PhaseBoundaries>& phases = a.phases[side == Side::left ? 0 : 1];
        for (std::size_t p = 0; phases && p < phase_count; ++p)
            if (std::isfinite((*phases)[p]))
                csv += fmt::format("phase,{},{},{:.3f},,,%\n", name, short_name(static_cast<GaitPhase>(p)),
                                   (*phases)[p]);
    }
    for (const GaitEvent& event : a.events.events)
        csv += fmt::format("event,{},{},,{:.5f},{:.5f},s\n", model::name_of(event.side), name_of(event.kind),
                           event.time, event.uncertainty);
    csv += table_lines(a);
    if (scores != nullptr) csv += score_lines(*scores);
    return csv;
}

}  // namespace sinew::gait
