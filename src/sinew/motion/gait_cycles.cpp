#include "sinew/gait/gait.h"

#include <algorithm>
#include <cmath>

namespace sinew::motion {

using math::Vec3d;
using model::Side;

namespace {

Side other(Side side) {
    return side == Side::left ? Side::right : Side::left;
}

/// First event of a kind inside an open interval.
std::optional<double> first_between(std::span<const GaitEvent> events, Side side, GaitEventKind kind,
                                    double from, double to) {
    for (const GaitEvent& event : events) {
        if (event.side == side && event.kind == kind && event.time > from && event.time < to)
            return event.time;
    }
    return std::nullopt;
}

/// Time between `from` and `to` at which a - b passes zero along an axis, going up.
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

/// Boundaries that were not measured keep their usual share of the way between those that were.
void spread_unmeasured(GaitCycleSpan& cycle) {
    std::size_t left = 0;
    for (std::size_t i = 1; i <= phase_count; ++i) {
        if (!cycle.measured[i]) continue;
        for (std::size_t k = left + 1; k < i; ++k) {
            const double t = (usual_phases[k] - usual_phases[left]) / (usual_phases[i] - usual_phases[left]);
            cycle.phases[k] = cycle.phases[left] + t * (cycle.phases[i] - cycle.phases[left]);
        }
        left = i;
    }
}

void find_phases(const GaitMotion& motion, GaitCycleSpan& cycle) {
    const auto set = [&](std::size_t i, std::optional<double> time) {
        if (!time) return;
        cycle.phases[i] = cycle.percent(*time);
        cycle.measured[i] = true;
    };
    cycle.measured[0] = cycle.measured[phase_count] = true;
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
    // A boundary out of order was not measured but mistaken.
    for (std::size_t i = 1, last = 0; i < phase_count; ++i) {
        if (cycle.measured[i] && cycle.phases[i] <= cycle.phases[last]) cycle.measured[i] = false;
        if (cycle.measured[i]) last = i;
    }
    spread_unmeasured(cycle);
}

}  // namespace

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

}  // namespace sinew::motion
