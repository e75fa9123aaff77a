// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Walking trials as numbers and as characters: events, cycles and phases, joint angles, times and lengths.
///
/// \code
/// const model::Trial trial = io::read("walk.c3d").trial;
/// const gait::GaitAnalysis analysis = gait::analyse_gait(trial);
/// for (const gait::GaitCycleSpan& cycle : analysis.cycles) fmt::print("{} to {} s\n", cycle.start,
/// cycle.end);
/// \endcode

#include <array>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/base/monitor.h"
#include "sinew/math/types.h"
#include "sinew/model/character.h"
#include "sinew/model/roles.h"
#include "sinew/model/trial.h"
#include "sinew/motion/edit.h"

namespace sinew::gait {

// Points of the body

/// Points of one leg over time, in metres with +y up; NaN where not measured, empty when there is no such
/// point.
struct LegPoints {
    std::vector<math::Vec3d> heel;
    std::vector<math::Vec3d> toe;
    std::vector<math::Vec3d> ankle;
    std::vector<math::Vec3d> knee;
};

struct GaitMotion {
    double rate = 0;
    std::size_t frames = 0;
    std::vector<math::Vec3d> pelvis;
    std::array<LegPoints, 2> legs;  ///< left, right
    math::Vec3d forward = math::Vec3d::UnitZ();
    double travel = 0;               ///< of the pelvis along `forward`, metres
    bool on_the_spot = false;        ///< a treadmill, a motion in place, or standing
    std::vector<std::string> found;  ///< "left heel: LHEE", for the report
    std::vector<std::string> missing;

    const LegPoints& leg(model::Side side) const { return legs[side == model::Side::left ? 0 : 1]; }
    LegPoints& leg(model::Side side) { return legs[side == model::Side::left ? 0 : 1]; }
    double time(std::size_t frame) const { return static_cast<double>(frame) / rate; }
};

/// Points by their labels, as the marker tables know them (map_markers). Gaps up to a tenth of a second are
/// interpolated linearly. Missing points are listed in `missing`.
GaitMotion gait_motion(const model::Trial& trial);

/// Points by the roles of joints. The heel of a skeleton is under its ankle, a third of the foot behind it.
/// \throws Error when there is no clip, or no hips and legs.
GaitMotion gait_motion(const model::Skeleton& skeleton, const model::Clip& clip);

/// Copies the points that `to` lacks from another source of the same frames.
void copy_points(const GaitMotion& from, GaitMotion& to);

/// Direction in which a body walks: the principal horizontal direction of the pelvis's path or, in place
/// (less than half a metre), the direction of the feet.
void find_progression(GaitMotion& motion);

// Events

enum class GaitEventKind : std::uint8_t { strike, off };
std::string_view name_of(GaitEventKind kind);  ///< "Foot Strike", "Foot Off"

enum class EventSource : std::uint8_t { file, platform, markers, user };
std::string_view name_of(EventSource source);

struct GaitEvent {
    model::Side side = model::Side::none;
    GaitEventKind kind = GaitEventKind::strike;
    double time = 0;  ///< seconds from the first frame
    EventSource source = EventSource::markers;
    double uncertainty = 0;  ///< seconds in both directions (rate_events)

