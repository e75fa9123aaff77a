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
            {"source", name_of(event.source)}};
}

Json to_json(const GaitCycleSpan& cycle) {
    Json phases = Json::array(), measured = Json::array();
    for (std::size_t p = 0; p <= phase_count; ++p)
        phases.push_back(cycle.phases[p]), measured.push_back(cycle.measured[p]);
    return {{"side", model::name_of(cycle.side)},
            {"start", cycle.start},
            {"end", cycle.end},
            {"phases", phases},
            {"measured", measured},
            {"single_support", number(single_support(cycle))},
            {"double_support", number(double_support(cycle))}};
}

/// Means and standard deviations in degrees at 0, 5, ... 95 % of the cycle, to a whole and a half degree.
struct NormalRow {
    GaitAngle angle;
    std::array<double, 20> mean, deviation;
};

/// Typically developing children and adolescents at their own pace (Schwartz 2008, free speed).
constexpr std::array normal_rows = {
    NormalRow{GaitAngle::pelvic_tilt,
              {12, 12, 11, 11, 11, 11, 12, 12, 12, 12, 12, 12, 11, 11, 11, 11, 12, 12, 12, 12},
              {5, 5, 5, 5, 5, 5, 4.5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5}},
    NormalRow{GaitAngle::pelvic_obliquity,
              {1, 2, 3, 4, 3, 2, 0, 0, 0, 0, -1, -2, -3, -4, -3, -2, 0, 0, 0, 0},
              {2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2}},
    NormalRow{GaitAngle::hip_flexion,
              {36, 35, 33, 28, 23, 17, 11, 6, 2, -2, -5, -5, -1, 8, 18, 26, 32, 36, 37, 36},
              {5.5, 5.5, 6, 6, 6, 6, 6, 6.5, 6.5, 7, 7, 7, 7, 6.5, 6, 6, 5.5, 5.5, 5.5, 5.5}},
    NormalRow{GaitAngle::hip_adduction,
              {-2, 1, 4, 5, 5, 4, 3, 3, 2, 2, 1, -2, -5, -7, -6, -5, -3, -2, -2, -2},
              {3.5, 3.5, 3.5, 3.5, 3.5, 3, 3, 3, 3, 3, 3, 3, 3.5, 3, 3, 3, 3, 3, 3, 3.5}},
    NormalRow{GaitAngle::hip_rotation,
              {-3, -2, 1, 0, 0, -1, -1, -1, -2, -2, -3, -4, -5, -5, -3, -1, 1, 0, -2, -3},
              {9, 9, 9.5, 10, 10, 10, 9.5, 9.5, 9.5, 9.5, 9.5, 9.5, 9.5, 9.5, 9.5, 10, 10, 9.5, 9, 9}},
    NormalRow{GaitAngle::knee_flexion,
              {6, 13, 19, 19, 16, 13, 10, 8, 6, 7, 12, 20, 34, 49, 58, 58, 50, 36, 19, 6},
              {5.5, 5.5, 6.5, 6, 6, 5.5, 5.5, 5.5, 5.5, 5.5, 5.5, 6, 6.5, 6, 5.5, 6.5, 8, 8.5, 8.5, 7}},
    NormalRow{GaitAngle::ankle_dorsiflexion,
              {-2, -6, -2, 2, 5, 7, 9, 10, 11, 12, 10, 2, -14, -19, -11, -4, 1, 2, 1, -1},
              {5.5, 4.5, 4, 4, 4, 3.5, 4, 4, 4.5, 5, 5.5, 8, 9.5, 9, 7.5, 6, 5, 4, 4.5, 5}},
};

/// Through the values of a period, smooth (Catmull and Rom 1974).
double periodic(const std::array<double, 20>& values, double percent) {
    const double at = percent / 5, t = at - std::floor(at);
    const auto i = static_cast<std::size_t>(at) % values.size();
    const auto value = [&](std::size_t k) { return values[(i + k + values.size() - 1) % values.size()]; };
    const double a = value(0), b = value(1), c = value(2), d = value(3);
    return b + 0.5 * t * (c - a + t * (2 * a - 5 * b + 4 * c - d + t * (3 * (b - c) + d - a)));
}

}  // namespace

