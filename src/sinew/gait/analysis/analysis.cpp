// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <map>

#include "sinew/base/error.h"
#include "sinew/base/text.h"
#include "sinew/gait/analysis/marker_paths.h"
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

/// Compares every rule with more reliable events: those of the file, else those of force platforms.
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

/// The cycles of a side from a trace by frame; `rate` is the rate of the trace, if it is not that of the
/// markers.
CycleCurve curve_of(const GaitAnalysis& a, Side side, std::span<const double> trace, double rate) {
    std::vector<std::vector<double>> each;
    std::vector<std::size_t> cycles;
    for (std::size_t i = 0; i < a.cycles.size(); ++i) {
        if (a.cycles[i].side != side) continue;
        auto curve = normalise(trace, rate, a.cycles[i].start, a.cycles[i].end);
        if (curve.empty()) continue;
        each.push_back(std::move(curve));
        cycles.push_back(i);
    }
    CycleCurve curve = summarise(std::move(each));
    curve.cycles = std::move(cycles);
    return curve;
}

void find_curves(GaitAnalysis& a) {
    for (const EmgChannel& channel : a.emg) a.emg_curves.push_back({channel.label, {}});
    for (const Side side : {Side::left, Side::right}) {
        for (std::size_t i = 0; i < curve_count; ++i)
            a.curves[slot(side)][i] = curve_of(a, side, a.traces.of(side, curve_at(i)), a.rate);
        for (std::size_t i = 0; i < a.emg.size(); ++i)
            a.emg_curves[i].sides[slot(side)] = curve_of(a, side, a.emg[i].envelope, a.emg[i].rate);
    }
    mark_outliers(a);
}