    bool operator==(const GaitEvent&) const = default;
};

/// How events are found from the paths of heel and toe.
enum class EventRule : std::uint8_t {
    position,       ///< heel farthest in front of the pelvis, toe farthest behind it (Zeni 2008)
    foot_velocity,  ///< smallest and largest vertical speed of the middle of the foot (O'Connor 2007)
    acceleration,   ///< largest vertical acceleration of the heel, largest forward one of the toe (Hreljac
                    ///< and Marshall 2000)
    landing,        ///< heel comes to rest, toe starts to move: speeds relative to the walking speed
    combined,       ///< the median of three: foot velocity, acceleration, and landing or (of offs) position
};
std::span<const EventRule> event_rules();
std::string_view name_of(EventRule rule);

/// Events of the C3D groups ("Foot Strike" of "Left") and of short header labels (RHS, LTO, RIC). Others are
/// not gait events.
std::vector<GaitEvent> events_from_file(const model::Trial& trial);

/// Vertical force through `threshold` newtons. A load belongs to the foot that is nearest to its centre of
/// pressure; one that both feet share, or that begins or ends with the trial, gives no event there. Warning
/// `gait-platform` when a platform cannot be used.
std::vector<GaitEvent> events_from_platforms(const model::Trial& trial, const GaitMotion& motion,
                                             double threshold = 20, Monitor& monitor = silent());

/// Events by one rule; none for a leg without heel and toe, or for a body that does not walk.
std::vector<GaitEvent> events_by_rule(const GaitMotion& motion, EventRule rule);

struct EventOptions {
    bool use_file = true;
    bool use_platforms = true;
    EventRule rule = EventRule::combined;
    double force_threshold = 20;  ///< newtons
};

struct EventsFound {
    std::vector<GaitEvent> events;  ///< by time; strikes and offs of a foot alternate
    std::vector<GaitEvent> file, platforms, markers;
};

/// The file's events when it has two strikes; otherwise, for a leg without events in the file and for an off
/// between two strikes, the events of the markers, moved to the time at which a force platform measured the
/// same event. Of two strikes of a foot without an off between them, the second is kept only if it is at
/// least a quarter of a second later.
EventsFound find_events(const model::Trial& trial, const GaitMotion& motion, const EventOptions& options = {},
                        Monitor& monitor = silent());

/// Sets the uncertainty of events: half a frame (platforms: one sample) or, if larger, the difference between
/// the marker rules (events from markers) or to the platform's event (events of the file).
void rate_events(const model::Trial& trial, const GaitMotion& motion, EventsFound& found);

/// Differences of events from a reference, in frames; positive means late.
struct EventError {
    GaitEventKind kind = GaitEventKind::strike;
    std::size_t matched = 0;
    std::size_t missed = 0;  ///< events of the reference without a counterpart within a fifth of a second
    double mean = 0;
    double median = 0;
    double largest = 0;  ///< largest absolute value
};
EventError compare_events(std::span<const GaitEvent> reference, std::span<const GaitEvent> found,
                          GaitEventKind kind, double rate);

/// Adds an event; the list stays sorted.
void add_event(std::vector<GaitEvent>& events, const GaitEvent& event);
/// The event of a side and kind nearest to a time, within `reach` seconds; or -1.
int find_event(std::span<const GaitEvent> events, model::Side side, GaitEventKind kind, double time,
               double reach = 0.1);

/// Reads "left foot strike@1.24" (or "right foot off@1.24"): side, kind and seconds; the source is the user.
/// \throws Error when the text is something else.
GaitEvent parse_event(std::string_view text);

/// A change by the user to the detected events.
struct EventEdit {
    enum class Action : std::uint8_t { add, remove, move };
    Action action = Action::add;
    GaitEvent
        event;  ///< to add, remove or move; the latter two change the event of its side and kind within 0.1 s
    double to = 0;  ///< new time of a moved event, in seconds
};
/// Changes the list, which stays sorted.
/// \throws Error when there is no such event to remove or move; it lists the available ones.
void edit_events(std::vector<GaitEvent>& events, std::span<const EventEdit> edits);

/// The steps of a clip from its foot strikes (find_events), for motion::join_clips and motion::mix_clips;
/// none when it has fewer than two, or no hips and legs.
std::optional<motion::StepPhase> find_step_phase(const model::Skeleton& skeleton, const model::Clip& clip);

// Cycles and phases

/// The phases of a cycle, in order: loading response, mid-stance, terminal stance, pre-swing; initial, mid
/// and terminal swing.
enum class GaitPhase : std::uint8_t { lr, mst, tst, psw, isw, msw, tsw };
inline constexpr std::size_t phase_count = 7;
std::string_view short_name(GaitPhase phase);  ///< "LR"
std::string_view long_name(GaitPhase phase);   ///< "loading response"

/// Starts of the phases and end of the last one, in percent of the cycle; NaN where not measured.
using PhaseBoundaries = std::array<double, phase_count + 1>;

/// Only the cycle itself was measured.
inline constexpr PhaseBoundaries unmeasured_phases = [] {
    PhaseBoundaries phases;
    phases.fill(std::numeric_limits<double>::quiet_NaN());
    phases.front() = 0;
    phases.back() = 100;
    return phases;
}();

/// Consecutive boundaries that were measured. A span of one phase is that phase; inside a longer span the
/// boundaries are unknown.
struct PhaseSpan {
    std::size_t first = 0, last = 0;  ///< boundaries

