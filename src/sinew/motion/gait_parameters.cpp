// Times, lengths and symmetry of a walk, and the analysis as JSON, CSV and a playable cycle.

#include <algorithm>
#include <cmath>

#include "sinew/gait/gait.h"

namespace sinew::motion {

using math::Vec3d;
using model::Side;

namespace {

/// A mean that is nothing when nothing was added.
class Mean {
  public:
    void add(std::optional<double> value) {
        if (!value || !std::isfinite(*value)) return;
        sum_ += *value;
        ++count_;
    }
    std::optional<double> get() const {
        return count_ == 0 ? std::nullopt : std::optional(sum_ / static_cast<double>(count_));
    }

  private:
    double sum_ = 0;
    std::size_t count_ = 0;
};

std::optional<Vec3d> place_at(const std::vector<Vec3d>& way, double time, double rate) {
    const auto f = static_cast<std::ptrdiff_t>(std::lround(time * rate));
    if (f < 0 || f >= static_cast<std::ptrdiff_t>(way.size()) ||
        !way[static_cast<std::size_t>(f)].allFinite())
        return std::nullopt;
    return way[static_cast<std::size_t>(f)];
}

SpatioTemporal side_parameters(const GaitAnalysis& a, Side side) {
    SpatioTemporal result;
    Mean stride, step, length, step_length, width, stance, single, both;
    const GaitMotion& m = a.motion;
    const LegPoints &own = m.leg(side), &other = m.leg(side == Side::left ? Side::right : Side::left);
    const Vec3d aside = Vec3d::UnitY().cross(m.forward);
    for (const GaitCycleSpan& cycle : a.cycles) {
        if (cycle.side != side) continue;
        ++result.cycles;
        stride.add(cycle.duration());
        if (cycle.opposite_strike) step.add(cycle.end - *cycle.opposite_strike);
        if (cycle.off) stance.add(cycle.percent(*cycle.off));
        single.add(single_support(cycle));
        both.add(double_support(cycle));
        const auto start = place_at(own.heel, cycle.start, a.rate),
                   end = place_at(own.heel, cycle.end, a.rate);
        const auto standing = place_at(other.heel, cycle.end, a.rate);
        if (end && standing) width.add(std::abs(aside.dot(*end - *standing)));
        if (m.on_the_spot) continue;
        if (start && end) length.add(m.forward.dot(*end - *start));
        if (end && standing) step_length.add(m.forward.dot(*end - *standing));
    }
    result.stride_time = stride.get();
    result.step_time = step.get();
    if (result.stride_time) result.cadence = 120 / *result.stride_time;
    result.stride_length = length.get();
    result.step_length = step_length.get();
    result.step_width = width.get();
    if (result.stride_length && result.stride_time)
        result.speed = *result.stride_length / *result.stride_time;
    result.stance = stance.get();
    result.single_support = single.get();
    result.double_support = both.get();
    return result;
}

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

}  // namespace

std::array<SpatioTemporal, 2> spatiotemporal(const GaitAnalysis& analysis) {
    return {side_parameters(analysis, Side::left), side_parameters(analysis, Side::right)};
}

std::span<const SpatioTemporalRow> spatiotemporal_rows() {
    using S = SpatioTemporal;
    static constexpr std::array<SpatioTemporalRow, 10> rows = {{
        {"cadence", "Cadence", "steps/min", &S::cadence},
        {"speed", "Walking speed", "m/s", &S::speed},
        {"stride_time", "Stride time", "s", &S::stride_time},
        {"step_time", "Step time", "s", &S::step_time},
        {"stride_length", "Stride length", "m", &S::stride_length},
        {"step_length", "Step length", "m", &S::step_length},
        {"step_width", "Step width", "m", &S::step_width},
        {"stance", "Stance", "%", &S::stance},
        {"single_support", "Single support", "%", &S::single_support},
        {"double_support", "Double support", "%", &S::double_support},
    }};
    return rows;
}

std::optional<double> symmetry_index(std::optional<double> left, std::optional<double> right) {
    if (!left || !right) return std::nullopt;
    const double mean = (std::abs(*left) + std::abs(*right)) / 2;
    return mean > 0 ? 100 * std::abs(*left - *right) / mean : 0;
}

model::GaitCycle to_cycle(const GaitAnalysis& a) {
    model::GaitCycle cycle;
    cycle.source = "DST-0.GCD";
    for (const Side side : {Side::left, Side::right}) {
        for (std::size_t i = 0; i < angle_count; ++i) {
            const CycleCurve& curve = a.curve(side, angle_at(i));
            if (curve.empty()) continue;
            model::GaitVariable variable{std::string(info(angle_at(i)).variable), side, 2, {}};
            for (std::size_t k = 0; k < curve.mean.size(); k += 2) {
                variable.values.push_back(curve.mean[k]);
                variable.values.push_back(curve.deviation[k]);
            }
            cycle.variables.push_back(std::move(variable));
        }
        const SpatioTemporal& s = a.sides[side == Side::left ? 0 : 1];
        const auto add = [&](const char* name, std::optional<double> value) {
            if (value) cycle.variables.push_back({name, side, 1, {*value}});
        };
        add("StrideTime", s.stride_time);
        add("StepTime", s.step_time);
        add("Cadence", s.cadence);
        add("StrideLength", s.stride_length);
        add("StepLength", s.step_length);
        add("FootOff", s.stance);
        add("SingleSupport", s.single_support);
        add("DoubleSupport", s.double_support);
        if (s.cycles > 0) add("OppositeFootContact", a.phases[side == Side::left ? 0 : 1][3]);
    }
    return cycle;
}

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
        for (std::size_t p = 0; p < phase_count; ++p)
            csv += fmt::format("phase,{},{},{:.3f},,,%\n", name, short_name(static_cast<GaitPhase>(p)),
                               a.phases[side == Side::left ? 0 : 1][p]);
    }
    for (const GaitEvent& event : a.events.events)
        csv += fmt::format("event,{},{},,{:.5f},,s\n", model::name_of(event.side), name_of(event.kind),
                           event.time);
    return csv;
}

}  // namespace sinew::motion