Json to_json(const GaitAnalysis& a) {
    Json json;
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
    json["angles"] = {{"source", a.angles.source}};
    json["spatiotemporal"] = Json::object();
    for (const Side side : {Side::left, Side::right}) {
        const std::string name = side == Side::left ? "left" : "right";
        for (std::size_t i = 0; i < angle_count; ++i) {
            const CycleCurve& curve = a.curve(side, angle_at(i));
            if (curve.empty()) continue;
            json["angles"][name][std::string(info(angle_at(i)).key)] = {
                {"cycles", curve.each.size()}, {"mean", curve.mean}, {"deviation", curve.deviation}};
        }
        for (std::size_t i = 0; i < angle_count; ++i)
            if (const auto rms = a.agreement[side == Side::left ? 0 : 1][i])
                json["solved_against_stored_rms"][name][std::string(info(angle_at(i)).key)] = *rms;
        for (const SpatioTemporalRow& row : spatiotemporal_rows())
            json["spatiotemporal"][name][std::string(row.key)] =
                number(a.sides[side == Side::left ? 0 : 1].*row.value);
    }
    for (const SpatioTemporalRow& row : spatiotemporal_rows())
        json["symmetry"][std::string(row.key)] =
            number(symmetry_index(a.sides[0].*row.value, a.sides[1].*row.value));
    json["unmeasured"] = a.unmeasured;
    json["notes"] = a.notes;
    return json;
}

std::string to_csv(const GaitAnalysis& a) {
    std::string csv = "kind,side,name,percent,mean,deviation,unit\n";
    for (const Side side : {Side::left, Side::right}) {
        const std::string name = side == Side::left ? "left" : "right";
        for (std::size_t i = 0; i < angle_count; ++i) {
            const CycleCurve& curve = a.curve(side, angle_at(i));
            for (std::size_t k = 0; k < curve.mean.size(); ++k)
                csv += fmt::format("angle,{},{},{},{:.4f},{:.4f},deg\n", name, info(angle_at(i)).key, k,
                                   curve.mean[k], curve.deviation[k]);
        }
        for (const SpatioTemporalRow& row : spatiotemporal_rows()) {
            const auto value = a.sides[side == Side::left ? 0 : 1].*row.value;
            if (value) csv += fmt::format("value,{},{},,{:.5f},,{}\n", name, row.key, *value, row.unit);
        }
        // What was not measured is not listed.
        const std::optional<MeanPhases>& phases = a.phases[side == Side::left ? 0 : 1];
        for (std::size_t p = 0; phases && p < phase_count; ++p)
            if (phases->measured[p])
                csv += fmt::format("phase,{},{},{:.3f},,,%\n", name, short_name(static_cast<GaitPhase>(p)),
                                   phases->percent[p]);
    }
    for (const GaitEvent& event : a.events.events)
        csv += fmt::format("event,{},{},,{:.5f},,s\n", model::name_of(event.side), name_of(event.kind),
                           event.time);
    return csv;
}

NormalBand published_normal() {
    NormalBand band;
    band.citation =
        "Normal band: mean and one standard deviation of typically developing children and adolescents at "
        "their "
        "own pace, M. H. Schwartz, A. Rozumalski, J. P. Trost, The effect of walking speed on the gait of "
        "typically developing children, Journal of Biomechanics 41 (2008) 1639-1650, taken every 5 % and "
        "rounded. Pelvic and ankle rotation have none.";
    for (const NormalRow& row : normal_rows) {
        NormalCurve& curve = band.curves[static_cast<std::size_t>(row.angle)];
        for (std::size_t i = 0; i < curve_samples; ++i) {
            curve.mean.push_back(periodic(row.mean, static_cast<double>(i)));
            curve.deviation.push_back(std::max(0.0, periodic(row.deviation, static_cast<double>(i))));
        }
    }
    return band;
}

NormalBand normal_from(const model::GaitCycle& cycle, const std::string& name) {
    NormalBand band;
    band.citation = "Normal band: mean and standard deviation of " + name;
    const GaitAnalysis analysis = analyse_gait(cycle);
    for (std::size_t a = 0; a < angle_count; ++a) {
        const CycleCurve &l = analysis.curve(Side::left, angle_at(a)),
                         &r = analysis.curve(Side::right, angle_at(a));
        NormalCurve& normal = band.curves[a];
        for (std::size_t i = 0; i < curve_samples; ++i) {
            if (l.empty() && r.empty()) break;
            const CycleCurve &first = l.empty() ? r : l, &second = r.empty() ? l : r;
            normal.mean.push_back((first.mean[i] + second.mean[i]) / 2);
            normal.deviation.push_back((first.deviation[i] + second.deviation[i]) / 2);
        }
    }
    return band;
}

}  // namespace sinew::gait