    bool is_phase() const { return last == first + 1; }
};
std::vector<PhaseSpan> measured_spans(const PhaseBoundaries& phases);

/// From a foot's contact to its next.
struct GaitCycleSpan {
    model::Side side = model::Side::none;
    double start = 0;  ///< seconds
    double end = 0;
    std::optional<double> opposite_off;
    std::optional<double> opposite_strike;
    std::optional<double> off;
    PhaseBoundaries phases = unmeasured_phases;
    std::size_t trial = 0;  ///< index of the trial, when several were combined
    bool outlier = false;   ///< far from the other cycles of its side (mark_outliers)

    double duration() const { return end - start; }
    double percent(double time) const { return 100 * (time - start) / duration(); }
};

/// Cycles of both sides by their starts. A cycle is a strike and the next strike of the same foot 0.4 to 4
/// seconds later, with at most one off between them. Boundaries: opposite off; half of single support;
/// opposite strike; own off; feet adjacent (the heels pass each other horizontally); shank vertical (the
/// ankle passes the knee).
std::vector<GaitCycleSpan> find_cycles(std::span<const GaitEvent> events, const GaitMotion& motion);

/// Fills in `phases` of a cycle from its events and the points of the legs, as find_cycles does.
void find_phases(const GaitMotion& motion, GaitCycleSpan& cycle);

/// Each boundary's mean over the cycles in which it was measured.
PhaseBoundaries mean_phases(std::span<const PhaseBoundaries> cycles);

/// Percent of the cycle in which both feet are on the ground; empty when events are missing.
std::optional<double> double_support(const GaitCycleSpan& cycle);
std::optional<double> single_support(const GaitCycleSpan& cycle);

// Curves

/// Curves over the cycle: nine angles of the standard sheet, nine of the second, and kinetics.
enum class GaitCurve : std::uint8_t {
    pelvic_tilt,         ///< sagittal, + anterior
    pelvic_obliquity,    ///< coronal, + this side up
    pelvic_rotation,     ///< transverse, + internal: this side forward
    hip_flexion,         ///< + flexion
    hip_adduction,       ///< + adduction, - abduction
    hip_rotation,        ///< + internal
    knee_flexion,        ///< + flexion
    ankle_dorsiflexion,  ///< + dorsiflexion, - plantar flexion
    foot_progression,    ///< foot against the direction of progression, + internal
    knee_adduction,      ///< + adduction (varus)
    knee_rotation,       ///< + internal
    ankle_rotation,      ///< + internal
    trunk_tilt,          ///< + forward
    trunk_obliquity,     ///< + this side up
    trunk_rotation,      ///< + this side forward
    shoulder_flexion,    ///< + flexion
    shoulder_abduction,  ///< + abduction
    elbow_flexion,       ///< + flexion
    hip_moment,          ///< internal, Nm/kg: + extensor
    knee_moment,         ///< + extensor
    ankle_moment,        ///< + plantar flexor
    hip_side_moment,     ///< coronal: + abductor
    knee_side_moment,    ///< coronal: + abductor (valgus)
    hip_twist_moment,    ///< transverse: + external rotator
    hip_power,           ///< W/kg: + generated
    knee_power,
    ankle_power,
    ground_forward,  ///< of the ground on the foot, N/kg: + forward (propulsion)
    ground_medial,   ///< + towards the other foot
    ground_up,
};
inline constexpr std::size_t curve_count = 30;
inline constexpr std::size_t angle_count = 18;  ///< the first ones are angles
inline constexpr std::size_t sheet_angles = 9;  ///< of the standard sheet

/// Description of a curve: name, plane, meaning of the signs, and its names in files.
struct CurveInfo {
    std::string_view key;       ///< "hip_flexion"
    std::string_view title;     ///< "Hip flexion"
    std::string_view plane;     ///< "sagittal"
    std::string_view positive;  ///< "flexion"
    std::string_view negative;  ///< "extension"
    std::string_view unit;      ///< "°"
    std::string_view output;    ///< model output of a trial without its side: "HipAngles"
    int component = 0;          ///< of the output
    std::string_view variable;  ///< of a GCD file: "HipFlexExt"
};
const CurveInfo& info(GaitCurve curve);
inline GaitCurve curve_at(std::size_t i) {
    return static_cast<GaitCurve>(i);
}

/// Values by frame; NaN where not measured, empty where there is no such curve.
struct GaitTraces {
    std::array<std::array<std::vector<double>, curve_count>, 2> traces;  ///< left and right
    std::string source;  ///< of the angles: "model outputs of the file", ...