void find_mean_phases(GaitAnalysis& a) {
    for (const Side side : {Side::left, Side::right}) {
        std::vector<PhaseBoundaries> each;
        for (const GaitCycleSpan& cycle : a.cycles)
            if (cycle.side == side) each.push_back(cycle.phases);
        if (!each.empty()) a.phases[slot(side)] = mean_phases(each);
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

/// Whether angles come from the markers or joints of the trial, not from another program.
bool is_computed(const GaitTraces& traces) {
    return !traces.empty() && traces.source != stored_angles;
}

/// Adds a note, and marks the computed curves that it concerns, of one side or of both, as unreliable.
void doubt_computed(GaitAnalysis& a, std::string note, Side side = Side::none,
                    std::span<const GaitCurve> curves = {}) {
    if (is_computed(a.traces)) {
        note += !curves.empty()      ? ". Do not rely on the angles of this foot"
                : side != Side::none ? ". Do not rely on the angles of this leg"
                                     : ". Do not rely on any angle";
        for (const std::size_t s : {0u, 1u})
            for (std::size_t i = 0; i < curve_count; ++i)
                if (!a.traces.traces[s][i].empty() && (side == Side::none || slot(side) == s) &&
                    (curves.empty() || std::ranges::count(curves, curve_at(i)) > 0))
                    a.doubts[s][i] = note;
    }
    a.notes.push_back(std::move(note));
}

/// Signs that labels or units are wrong.
void doubt_labels(GaitAnalysis& a) {
    using enum GaitCurve;
    const LegPoints &left = a.motion.leg(Side::left), &right = a.motion.leg(Side::right);
    const Vec3d aside = Vec3d::UnitY().cross(a.motion.forward);
    const double apart =
        mean_difference(left.heel, right.heel, aside) + mean_difference(left.knee, right.knee, aside);
    if (!a.motion.on_the_spot && apart < -0.05)
        doubt_computed(
            a, "the left leg is to the right of the right one: labels may be swapped, or it walks backwards");
    for (const Side side : {Side::left, Side::right}) {
        const LegPoints& leg = a.motion.leg(side);
        if (mean_difference(leg.knee, leg.ankle, Vec3d::UnitY()) < -0.05)
            doubt_computed(a, "the " + word(side) + " knee is below its ankle: labels may be swapped", side);
        if (!a.motion.on_the_spot && mean_difference(leg.toe, leg.heel, a.motion.forward) < -0.02)
            doubt_computed(
                a,
                "the " + word(side) + " toe is behind its heel: labels may be swapped, or it walks backwards",
                side, std::array{ankle_dorsiflexion, foot_progression, ankle_rotation});
    }
    const double height = std::max(mean_difference(a.motion.pelvis, left.heel, Vec3d::UnitY()),
                                   mean_difference(a.motion.pelvis, right.heel, Vec3d::UnitY()));
    if (height != 0 && (height < 0.25 || height > 1.6)) {
        doubt_computed(
            a, fmt::format("the pelvis is {:.3g} m above the heels: the units or the axes may be wrong",
                           height));
    }
}

/// Compares computed angles with the stored ones. Differences larger than those between laboratories are
/// doubtful; when angles do not match at all, one of the two is wrong.
void doubt_models(GaitAnalysis& a) {
    constexpr double apart = 3, far = 10;  // degrees
    const bool one_agrees = std::ranges::any_of(a.agreement, [](const ModelAgreement& each) {
        bool compared = false;
        for (std::size_t i = 0; i < angle_count; ++i)
            for (const std::size_t s : {0u, 1u}) {
                if (!each.rms[s][i]) continue;
                if (*each.rms[s][i] > far) return false;
                compared = true;
            }
        return compared;
    });
    for (const ModelAgreement& each : a.agreement) {
        const std::string_view model =
            each.model == AngleModel::fit ? "the fitted skeleton" : "the conventional gait model";
        std::string list;
        for (std::size_t i = 0; i < angle_count; ++i)
            for (const std::size_t s : {0u, 1u}) {
                if (!each.rms[s][i] || *each.rms[s][i] <= apart) continue;
                std::string& doubt = a.doubts[s][i];
                if (doubt.empty() && a.traces.source.starts_with(model))
                    doubt = fmt::format("{:.1f}° (rms) from the curve that the file stores", *each.rms[s][i]);
                if (*each.rms[s][i] <= far) continue;
                list += fmt::format("{}{} {} by {:.0f}°", list.empty() ? "" : ", ", s == 0 ? "left" : "right",
                                    to_lower(info(curve_at(i)).title), *each.rms[s][i]);
            }
        // When another model agrees, a model that is not used is only listed in the table.
        if (!list.empty() && (a.traces.source.starts_with(model) || !one_agrees))
            a.notes.push_back(fmt::format(
                "{} disagrees with the angles that the file stores: {} (rms). Do not rely on it before "
                "labels and markers are checked",
                model, list));
    }
}

/// Curves that cannot be relied on; curves with the same reason share a sentence.
std::vector<std::string> tell_doubts(const GaitAnalysis& a) {
    std::vector<std::pair<std::string, std::string>> reasons;  // reason with its side, and the curves
    for (const std::size_t s : {0u, 1u})
        for (std::size_t i = 0; i < angle_count; ++i) {
            if (a.doubts[s][i].empty() || a.traces.traces[s][i].empty()) continue;
            const std::string curve = to_lower(info(curve_at(i)).title), reason = a.doubts[s][i];
            if (std::ranges::count(a.notes, reason) > 0) continue;
            const std::string first = fmt::format("{} {}", s == 0 ? "left" : "right", curve);
            if (!reasons.empty() && reasons.back().first == reason)
                reasons.back().second += ", " + curve;
            else
                reasons.emplace_back(reason, first);
        }
    std::vector<std::string> all;
    for (const auto& [reason, curves] : reasons)
        all.push_back(fmt::format("do not rely on {}: {}", curves, reason));
    return all;
}

/// Reports two offs of a foot without a strike between them: these steps do not give a cycle.
void tell_missing_strikes(GaitAnalysis& a) {
    for (const Side side : {Side::left, Side::right}) {
        const GaitEvent* last = nullptr;
        for (const GaitEvent& event : a.events.events) {
            if (event.side != side) continue;
            if (last != nullptr && last->kind == GaitEventKind::off && event.kind == GaitEventKind::off)
                a.notes.push_back(fmt::format(
                    "a {} foot strike is missing between the foot offs at {:.2f} and {:.2f} s: the steps "
                    "around it are not used",
                    word(side), last->time, event.time));
            last = &event;
        }
    }
}

/// Signs of a gait for which the phases are not defined.
void tell_other_gaits(GaitAnalysis& a) {
    for (const Side side : {Side::left, Side::right})
        if (const auto stance = a.sides[slot(side)].stance; stance && *stance < 50)
            a.notes.push_back(
                fmt::format("the {} foot is on the ground for {:.0f} % of its cycle: a run or a jump, whose "
                            "phases are not "
                            "those of walking",
                            word(side), *stance));
    const auto left = a.sides[0].stride_time, right = a.sides[1].stride_time;
    if (left && right && std::abs(*left - *right) > 0.1 * (*left + *right))
        a.notes.push_back(
            fmt::format("left strides take {:.2f} s and right ones {:.2f} s: steps were missed, or this is "
                        "not a steady walk",
                        *left, *right));
}

/// Notes for the user about missing data.
void take_notes(GaitAnalysis& a) {
    doubt_labels(a);
    tell_missing_strikes(a);
    tell_other_gaits(a);
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
                                 ? "the body stands still or moves in place: this is not a walking trial"
                                 : "the body walks in place (treadmill): step lengths and speed are unknown");
    }
    if (a.traces.empty())
        a.notes.emplace_back("no joint angles: the trial stores none, and its markers were not solved");
    for (const GaitCycleSpan& cycle : a.cycles) {
        if (!cycle.off || !cycle.opposite_off || !cycle.opposite_strike) {
            a.notes.push_back(
                fmt::format("events are missing in the {} cycle at {:.2f} s: not all of its phases are known",
                            word(cycle.side), cycle.start));
        }
    }
}

