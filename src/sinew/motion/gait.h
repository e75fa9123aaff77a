#pragma once
/// \file
/// A walking trial as numbers: events, cycles, angle curves over the cycle, times and lengths, symmetry.

#include "sinew/base/report.h"
#include "sinew/gait/gait.h"

namespace sinew::motion {

/// A curve over the cycle: 101 samples, mean and standard deviation over cycles.
struct CycleCurve {
    std::vector<double> mean;               ///< empty when no cycle has it
    std::vector<double> deviation;          ///< of the sample (n - 1); zero for one cycle
    std::vector<std::vector<double>> each;  ///< by cycle
    bool empty() const { return mean.empty(); }
};
inline constexpr std::size_t curve_samples = 101;

/// A curve of frames between two times, at even places of the cycle; empty when a needed sample is missing.
std::vector<double> normalise(std::span<const double> frames, double rate, double start, double end,
                              std::size_t samples = curve_samples);
CycleCurve summarise(std::vector<std::vector<double>> cycles);

/// Mean values over the cycles of a side; nothing where it could not be measured.
struct SpatioTemporal {
    std::size_t cycles = 0;
    std::optional<double> stride_time;     ///< s
    std::optional<double> step_time;       ///< s, from the other foot's strike to this one's
    std::optional<double> cadence;         ///< steps a minute
    std::optional<double> stride_length;   ///< m
    std::optional<double> step_length;     ///< m, this foot before the other at its strike
    std::optional<double> step_width;      ///< m
    std::optional<double> speed;           ///< m/s
    std::optional<double> stance;          ///< percent of the cycle
    std::optional<double> single_support;  ///< percent
    std::optional<double> double_support;  ///< percent
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

/// Difference of the sides over their mean, in percent, without sign (Robinson 1987).
std::optional<double> symmetry_index(std::optional<double> left, std::optional<double> right);

/// Where the joint angles of a trial come from.
enum class AngleSource : std::uint8_t {
    automatic,  ///< the model outputs that the file stores, else the solved markers
    file,
    solved,
};

struct GaitOptions {
    EventOptions events;
    AngleSource angles = AngleSource::automatic;
    std::vector<GaitEvent> given;  ///< set by a person: then nothing else is looked at
};

struct RuleErrors {
    EventRule rule = EventRule::position;
    EventError strike, off;
};

struct GaitAnalysis {
    double rate = 0;
    std::size_t frames = 0;
    GaitMotion motion;
    EventsFound events;
    std::string reference;          ///< what `rules` are compared with: "file", "platform", or nothing
    std::vector<RuleErrors> rules;  ///< how well each rule finds the events of the reference
    std::vector<GaitCycleSpan> cycles;
    GaitAngles angles;
    /// Root of the mean square of solved minus stored angles in degrees, where a trial has both.
    std::array<std::array<std::optional<double>, angle_count>, 2> agreement;
    std::array<std::array<CycleCurve, angle_count>, 2> curves;  ///< left, right
    std::array<SpatioTemporal, 2> sides;
    std::array<std::array<double, phase_count + 1>, 2> phases{};  ///< mean, percent
    std::vector<std::string> unmeasured;  ///< parts of the body: "head and trunk", "left arm", ...
    std::vector<std::string> notes;       ///< what was not found, and why, for a person

    const CycleCurve& curve(model::Side side, GaitAngle angle) const {
        return curves[side == model::Side::left ? 0 : 1][static_cast<std::size_t>(angle)];
    }
};

/// `solved` is a motion of the same frames (solve): angles come from it or from stored model outputs, as the
/// options say, and it lends its heels, toes, knees and hips where no marker shows them. A trial without a
/// cycle, standing still, or with markers missing gives what there is and notes that say what is not.
/// \throws Error when the trial has no frames or no rate.
GaitAnalysis analyse_gait(const model::Trial& trial, const GaitOptions& options = {},
                          Monitor& monitor = silent(), const model::Character* solved = nullptr);
/// The same of a motion: the first clip of a character.
GaitAnalysis analyse_gait(const model::Character& character, const model::Clip& clip,
                          const GaitOptions& options = {}, Monitor& monitor = silent());
/// A gait cycle that a laboratory reports already: its curves and values, as they are.
GaitAnalysis analyse_gait(const model::GaitCycle& cycle);

/// Mean curves as the cycle that a player plays (play_cycle) and a GCD file holds.
model::GaitCycle to_cycle(const GaitAnalysis& analysis);

Json to_json(const GaitAnalysis& analysis);
/// A line "kind,side,name,percent,mean,deviation,unit" for each value.
std::string to_csv(const GaitAnalysis& analysis);

}  // namespace sinew::motion