    std::vector<double>& of(model::Side side, GaitCurve curve) {
        return traces[side == model::Side::left ? 0 : 1][static_cast<std::size_t>(curve)];
    }
    const std::vector<double>& of(model::Side side, GaitCurve curve) const {
        return traces[side == model::Side::left ? 0 : 1][static_cast<std::size_t>(curve)];
    }
    bool empty() const;  ///< no angles
};

/// Model outputs that a trial stores (LHipAngles, RKneeAnglesV, LAnkleMoment, ...), which already have these
/// signs. Moments, powers and forces are per kilogram.
/// \param trial with outputs
/// \param mass in kg, to divide values that are not per kilogram; without it such curves are left out
GaitTraces traces_from_outputs(const model::Trial& trial, std::optional<double> mass = {});

/// Reasons why curves cannot be relied on, left and right; empty for curves without doubts.
using CurveDoubts = std::array<std::array<std::string, curve_count>, 2>;

/// Checks of the knee angles, and with them of the hip rotation. A knee is nearly a hinge: when it seems to
/// bend sideways in step with its flexion, the thigh of the model is rotated about its long axis. Limits: 10°
/// for the rotation that minimises the sideways motion (Baker 1999), where it removes more than half of it;
/// 8° for mean varus or valgus, 25° for mean rotation.
CurveDoubts doubts_of(const GaitTraces& traces);

// Segments

/// One leg in one frame: joint centres in metres with +y up, and axes of segments with the columns forward,
/// left and up; NaN where unknown.
struct LegFrame {
    math::Vec3d hip = math::Vec3d::Constant(math::nan), knee = hip, ankle = hip, toe = hip;
    math::Mat3d thigh = math::Mat3d::Constant(math::nan), shank = thigh, foot = thigh;
    math::Mat3d ankle_axes =
        thigh;  ///< the shank with the axis of the ankle, which differs by the tibial torsion
};

struct BodyFrame {
    math::Mat3d pelvis = math::Mat3d::Constant(math::nan), trunk = pelvis;
    std::array<LegFrame, 2> legs;
    std::array<math::Mat3d, 2> upper_arms = {pelvis, pelvis}, forearms = {pelvis, pelvis};
};

/// Angles of segments, as Cardan angles relative to the proximal segment. In axes x forward, y left, z up,
///
///     R = R_y(a1) R_x(a2) R_z(a3)    pelvis and trunk against the progression, hip, knee, shoulder
///     R = R_y(a1) R_z(a3) R_x(a2)    ankle, foot against the progression
///
/// and angle = sign * a with the signs, left and right, of (flexion, adduction, rotation):
/// pelvis + + -, + - +; hip - - -, - + +; knee + - -, + + +; ankle - - -, - + +.
GaitTraces angles_of(std::span<const BodyFrame> frames, const math::Vec3d& forward);

/// Segments of a moving skeleton. Thigh and shank are upright when they point up, whatever the rest pose;
/// pelvis, trunk and foot are level at rest.
std::vector<BodyFrame> body_frames(const model::Skeleton& skeleton, const model::Clip& clip);
/// angles_of its segments.
GaitTraces angles_from_clip(const model::Skeleton& skeleton, const model::Clip& clip,
                            const math::Vec3d& forward);

/// Measures of one leg, in metres and radians.
struct LegMeasures {
    std::optional<double> leg_length, knee_width, ankle_width;
    std::optional<double> asis_trochanter;  ///< front spine to trochanter, forward; else by leg length
    std::optional<double> thigh_rotation, shank_rotation;  ///< of the wands
    std::optional<double> tibial_torsion;  ///< + internal: the axis of the ankle relative to that of the knee
    std::optional<double> plantar_flexion, foot_rotation;  ///< offsets of the foot in the static trial
};

enum class Sex : std::uint8_t { female, male };

struct BodyMeasures {
    std::array<LegMeasures, 2> legs;  ///< left, right
    std::optional<Sex> sex;
    std::optional<double> mass, height, age, asis_width;
    double marker_radius = 0.007;
    bool recovered = false;  ///< some were computed from the segments that the file stores