/// Events outside the recorded frames.
void leave_out_outside(GaitAnalysis& a) {
    const double reach = 0.5 / a.rate, last = static_cast<double>(a.frames - 1) / a.rate;
    const auto count = std::erase_if(a.events.events, [&](const GaitEvent& event) {
        return event.time < -reach || event.time > last + reach;
    });
    if (count > 0)
        a.notes.push_back(fmt::format("{} outside the recording, which ends at {:.2f} s, {} not used",
                                      count == 1 ? "an event" : fmt::format("{} events", count), last,
                                      count == 1 ? "is" : "are"));
}

void choose_cycles(GaitAnalysis& a, std::span<const CycleChoice> skip) {
    leave_out_outside(a);
    a.cycles = find_cycles(a.events.events, a.motion);
    for (const CycleChoice& choice : skip) {
        const auto count = std::erase_if(a.cycles, [&](const GaitCycleSpan& cycle) {
            return cycle.side == choice.side && std::abs(cycle.start - choice.start) < 0.1;
        });
        if (count > 0) continue;
        std::string starts;
        for (const GaitCycleSpan& cycle : a.cycles)
            starts += fmt::format("{}{} {:.2f}", starts.empty() ? "" : ", ", word(cycle.side), cycle.start);
        fail("", "no {} cycle begins at {:.2f} s; cycles begin at: {}", word(choice.side), choice.start,
             starts.empty() ? "none" : starts);
    }
}

