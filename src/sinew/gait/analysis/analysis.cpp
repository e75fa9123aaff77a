// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include "sinew/base/error.h"
#include "sinew/gait/gait.h"
#include "sinew/model/roles.h"
#include "sinew/motion/solve.h"

namespace sinew::gait {

using math::Vec3d;
using model::Side;

namespace {

std::size_t slot(Side side) {
    return side == Side::left ? 0 : 1;
}

std::string word(Side side) {
    return side == Side::left ? "left" : "right";
}

/// How well every rule does against what is known better.
void judge_rules(GaitAnalysis& a) {
    const bool file = !a.events.file.empty();
    const std::vector<GaitEvent>& truth = file ? a.events.file : a.events.platforms;
    if (truth.empty()) return;
    a.reference = name_of(truth.front().source);
    for (const EventRule rule : event_rules()) {
        const std::vector<GaitEvent> found = events_by_rule(a.motion, rule);
        a.rules.push_back({rule, compare_events(truth, found, GaitEventKind::strike, a.rate),
                           compare_events(truth, found, GaitEventKind::off, a.rate)});
    }
}

void find_curves(GaitAnalysis& a) {
    for (const Side side : {Side::left, Side::right}) {
        for (std::size_t i = 0; i < angle_count; ++i) {
            std::vector<std::vector<double>> each;
            for (const GaitCycleSpan& cycle : a.cycles) {
                if (cycle.side != side) continue;
                auto curve = normalise(a.angles.of(side, angle_at(i)), a.rate, cycle.start, cycle.end);
                if (!curve.empty()) each.push_back(std::move(curve));
            }
            a.curves[slot(side)][i] = summarise(std::move(each));
        }
    }
}

void find_mean_phases(GaitAnalysis& a) {
    for (const Side side : {Side::left, Side::right}) {
        std::size_t count = 0;
        MeanPhases mean;
        for (const GaitCycleSpan& cycle : a.cycles) {
            if (cycle.side != side) continue;
            ++count;
            for (std::size_t p = 0; p <= phase_count; ++p) {
                mean.percent[p] += cycle.phases[p];
                mean.measured[p] = mean.measured[p] || cycle.measured[p];
            }
        }
        for (double& percent : mean.percent) percent /= static_cast<double>(std::max<std::size_t>(1, count));
        if (count > 0) a.phases[slot(side)] = mean;
    }
}

/// Mean of a - b along an axis, or 0 when one of them was not measured.
double mean_difference(const std::vector<Vec3d>& a, const std::vector<Vec3d>& b, const Vec3d& axis) {
    double sum = 0;
    std::size_t count = 0;
    for (std::size_t f = 0; f < std::min(a.size(), b.size()); ++f) {
        const double each = axis.dot(a[f] - b[f]);
        if (!std::isfinite(each)) continue;
        sum += each;
        ++count;
    }
    return count == 0 ? 0 : sum / static_cast<double>(count);
}

/// Signs that labels or units are not what they say.
void doubt_labels(GaitAnalysis& a) {
    const LegPoints &left = a.motion.leg(Side::left), &right = a.motion.leg(Side::right);
    const Vec3d aside = Vec3d::UnitY().cross(a.motion.forward);
    const double apart =
        mean_difference(left.heel, right.heel, aside) + mean_difference(left.knee, right.knee, aside);
    if (!a.motion.on_the_spot && apart < -0.05)
        a.notes.emplace_back(
            "the left leg is to the right of the right one: labels may be swapped, or it walks backwards");
    for (const Side side : {Side::left, Side::right}) {
        const LegPoints& leg = a.motion.leg(side);
        if (!a.motion.on_the_spot && mean_difference(leg.toe, leg.heel, a.motion.forward) < -0.02)
            a.notes.push_back("the " + word(side) +
                              " toe is behind its heel: labels may be swapped, or it walks backwards");
    }
    const double height = std::max(mean_difference(a.motion.pelvis, left.heel, Vec3d::UnitY()),
                                   mean_difference(a.motion.pelvis, right.heel, Vec3d::UnitY()));
    if (height != 0 && (height < 0.25 || height > 1.6)) {
        a.notes.push_back(fmt::format(
            "the pelvis is {:.3g} m above the heels: the units or the axes may be wrong", height));
    }
}

/// What a person must know about what is missing.
void take_notes(GaitAnalysis& a) {
    doubt_labels(a);
    if (!a.motion.missing.empty()) {
        std::string list;
        for (const std::string& each : a.motion.missing) list += (list.empty() ? "" : ", ") + each;
        a.notes.push_back("not found: " + list);
    }
    for (const Side side : {Side::left, Side::right}) {
        if (const std::string why = why_no_cycle(a, side); !why.empty())
            a.notes.push_back("no complete cycle of the " + word(side) + " leg: " + why);
    }
    if (a.motion.on_the_spot && !a.motion.pelvis.empty()) {
        a.notes.emplace_back(a.events.events.empty()
                                 ? "the body stands or moves on the spot: this is not a walking trial"
                                 : "the body walks on the spot (treadmill): no lengths and no speed");
    }
    if (a.angles.empty())
        a.notes.emplace_back("no joint angles: the trial stores none, and its markers were not solved");
    for (const GaitCycleSpan& cycle : a.cycles) {
        if (!cycle.off || !cycle.opposite_off || !cycle.opposite_strike) {
            a.notes.push_back(
                fmt::format("events are missing in the {} cycle at {:.2f} s: its phases are the usual ones",
                            word(cycle.side), cycle.start));
        }
    }
}

void finish(GaitAnalysis& a, Monitor& monitor) {
    a.cycles = find_cycles(a.events.events, a.motion);
    judge_rules(a);
    find_curves(a);
    find_mean_phases(a);
    a.sides = spatiotemporal(a);
    take_notes(a);
    for (const std::string& note : a.notes) warn(monitor, "gait-incomplete", "{}", note);
}

/// Parts of the body without a marker.
std::vector<std::string> unmeasured_parts(const model::Trial& trial) {
    using enum model::Role;
    struct BodyPart {
        const char* name;
        Side side;
        std::vector<model::Role> segments;
    };
    static const std::vector<BodyPart> body = {{"head", Side::none, {head}},
                                               {"trunk", Side::none, {upper_chest}},
                                               {"left arm", Side::left, {upper_arm, forearm, hand}},
                                               {"right arm", Side::right, {upper_arm, forearm, hand}},
                                               {"left leg", Side::left, {thigh, shin, foot}},
                                               {"right leg", Side::right, {thigh, shin, foot}}};
    const motion::MarkerMap map = motion::map_markers(trial.markers);
    std::vector<std::string> parts;
    for (const BodyPart& part : body) {
        const bool seen = std::ranges::any_of(map.markers, [&](const motion::MappedMarker& m) {
            return m.location.side == part.side && std::ranges::count(part.segments, m.location.segment) > 0;
        });
        if (!seen) parts.emplace_back(part.name);
    }
    return parts;
}

/// Stored and solved angles of the same frames: one of them is reported, and how far the other is off.
void find_angles(const model::Trial& trial, const model::Character* solved, AngleSource source,
                 GaitAnalysis& a) {
    GaitAngles stored = angles_from_outputs(trial), own;
    if (solved != nullptr) {
        own = angles_from_clip(solved->skeleton, solved->clips[0], a.motion.forward);
        own.source = "the solved markers";
    }
    for (std::size_t s = 0; s < 2; ++s) {
        for (std::size_t i = 0; i < angle_count; ++i) {
            const std::vector<double>&x = own.curves[s][i], &y = stored.curves[s][i];
            double squares = 0, count = 0;
            for (std::size_t f = 0; f < std::min(x.size(), y.size()); ++f) {
                if (!std::isfinite(x[f]) || !std::isfinite(y[f])) continue;
                squares += (x[f] - y[f]) * (x[f] - y[f]);
                ++count;
            }
            if (count > 0) a.agreement[s][i] = std::sqrt(squares / count);
        }
    }
    const bool use_stored =
        source == AngleSource::file || own.empty() || (source == AngleSource::automatic && !stored.empty());
    a.angles = std::move(use_stored ? stored : own);
}

/// Phases from the contacts that a reported cycle gives, in percent; nothing when it gives none.
std::optional<MeanPhases> reported_phases(const model::GaitCycle& cycle, Side side) {
    GaitCycleSpan span;
    span.side = side;
    span.end = 100;
    span.opposite_off = cycle.value(side, "OppositeFootOff");
    span.opposite_strike = cycle.value(side, "OppositeFootContact");
    span.off = cycle.value(side, "FootOff");
    if (!span.opposite_off && !span.opposite_strike && !span.off) return std::nullopt;
    find_phases({}, span);
    return MeanPhases{span.phases, span.measured};
}

}  // namespace

std::string why_no_cycle(const GaitAnalysis& a, Side side) {
    if (std::ranges::any_of(a.cycles, [&](const GaitCycleSpan& c) { return c.side == side; })) return {};
    std::vector<double> strikes;
    for (const GaitEvent& event : a.events.events)
        if (event.side == side && event.kind == GaitEventKind::strike) strikes.push_back(event.time);
    if (a.frames == 0) return "the file gives no foot contacts";
    if (strikes.empty()) return "no foot strike was found";
    if (strikes.size() == 1)
        return fmt::format("only one foot strike (at {:.2f} s), and a cycle needs two", strikes[0]);
    return fmt::format("no two of its {} foot strikes follow each other within 0.4 to 4 s", strikes.size());
}

std::vector<double> normalise(std::span<const double> frames, double rate, double start, double end,
                              std::size_t samples) {
    std::vector<double> curve;
    if (frames.empty() || samples < 2 || !(end > start)) return curve;
    for (std::size_t i = 0; i < samples; ++i) {
        const double at =
            (start + (end - start) * static_cast<double>(i) / static_cast<double>(samples - 1)) * rate;
        // Events lie between frames, so the last may be a hair beyond them.
        if (at < -1e-6 || at > static_cast<double>(frames.size() - 1) + 0.5) return {};
        const double inside = std::clamp(at, 0.0, static_cast<double>(frames.size() - 1));
        const auto f = std::min(static_cast<std::size_t>(inside), frames.size() - 1);
        const std::size_t g = std::min(f + 1, frames.size() - 1);
        const double t = inside - static_cast<double>(f);
        const double value = t == 0 ? frames[f] : (1 - t) * frames[f] + t * frames[g];
        if (!std::isfinite(value)) return {};
        curve.push_back(value);
    }
    return curve;
}

CycleCurve summarise(std::vector<std::vector<double>> cycles) {
    CycleCurve curve;
    curve.each = std::move(cycles);
    if (curve.each.empty()) return curve;
    const auto n = static_cast<double>(curve.each.size());
    curve.mean.assign(curve.each.front().size(), 0);
    curve.deviation.assign(curve.mean.size(), 0);
    for (std::size_t i = 0; i < curve.mean.size(); ++i) {
        for (const auto& each : curve.each) curve.mean[i] += each[i] / n;
        for (const auto& each : curve.each)
            curve.deviation[i] += (each[i] - curve.mean[i]) * (each[i] - curve.mean[i]);
        curve.deviation[i] = n > 1 ? std::sqrt(curve.deviation[i] / (n - 1)) : 0;
    }
    return curve;
}

GaitAnalysis analyse_gait(const model::Trial& trial, const GaitOptions& options, Monitor& monitor,
                          const model::Character* solved) {
    if (trial.frames == 0) fail(trial.name, "the trial has no frames");
    if (!(trial.rate > 0)) fail(trial.name, "the trial has no frame rate");
    GaitAnalysis a;
    a.rate = trial.rate;
    a.frames = trial.frames;
    a.motion = gait_motion(trial);
    if (solved != nullptr && solved->clips.empty()) solved = nullptr;
    if (solved != nullptr && !a.motion.missing.empty())
        copy_points(gait_motion(solved->skeleton, solved->clips[0]), a.motion);
    a.unmeasured = unmeasured_parts(trial);
    a.events = find_events(trial, a.motion, options.events, monitor);
    edit_events(a.events.events, options.edits);
    find_angles(trial, solved, options.angles, a);
    finish(a, monitor);
    return a;
}

GaitAnalysis analyse_gait(const model::Character& character, const model::Clip& clip,
                          const GaitOptions& options, Monitor& monitor) {
    GaitAnalysis a;
    a.motion = gait_motion(character.skeleton, clip);
    a.rate = a.motion.rate;
    a.frames = a.motion.frames;
    a.events.markers = events_by_rule(a.motion, options.events.rule);
    a.events.events = a.events.markers;
    edit_events(a.events.events, options.edits);
    a.angles = angles_from_clip(character.skeleton, clip, a.motion.forward);
    const std::vector<model::JointRole> roles = model::find_roles(character.skeleton);
    if (model::find_role(roles, model::Role::head) < 0) a.unmeasured.emplace_back("head");
    for (const Side side : {Side::left, Side::right})
        if (model::find_role(roles, model::Role::upper_arm, side) < 0)
            a.unmeasured.push_back(word(side) + " arm");
    finish(a, monitor);
    return a;
}

GaitAnalysis analyse_gait(const model::GaitCycle& cycle) {
    GaitAnalysis a;
    a.angles.source = "curves of the file";
    for (const Side side : {Side::left, Side::right}) {
        for (std::size_t i = 0; i < angle_count; ++i) {
            const model::GaitVariable* const curve = cycle.find(side, info(angle_at(i)).variable);
            if (curve == nullptr || curve->rows() < 2) continue;
            CycleCurve& out = a.curves[slot(side)][i];
            for (std::size_t k = 0; k < curve_samples; ++k) {
                const double at =
                    static_cast<double>(k * (curve->rows() - 1)) / static_cast<double>(curve_samples - 1);
                const auto row = std::min(static_cast<std::size_t>(at), curve->rows() - 2);
                const double t = at - static_cast<double>(row);
                const auto column = [&](std::size_t c) {
                    return (1 - t) * curve->at(row, c) + t * curve->at(row + 1, c);
                };
                out.mean.push_back(column(0));
                out.deviation.push_back(curve->columns > 1 ? column(1) : 0);
            }
            out.each = {out.mean};
        }
        SpatioTemporal& s = a.sides[slot(side)];
        const auto metres = [&](const char* name) {
            std::optional<double> v = cycle.value(side, name);
            if (v && *v > 10) *v /= 1000;  // some laboratories write millimetres
            return v;
        };
        s.stride_time = cycle.value(side, "StrideTime");
        s.step_time = cycle.value(side, "StepTime");
        s.cadence = cycle.value(side, "Cadence");
        s.stride_length = metres("StrideLength");
        s.step_length = metres("StepLength");
        s.stance = cycle.value(side, "FootOff");
        s.single_support = cycle.value(side, "SingleSupport");
        s.double_support = cycle.value(side, "DoubleSupport");
        if (s.stride_length && s.stride_time && *s.stride_time > 0)
            s.speed = *s.stride_length / *s.stride_time;
        a.phases[slot(side)] = reported_phases(cycle, side);
    }
    if (a.curves[0][0].empty() && a.curves[1][0].empty())
        a.notes.emplace_back("no pelvis curves in the file");
    a.unmeasured = {"head", "trunk", "left arm", "right arm"};
    return a;
}

}  // namespace sinew::gait