    /// The mean of both legs.
    std::optional<double> leg_length() const;
};

/// Measures in the parameters of a trial (PROCESSING: LLegLength, RKneeWidth, Bodymass, ...). Measures of a
/// leg that these lack are computed from the joint centres and axes that Plug-in Gait stores as points (LFEO,
/// LTIP, ...): they are the ones that its laboratory used, whether measured or found with a knee alignment
/// device.
BodyMeasures measures_of(const model::Trial& trial);
/// Reads "KneeWidth=102" (both legs), "LKneeWidth=102", "Bodymass=74": the names of the C3D parameters, in
/// mm, kg, years, and radians; and "Sex=female".
/// \throws Error that lists the known names.
void set_measure(BodyMeasures& measures, std::string_view text);

struct ConventionalModel {
    std::vector<BodyFrame> frames;
    BodyMeasures measures;           ///< with the offsets of the foot that were used
    std::vector<std::string> notes;  ///< what could not be computed, and why
};

/// The conventional gait model (Davis 1991, Kadaba 1990): hip centres by the regression of the Newington
/// hospital, knee and ankle centres by the chord function from width of the joint and wand, offsets of the
/// foot from the static trial, else from the parameters. With the measures of the laboratory its angles are
/// those of Plug-in Gait.
/// \param trial with the markers of the lower body
/// \param measures of the subject
/// \param static_trial the same markers on a standing subject, or null
/// \throws Error that lists missing markers and measures.
ConventionalModel conventional_model(const model::Trial& trial, const BodyMeasures& measures,
                                     const model::Trial* static_trial = nullptr);

// Forces

/// A load on a force platform.
struct PlateHit {
    std::size_t platform = 0;
    model::Side side = model::Side::none;  ///< none: both feet, or neither, are near
    double start = 0, end = 0;             ///< seconds
    bool clean = false;                    ///< one foot alone, from strike to off
    std::string why;                       ///< reason when it is not clean
};

/// Load of the ground on a foot in one frame: newtons, metres, +y up.
struct GroundReaction {
    math::Vec3d force = math::Vec3d::Zero(), center = math::Vec3d::Zero();
    math::Vec3d moment = math::Vec3d::Zero();  ///< free moment
};

struct GroundReactions {
    std::vector<PlateHit> hits;
    std::array<std::vector<GroundReaction>, 2> feet;  ///< by frame; of clean hits
};

/// Loads on platforms and the feet that caused them.
GroundReactions ground_reactions(const model::Trial& trial, const GaitMotion& motion, double threshold = 20,
                                 Monitor& monitor = silent());

/// Internal moments and powers of hip, knee and ankle per kilogram by inverse dynamics from the foot up
/// (Winter 2009), in the axes of the distal segment, with masses, centres and radii of gyration of Dempster
/// 1955; only in frames in which the foot is in the air or hits one platform cleanly.
/// \param frames segments of the body
/// \param rate frames per second
/// \param ground loads of the ground on the feet
/// \param cycles cycles for which the forces must be known
/// \param mass kg
/// \param forward direction of progression
/// \param traces receives moments, powers and ground reactions
void add_kinetics(std::span<const BodyFrame> frames, double rate, const GroundReactions& ground,
                  std::span<const GaitCycleSpan> cycles, double mass, const math::Vec3d& forward,
                  GaitTraces& traces);

/// EMG of analog channels: raw, rectified and as an envelope over time, and the envelope by cycle.
struct EmgChannel {
    std::string label;
    std::string unit;
    double rate = 0;
    std::vector<double> raw, rectified, envelope;  ///< by sample
};
/// Channels whose label or description contains EMG, or whose labels are given: mean removed, high-passed at
/// 20 Hz, rectified, low-passed at 6 Hz without phase lag (Winter 2009).
std::vector<EmgChannel> emg_channels(const model::Trial& trial, std::span<const std::string> labels = {});

// Analysis

/// A curve over the cycle: 101 samples, mean and standard deviation over cycles.
struct CycleCurve {
    std::vector<double> mean;               ///< empty when no cycle has it
    std::vector<double> deviation;          ///< of the sample (n - 1); zero for one cycle
    std::vector<std::vector<double>> each;  ///< by cycle
    std::vector<std::size_t> cycles;        ///< which ones of the analysis; empty when unknown
    bool empty() const { return mean.empty(); }
};
inline constexpr std::size_t curve_samples = 101;

/// A curve of frames between two times, at even positions of the cycle; empty when a sample is missing.
std::vector<double> normalise(std::span<const double> frames, double rate, double start, double end,
                              std::size_t samples = curve_samples);
CycleCurve summarise(std::vector<std::vector<double>> cycles);

/// Mean values over the cycles of a side; empty where not measured.
struct SpatioTemporal {
    std::size_t cycles = 0;
    std::optional<double> stride_time;     ///< s
    std::optional<double> step_time;       ///< s, from the other foot's strike to that of this foot
    std::optional<double> cadence;         ///< steps per minute
    std::optional<double> stride_length;   ///< m
    std::optional<double> step_length;     ///< m, distance of this foot in front of the other at its strike
    std::optional<double> step_width;      ///< m
    std::optional<double> speed;           ///< m/s
    std::optional<double> stance;          ///< percent of the cycle
    std::optional<double> single_support;  ///< percent
    std::optional<double> double_support;  ///< percent
    // Dimensionless (Hof 1996), with leg length l and g = 9.81 m/s²:
    std::optional<double> speed_per_leg;    ///< v / sqrt(g l)
    std::optional<double> cadence_per_leg;  ///< steps per second times sqrt(l / g)
    std::optional<double> stride_per_leg;   ///< stride length / l
    std::optional<double> step_per_leg;
};

struct GaitAnalysis;
/// Left and right, from the cycles and points of an analysis.
std::array<SpatioTemporal, 2> spatiotemporal(const GaitAnalysis& analysis);

/// One row of the table: its name, unit and values.
struct SpatioTemporalRow {
    std::string_view key;
    std::string_view title;
    std::string_view unit;
    std::optional<double> SpatioTemporal::* value;
};
std::span<const SpatioTemporalRow> spatiotemporal_rows();

/// Absolute difference of the sides divided by their mean, in percent (Robinson 1987).
std::optional<double> symmetry_index(std::optional<double> left, std::optional<double> right);

/// Where the joint angles of a trial come from.
enum class AngleSource : std::uint8_t {
    automatic,  ///< the model outputs that the file stores, else the solved markers
    file,
    solved,
};

/// How angles are computed from markers.
enum class AngleModel : std::uint8_t {
    automatic,     ///< conventional where markers and measures allow it, else the fitted skeleton
    conventional,  ///< conventional_model
    fit,           ///< the skeleton that was fitted to all markers
};
std::string_view name_of(AngleModel model);  ///< "cgm", "fit"

/// A cycle, given by its side and approximate start.
struct CycleChoice {
    model::Side side = model::Side::none;
    double start = 0;
};

struct GaitOptions {
    EventOptions events;
    AngleSource angles = AngleSource::automatic;
    AngleModel model = AngleModel::automatic;
    BodyMeasures measures;                 ///< take precedence over those of the file
    std::optional<model::Trial> standing;  ///< static trial of the same markers
    std::vector<std::string> emg;          ///< labels of channels
    std::vector<CycleChoice> skip;         ///< cycles that are left out
    std::vector<EventEdit> edits;          ///< by the user, applied in order to the detected events
};

struct RuleErrors {
    EventRule rule = EventRule::position;
    EventError strike, off;
};

/// Root mean square of computed minus stored curves over frames, for trials with both.
struct ModelAgreement {
    AngleModel model = AngleModel::fit;
    std::array<std::array<std::optional<double>, curve_count>, 2> rms;
};

/// Envelope of a muscle over the cycle, by the cycles of a side.
struct EmgCurve {
    std::string label;
    std::array<CycleCurve, 2> sides;
};

struct GaitAnalysis {
    std::size_t trials = 1;
    double rate = 0;
    std::size_t frames = 0;
    GaitMotion motion;
    EventsFound events;
    std::string reference;          ///< events with which `rules` are compared: "file", "platform", or empty
    std::vector<RuleErrors> rules;  ///< accuracy of each rule compared with the reference
    std::vector<GaitCycleSpan> cycles;
    GaitTraces traces;
    std::vector<ModelAgreement> agreement;
    std::array<std::array<CycleCurve, curve_count>, 2> curves;  ///< left, right
    CurveDoubts doubts;
    BodyMeasures measures;
    GroundReactions ground;
    std::vector<EmgChannel> emg;
    std::vector<EmgCurve> emg_curves;
    std::array<SpatioTemporal, 2> sides;
    /// Means over the cycles in which each was measured; empty for a side without a cycle.
    std::array<std::optional<PhaseBoundaries>, 2> phases;
    std::vector<std::string> unmeasured;  ///< parts of the body: "head and trunk", "left arm", ...
    std::vector<std::string> notes;       ///< missing results and their reasons, for the user

