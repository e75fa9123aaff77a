// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include "sinew/gait/gait.h"

namespace sinew::gait {

using math::Vec3d;
using model::Side;

namespace {

Side other(Side side) {
    return side == Side::left ? Side::right : Side::left;
}

/// First event of a kind within an open interval.
std::optional<double> first_between(std::span<const GaitEvent> events, Side side, GaitEventKind kind,
                                    double from, double to) {
    for (const GaitEvent& event : events) {
        if (event.side == side && event.kind == kind && event.time > from && event.time < to)
            return event.time;
    }
    return std::nullopt;
}

/// Time between `from` and `to` at which a - b passes zero along an axis, while increasing.
std::optional<double> passing(const GaitMotion& motion, const std::vector<Vec3d>& a,
                              const std::vector<Vec3d>& b, double from, double to) {
    if (a.empty() || b.empty()) return std::nullopt;
    const auto first = static_cast<std::size_t>(std::max(0.0, std::ceil(from * motion.rate)));
    const auto last =
        std::min(motion.frames, static_cast<std::size_t>(std::max(0.0, std::floor(to * motion.rate))) + 1);
    for (std::size_t f = first + 1; f < last; ++f) {
        const double before = motion.forward.dot(a[f - 1] - b[f - 1]), now = motion.forward.dot(a[f] - b[f]);
        if (before < 0 && now >= 0)
            return (static_cast<double>(f - 1) + before / (before - now)) / motion.rate;
    }
    return std::nullopt;
}

/// Removes boundaries that are out of order: they come from wrong events.
void drop_disordered(PhaseBoundaries& phases) {
    double last = 0;
    for (std::size_t i = 1; i < phase_count; ++i) {
        if (phases[i] > last)
            last = phases[i];
        else
            phases[i] = unmeasured_phases[i];
    }
}

/// A mean that is empty when no value was added.
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

std::optional<Vec3d> position_at(const std::vector<Vec3d>& path, double time, double rate) {
    const auto f = static_cast<std::ptrdiff_t>(std::lround(time * rate));
    if (f < 0 || f >= static_cast<std::ptrdiff_t>(path.size()) ||
        !path[static_cast<std::size_t>(f)].allFinite())
        return std::nullopt;
    return path[static_cast<std::size_t>(f)];
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
        const auto start = position_at(own.heel, cycle.start, a.rate),
                   end = position_at(own.heel, cycle.end, a.rate);
        const auto standing = position_at(other.heel, cycle.end, a.rate);
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
    if (const auto leg = a.measures.leg_length()) {
        constexpr double g = 9.81;
        const auto over = [&](std::optional<double> value, double unit) {
            return value ? std::optional(*value / unit) : std::nullopt;
        };
        result.speed_per_leg = over(result.speed, std::sqrt(g * *leg));
        result.cadence_per_leg = over(result.cadence, 60 * std::sqrt(g / *leg));
        result.stride_per_leg = over(result.stride_length, *leg);
        result.step_per_leg = over(result.step_length, *leg);
    }
    return result;
}

}  // namespace

void find_phases(const GaitMotion& motion, GaitCycleSpan& cycle) {
    const auto set = [&](std::size_t i, std::optional<double> time) {
        if (time) cycle.phases[i] = cycle.percent(*time);
    };
    set(1, cycle.opposite_off);
    set(3, cycle.opposite_strike);
    if (cycle.opposite_off && cycle.opposite_strike)
        set(2, (*cycle.opposite_off + *cycle.opposite_strike) / 2);
    set(4, cycle.off);
    if (cycle.off) {
        const LegPoints &own = motion.leg(cycle.side), &standing = motion.leg(other(cycle.side));
        const auto adjacent = passing(motion, own.heel, standing.heel, *cycle.off, cycle.end);
        set(5, adjacent);
        set(6, passing(motion, own.ankle, own.knee, adjacent.value_or(*cycle.off), cycle.end));
    }
    drop_disordered(cycle.phases);
}

PhaseBoundaries mean_phases(std::span<const PhaseBoundaries> cycles) {
    PhaseBoundaries mean = unmeasured_phases;
    for (std::size_t i = 1; i < phase_count; ++i) {
        Mean each;
        for (const PhaseBoundaries& cycle : cycles) each.add(cycle[i]);
        mean[i] = each.get().value_or(unmeasured_phases[i]);
    }
    drop_disordered(mean);
    return mean;
}

std::vector<PhaseSpan> measured_spans(const PhaseBoundaries& phases) {
    std::vector<PhaseSpan> spans;
    for (std::size_t i = 1, first = 0; i < phases.size(); ++i) {
        if (!std::isfinite(phases[i])) continue;
        spans.push_back({first, i});
        first = i;
    }
    return spans;
}

std::string_view short_name(GaitPhase phase) {
    constexpr std::array<std::string_view, phase_count> names = {"LR",  "MSt", "TSt", "PSw",
                                                                 "ISw", "MSw", "TSw"};
    return names[static_cast<std::size_t>(phase)];
}

std::string_view long_name(GaitPhase phase) {
    constexpr std::array<std::string_view, phase_count> names = {
        "loading response", "mid-stance", "terminal stance", "pre-swing",
        "initial swing",    "mid-swing",  "terminal swing"};
    return names[static_cast<std::size_t>(phase)];
}

std::vector<GaitCycleSpan> find_cycles(std::span<const GaitEvent> events, const GaitMotion& motion) {
    std::vector<GaitCycleSpan> cycles;
    for (const GaitEvent& event : events) {
        if (event.kind != GaitEventKind::strike) continue;
        const auto next =
            first_between(events, event.side, GaitEventKind::strike, event.time, event.time + 4);
        if (!next || *next - event.time < 0.4) continue;
        if (const auto off = first_between(events, event.side, GaitEventKind::off, event.time, *next);
            off && first_between(events, event.side, GaitEventKind::off, *off, *next))
            continue;  // two steps: the strike between them was not detected
        GaitCycleSpan cycle;
        cycle.side = event.side;
        cycle.start = event.time;
        cycle.end = *next;
        cycle.opposite_off =
            first_between(events, other(event.side), GaitEventKind::off, cycle.start, cycle.end);
        cycle.opposite_strike =
            first_between(events, other(event.side), GaitEventKind::strike, cycle.start, cycle.end);
        cycle.off = first_between(events, event.side, GaitEventKind::off, cycle.start, cycle.end);
        find_phases(motion, cycle);
        cycles.push_back(cycle);
    }
    return cycles;
}

std::optional<double> single_support(const GaitCycleSpan& cycle) {
    if (!cycle.opposite_off || !cycle.opposite_strike || *cycle.opposite_off > *cycle.opposite_strike)
        return std::nullopt;
    return 100 * (*cycle.opposite_strike - *cycle.opposite_off) / cycle.duration();
}

std::optional<double> double_support(const GaitCycleSpan& cycle) {
    const auto single = single_support(cycle);
    if (!single || !cycle.off) return std::nullopt;
    return cycle.percent(*cycle.off) - *single;
}

std::array<SpatioTemporal, 2> spatiotemporal(const GaitAnalysis& analysis) {
    return {side_parameters(analysis, Side::left), side_parameters(analysis, Side::right)};
}

std::span<const SpatioTemporalRow> spatiotemporal_rows() {
    using S = SpatioTemporal;
    static constexpr std::array<SpatioTemporalRow, 14> rows = {{
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
        {"speed_per_leg", "Speed / √(g · leg)", "1", &S::speed_per_leg},
        {"cadence_per_leg", "Cadence · √(leg / g)", "1", &S::cadence_per_leg},
        {"stride_per_leg", "Stride length / leg", "1", &S::stride_per_leg},
        {"step_per_leg", "Step length / leg", "1", &S::step_per_leg},
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
            const CycleCurve& curve = a.curve(side, curve_at(i));
            if (curve.empty() || info(curve_at(i)).variable.empty()) continue;
            model::GaitVariable variable{std::string(info(curve_at(i)).variable), side, 2, {}};
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
        const std::optional<PhaseBoundaries>& phases = a.phases[side == Side::left ? 0 : 1];
        if (s.cycles > 0 && phases && std::isfinite((*phases)[3])) add("OppositeFootContact", (*phases)[3]);
    }
    return cycle;
}

}  // namespace sinew::gait