void finish(GaitAnalysis& a, Monitor& monitor) {
    judge_rules(a);
    find_curves(a);
    find_mean_phases(a);
    a.sides = spatiotemporal(a);
    a.doubts = doubts_of(a.traces);
    take_notes(a);
    for (const std::string& note : a.notes) warn(monitor, "gait-incomplete", "{}", note);
    const std::size_t before = a.notes.size();
    doubt_models(a);
    for (std::string& doubt : tell_doubts(a)) a.notes.push_back(std::move(doubt));
    for (std::size_t i = before; i < a.notes.size(); ++i) warn(monitor, "gait-untrusted", "{}", a.notes[i]);
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

/// Root mean square of the differences, over frames in which both have a value.
std::optional<double> rms_between(const std::vector<double>& x, const std::vector<double>& y) {
    double squares = 0, count = 0;
    for (std::size_t f = 0; f < std::min(x.size(), y.size()); ++f) {
        if (!std::isfinite(x[f]) || !std::isfinite(y[f])) continue;
        squares += (x[f] - y[f]) * (x[f] - y[f]);
        ++count;
    }
    return count > 0 ? std::optional(std::sqrt(squares / count)) : std::nullopt;
}

/// The axis of the laboratory along which a body walks, as in the conventional model; the direction itself
/// when it is more than 20 degrees from every axis.
Vec3d laboratory_axis(const model::Trial& trial, const Vec3d& forward) {
    Vec3d nearest = forward;
    double best = std::cos(math::radians(20));
    for (int axis = 0; axis < 3; ++axis) {
        Vec3d direction = trial.to_world.rotation * Vec3d(Vec3d::Unit(axis));
        if (direction.dot(forward) < 0) direction = -direction;
        if (direction.dot(forward) < best) continue;
        best = direction.dot(forward);
        nearest = direction;
    }
    return nearest;
}

/// Stored and computed curves of the same frames: one of them is reported, with the differences of the
/// others.
class TraceFinder {
  public:
    TraceFinder(const model::Trial& trial, const GaitOptions& options, GaitAnalysis& analysis)
        : trial_(trial),
          options_(options),
          a_(analysis),
          stored_(traces_from_outputs(trial, analysis.measures.mass)) {}

    void run(const model::Character* solved) {
        if (options_.model != AngleModel::fit) add_conventional();
        if (solved != nullptr) add_fit(*solved);
        if (!trial_.platforms.empty())
            a_.ground = ground_reactions(trial_, a_.motion, options_.events.force_threshold, silent());
        if (std::ranges::any_of(a_.ground.hits, &PlateHit::clean)) {
            if (!a_.measures.mass)
                a_.notes.emplace_back(
                    "moments and powers need the mass of the body, which the file does "
                    "not give");
            for (Computed& each : computed_)
                if (a_.measures.mass)
                    add_kinetics(each.frames, trial_.rate, a_.ground, a_.cycles, *a_.measures.mass,
                                 each.forward, each.traces);
        }
        for (const Computed& each : computed_) compare(each);
        choose();
    }

  private:
    struct Computed {
        AngleModel model;
        std::vector<BodyFrame> frames;
        Vec3d forward;
        GaitTraces traces;
    };

    void add_conventional() {
        try {
            ConventionalModel model =
                conventional_model(trial_, a_.measures, options_.standing ? &*options_.standing : nullptr);
            const Vec3d forward = laboratory_axis(trial_, a_.motion.forward);
            computed_.push_back({AngleModel::conventional, std::move(model.frames), forward, {}});
            computed_.back().traces = angles_of(computed_.back().frames, forward);
            computed_.back().traces.source =
                a_.measures.recovered ? "the conventional gait model, with the widths and offsets of the "
                                        "segments that the file stores"
                                      : "the conventional gait model";
            for (std::string& note : model.notes) conventional_notes_.push_back(std::move(note));
        } catch (const Error& error) {
            if (options_.model == AngleModel::conventional) throw;
        }
    }

    void add_fit(const model::Character& solved) {
        std::vector<BodyFrame> frames = body_frames(solved.skeleton, solved.clips[0]);
        point_feet(frames);
        GaitTraces traces = angles_of(frames, a_.motion.forward);
        traces.source = "the fitted skeleton";
        leave_out_unmeasured(traces);
        blank_unseen(traces);
        computed_.push_back({AngleModel::fit, std::move(frames), a_.motion.forward, std::move(traces)});
    }

    /// When heel and toe have markers, these give the direction of a foot; the generic skeleton has the same
    /// direction for all feet.
    void point_feet(std::vector<BodyFrame>& frames) const {
        for (std::size_t f = 0; f < std::min(frames.size(), a_.motion.frames); ++f) {
            for (const std::size_t s : {0u, 1u}) {
                const LegPoints& points = a_.motion.legs[s];
                if (points.heel.empty() || points.toe.empty()) continue;
                math::Mat3d& foot = frames[f].legs[s].foot;
                const Vec3d along = foot.transpose() * (points.toe[f] - points.heel[f]);
                const double yaw = std::atan2(along.y(), along.x());
                if (std::isfinite(yaw)) foot = foot * Eigen::AngleAxisd(yaw, Vec3d::UnitZ());
            }
        }
    }

    /// Parts without a marker keep their rest pose in the fitted skeleton; this is not their real motion.
    void leave_out_unmeasured(GaitTraces& traces) const {
        using enum GaitCurve;
        const auto unmeasured = [&](const std::string& part) {
            return std::ranges::count(a_.unmeasured, part) > 0;
        };
        for (const Side side : {Side::left, Side::right}) {
            const auto drop = [&](std::initializer_list<GaitCurve> curves) {
                for (const GaitCurve curve : curves) traces.of(side, curve).clear();
            };
            if (unmeasured("trunk")) drop({trunk_tilt, trunk_obliquity, trunk_rotation});
            if (unmeasured("trunk") || unmeasured(word(side) + " arm"))
                drop({shoulder_flexion, shoulder_abduction});
            if (unmeasured(word(side) + " arm")) drop({elbow_flexion});
        }
    }

    /// Removes frames in which too few markers of a segment were visible to determine its position, or its
    /// rotation about its long axis: there the solver's result is not a measurement.
    void blank_unseen(GaitTraces& traces) const {
        using enum GaitCurve;
        using enum model::Role;
        const MarkerPaths paths(trial_);
        std::map<std::pair<model::Role, Side>, std::vector<Path>> seen;
        for (const motion::MappedMarker& marker : paths.map().markers)
            seen[{marker.location.segment, marker.location.side}].push_back(paths.of(marker.point));
        for (const Side side : {Side::left, Side::right}) {
            const auto blank = [&](const std::vector<Path>& markers, std::size_t wanted,
                                   std::initializer_list<GaitCurve> curves) {
                for (std::size_t f = 0; f < trial_.frames; ++f) {
                    const auto count = std::ranges::count_if(
                        markers, [&](const Path& path) { return !path.empty() && path[f].allFinite(); });
                    if (static_cast<std::size_t>(count) >= wanted) continue;
                    for (const GaitCurve curve : curves)
                        if (auto& trace = traces.of(side, curve); f < trace.size()) trace[f] = math::nan;
                }
            };
            const auto &pelvis = seen[{hips, Side::none}], &upper = seen[{thigh, side}],
                       &lower = seen[{shin, side}], &end = seen[{foot, side}];
            blank(pelvis, std::min<std::size_t>(3, pelvis.size()),
                  {pelvic_tilt, pelvic_obliquity, pelvic_rotation, hip_flexion, hip_adduction, hip_rotation});
            blank(upper, 1, {hip_flexion, hip_adduction, knee_flexion});
            blank(upper, 2, {hip_rotation, knee_adduction, knee_rotation});
            blank(lower, 1, {knee_flexion, knee_adduction, ankle_dorsiflexion});
            blank(lower, 2, {knee_rotation, ankle_rotation});
            blank(end, std::clamp<std::size_t>(end.size(), 1, 2),
                  {ankle_dorsiflexion, ankle_rotation, foot_progression});
            for (auto& trace : traces.traces[slot(side)])
                if (std::ranges::none_of(trace, [](double value) { return std::isfinite(value); }))
                    trace.clear();
        }
    }

    void compare(const Computed& each) {
        ModelAgreement agreement{each.model, {}};
        bool any = false;
        for (std::size_t s = 0; s < 2; ++s) {
            for (std::size_t i = 0; i < curve_count; ++i) {
                agreement.rms[s][i] = rms_between(each.traces.traces[s][i], stored_.traces[s][i]);
                any = any || agreement.rms[s][i];
            }
        }
        if (any) a_.agreement.push_back(agreement);
    }

    /// Takes the curves that the first lacks from the second.
    static void complete(GaitTraces& traces, const GaitTraces& other, std::size_t first, std::size_t last) {
        for (std::size_t s = 0; s < 2; ++s)
            for (std::size_t i = first; i < last; ++i)
                if (traces.traces[s][i].empty()) traces.traces[s][i] = other.traces[s][i];
    }

    std::size_t kinetic_cycles(const GaitTraces& traces) const {
        std::size_t count = 0;
        for (const Side side : {Side::left, Side::right})
            count += curve_of(a_, side, traces.of(side, GaitCurve::ankle_moment), a_.rate).each.size();
        return count;
    }

    /// Stored moments and powers are kept unless the computed ones cover more cycles; both sides use one
    /// source.
    void choose_kinetics(const GaitTraces& computed) {
        const std::size_t stored = kinetic_cycles(a_.traces), own = kinetic_cycles(computed);
        if (own > stored) {
            if (stored > 0)
                a_.notes.push_back(
                    fmt::format("moments and powers are computed for {} cycles: those of the file cover {}",
                                own, stored));
            for (std::size_t s = 0; s < 2; ++s)
                for (std::size_t i = angle_count; i < curve_count; ++i) a_.traces.traces[s][i].clear();
        }
        complete(a_.traces, computed, angle_count, curve_count);
    }

    void choose() {
        if (options_.angles == AngleSource::file && stored_.empty())
            fail(trial_.name, "the file stores no joint angles");
        if (options_.angles == AngleSource::solved && computed_.empty())
            fail(trial_.name, "no joint angles can be computed: the markers cannot be solved");
        if (options_.angles == AngleSource::file ||
            (options_.angles == AngleSource::automatic && !stored_.empty())) {
            a_.traces = std::move(stored_);
            if (!computed_.empty()) choose_kinetics(computed_.front().traces);
        } else if (!computed_.empty()) {
            a_.traces = computed_.front().traces;
            if (computed_.front().model == AngleModel::conventional)
                a_.notes.insert(a_.notes.end(), conventional_notes_.begin(), conventional_notes_.end());
            // The conventional model has no arms, and has a trunk only when there are markers for it.
            if (computed_.size() > 1)
                complete(a_.traces, computed_[1].traces, static_cast<std::size_t>(GaitCurve::trunk_tilt),
                         angle_count);
        }
    }

    const model::Trial& trial_;
    const GaitOptions& options_;
    GaitAnalysis& a_;
    GaitTraces stored_;
    std::vector<Computed> computed_;
    std::vector<std::string> conventional_notes_;
};

/// Values from the user take precedence over those of the file.
BodyMeasures measures_for(const model::Trial& trial, const BodyMeasures& given) {
    BodyMeasures all = measures_of(trial);
    const auto take = [](std::optional<double>& value, std::optional<double> better) {
        if (better) value = better;
    };
    take(all.mass, given.mass), take(all.height, given.height), take(all.age, given.age);
    take(all.asis_width, given.asis_width);
    if (given.sex) all.sex = given.sex;
    for (const std::size_t s : {0u, 1u})
        for (const auto value :
             {&LegMeasures::leg_length, &LegMeasures::knee_width, &LegMeasures::ankle_width,
              &LegMeasures::asis_trochanter, &LegMeasures::thigh_rotation, &LegMeasures::shank_rotation,
              &LegMeasures::tibial_torsion, &LegMeasures::plantar_flexion, &LegMeasures::foot_rotation})
            take(all.legs[s].*value, given.legs[s].*value);
    return all;
}

/// Phases from the contacts that a reported cycle contains, in percent; empty when it contains none.
std::optional<PhaseBoundaries> reported_phases(const model::GaitCycle& cycle, Side side) {
    GaitCycleSpan span;
    span.side = side;
    span.end = 100;
    span.opposite_off = cycle.value(side, "OppositeFootOff");
    span.opposite_strike = cycle.value(side, "OppositeFootContact");
    span.off = cycle.value(side, "FootOff");
    if (!span.opposite_off && !span.opposite_strike && !span.off) return std::nullopt;
    find_phases({}, span);
    return span.phases;
}

}  // namespace