    const CycleCurve& curve(model::Side side, GaitCurve curve) const {
        return curves[side == model::Side::left ? 0 : 1][static_cast<std::size_t>(curve)];
    }
};

/// `solved` is a motion of the same frames (solve): angles come from it or from stored model outputs, as the
/// options say, and its heels, toes, knees and hips are used where markers do not give them. For a trial
/// without a cycle, a standing subject, or missing markers, the result contains what could be computed, and
/// notes about the rest.
/// \param trial markers, events, platforms and stored angles of a walk
/// \param options how events and angles are found, and changes by the user
/// \param monitor receives warnings
/// \param solved the trial as a moving skeleton (motion::solve), or null
/// \return events, cycles, curves and values
/// \throws Error when the trial has no frames or no rate, or an edit of events is not possible.
GaitAnalysis analyse_gait(const model::Trial& trial, const GaitOptions& options = {},
                          Monitor& monitor = silent(), const model::Character* solved = nullptr);
/// The same for a motion: the first clip of a character.
GaitAnalysis analyse_gait(const model::Character& character, const model::Clip& clip,
                          const GaitOptions& options = {}, Monitor& monitor = silent());
/// A gait cycle that a laboratory has reported: its curves and values are not changed.
GaitAnalysis analyse_gait(const model::GaitCycle& cycle);

/// Combines several trials of one subject: all cycles; curves and values averaged over them.
/// \throws Error when there is none.
GaitAnalysis combine(std::vector<GaitAnalysis> trials);

/// Marks cycles whose curves of the standard sheet are far from the others of their side: the median over
/// curves of the distance from the median cycle is more than three times the median of these distances (and
/// 5°). Needs at least four cycles.
void mark_outliers(GaitAnalysis& analysis);

/// Reason why a side has no cycle: "only one foot strike (at 1.24 s), and a cycle needs two"; empty when it
/// has one.
std::string why_no_cycle(const GaitAnalysis& analysis, model::Side side);

/// Mean curves as the cycle that play_cycle plays and a GCD file stores.
model::GaitCycle to_cycle(const GaitAnalysis& analysis);

// Gait on characters

struct CycleOptions {
    double height = 1.75;  ///< metres, of the whole body; determines the bone lengths
    double rate = 60;  ///< frames per second; changed slightly so that a cycle is a whole number of frames
    int cycles = 1;
    bool travel = false;  ///< move forward by StrideLength per cycle, instead of in place
};

/// A pelvis with thighs, shanks and feet (pelvis, left_thigh, left_shank, left_foot, right_...) that moves as
/// given by the curves. Angles are degrees with the signs of Plug-in Gait. In the frame x forward, y left, z
/// up a segment rotates relative to its proximal segment by
///
///     R = R_y(a1) R_x(a2) R_z(a3)        pelvis against the laboratory, hip, knee
///     R = R_y(a1) R_z(a3) R_x(a2)        ankle
///
/// with a = sign * angle and the signs, left and right, of (flexion, adduction, rotation):
/// pelvis + + -, + - +; hip - - -, - + +; knee + - -, + + +; ankle - - -, - + +.
///
/// The clip starts at left foot contact; the right side is OppositeFootContact (percent of the left cycle,
/// else 50) later. A cycle takes StrideTime (else 60 / (Cadence / 2), else 1.1 s). Curves are closed so that
/// the clip loops; the height of the pelvis is such that the lower foot touches the ground. Warnings:
/// `cycle-no-curve` (angles that are not in the file stay at 0), `cycle-no-time`, `cycle-no-contact`.
/// \param cycle curves and values of a laboratory
/// \param options size of the body, rate, number of cycles
/// \param monitor receives warnings
/// \return a lower body with one clip
/// \throws Error when there is no angle curve, or an option is not valid.
model::Character play_cycle(const model::GaitCycle& cycle, const CycleOptions& options = {},
                            Monitor& monitor = silent());

// Parts that were not measured

/// Treatment of body parts that were not measured.
enum class Unmeasured { ghost, hide, hold };

/// Joints of hips and legs, with attached joints that have no role.
std::vector<bool> lower_body_joints(const model::Skeleton& skeleton);

/// The triangles whose heaviest joint was measured (or, with `measured` false, was not); vertices and skin
/// are not changed, so that both parts have the same pose.
model::Character part_of(const model::Character& character, const std::vector<bool>& joints, bool measured);

/// Joints that were measured, given the names of those that a solver held (SolveResult::held). Hands, toes,
/// fingers and joints without a role follow their parents.
std::vector<bool> measured_joints(const model::Skeleton& skeleton, const std::vector<std::string>& held);

/// The same for a skeleton that follows another, by the pairs (source, target) of RetargetResult::mapped;
/// joints without a source follow their parents.
std::vector<bool> measured_joints(const model::Skeleton& target, const model::Skeleton& source,
                                  const std::vector<bool>& measured,
                                  const std::vector<std::pair<std::string, std::string>>& mapped);

/// Lets upper arms that were not measured hang at the sides, whatever the rest pose.
void relax_unmeasured_arms(const model::Skeleton& skeleton, const std::vector<bool>& measured,
                           model::Clip& clip);

/// Hides unmeasured parts, or draws them transparent: as separate parts with transparent materials.
void show_unmeasured(model::Character& character, const std::vector<bool>& measured, Unmeasured how);

// Walking aids

enum class AidKind : std::uint8_t {
    cane,    ///< a stick from hand to ground
    crutch,  ///< from the armpit along the hand to the ground
    walker,  ///< a frame on four legs in front of the body
};
std::string_view name_of(AidKind kind);

/// A walking aid, and the side of the hand that holds it; a walker has none.
struct WalkingAid {
    AidKind kind = AidKind::cane;
    model::Side side = model::Side::right;
};

/// Reads "cane-left", "cane-right", "canes", "crutch-left", "crutch-right", "crutches", "walker".
/// Nothing for another word.
std::optional<std::vector<WalkingAid>> parse_walking_aids(std::string_view word);

/// Adds the aid to a character as a root joint of its own with a rigid mesh. It is upright under the hand (a
/// walker in front of the hips) and has the heading of the hips; its length is the median height of the hand
/// in the first clip. It follows every clip.
/// \param character that walks; it gets a joint, a mesh and keys
/// \param aid the aid to add
/// \throws Error when there is no skin, no hips or no hand to hold it.
void add_walking_aid(model::Character& character, const WalkingAid& aid);

}  // namespace sinew::gait