std::string_view name_of(AngleModel model) {
    constexpr std::array<std::string_view, 3> names = {"auto", "cgm", "fit"};
    return names[static_cast<std::size_t>(model)];
}

std::string why_no_cycle(const GaitAnalysis& a, Side side) {
    if (std::ranges::any_of(a.cycles, [&](const GaitCycleSpan& c) { return c.side == side; })) return {};
    std::vector<double> strikes;
    for (const GaitEvent& event : a.events.events)
        if (event.side == side && event.kind == GaitEventKind::strike) strikes.push_back(event.time);
    if (a.frames == 0) return "the file gives no foot contacts";
    if (strikes.empty()) return "no foot strike was found";
    if (strikes.size() == 1)
        return fmt::format("only one foot strike (at {:.2f} s), and a cycle needs two", strikes[0]);
    return fmt::format(
        "no two of its {} foot strikes follow each other within 0.4 to 4 s with one foot off "
        "between",
        strikes.size());
}

std::vector<double> normalise(std::span<const double> frames, double rate, double start, double end,
                              std::size_t samples) {
    std::vector<double> curve;
    if (frames.empty() || samples < 2 || !(end > start)) return curve;
    for (std::size_t i = 0; i < samples; ++i) {
        const double at =
            (start + (end - start) * static_cast<double>(i) / static_cast<double>(samples - 1)) * rate;
        // Events lie between frames, so the last may be slightly after the last frame.
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
    if (!trial.markers.empty()) a.unmeasured = unmeasured_parts(trial);
    a.events = find_events(trial, a.motion, options.events, monitor);
    rate_events(trial, a.motion, a.events);
    edit_events(a.events.events, options.edits);
    choose_cycles(a, options.skip);
    a.measures = measures_for(trial, options.measures);
    a.emg = emg_channels(trial, options.emg);
    TraceFinder(trial, options, a).run(solved);
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
    rate_events({}, a.motion, a.events);
    edit_events(a.events.events, options.edits);
    choose_cycles(a, options.skip);
    a.measures = options.measures;
    a.traces = angles_from_clip(character.skeleton, clip, a.motion.forward);
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
    a.traces.source = "curves of the file";
    for (const Side side : {Side::left, Side::right}) {
        for (std::size_t i = 0; i < angle_count; ++i) {
            if (info(curve_at(i)).variable.empty()) continue;
            const model::GaitVariable* const curve = cycle.find(side, info(curve_at(i)).variable);
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
            if (v && *v > 10) *v /= 1000;  // some laboratories use millimetres
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
