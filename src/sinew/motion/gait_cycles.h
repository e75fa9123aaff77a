#pragma once
/// \file
/// Gait cycles and their phases.

#include <array>
#include <optional>

#include "sinew/gait/gait.h"

namespace sinew::motion {

/// The phases of a cycle, in order: loading response, mid-stance, terminal stance, pre-swing; initial, mid
/// and terminal swing.
enum class GaitPhase : std::uint8_t { lr, mst, tst, psw, isw, msw, tsw };
inline constexpr std::size_t phase_count = 7;
std::string_view short_name(GaitPhase phase);  ///< "LR"
std::string_view long_name(GaitPhase phase);   ///< "loading response"

/// Where phases end in percent of the cycle when events do not tell.
inline constexpr std::array<double, phase_count + 1> usual_phases = {0, 12, 31, 50, 62, 75, 87, 100};

/// From a foot's contact to its next.
struct GaitCycleSpan {
    model::Side side = model::Side::none;
    double start = 0;  ///< seconds
    double end = 0;
    std::optional<double> opposite_off;
    std::optional<double> opposite_strike;
    std::optional<double> off;
    std::array<double, phase_count + 1> phases = usual_phases;  ///< percent
    std::array<bool, phase_count + 1> measured{};  ///< false where a boundary is the usual percentage

    double duration() const { return end - start; }
    double percent(double time) const { return 100 * (time - start) / duration(); }
};

/// Cycles of both sides by their starts. A strike followed by the next of the same foot after 0.4 to 4
/// seconds with an off between at most once makes one. Boundaries: opposite off; half of single support;
/// opposite strike; own off; feet adjacent (the heels pass each other along the way); shank vertical (the
/// ankle passes the knee). What cannot be measured stands at its usual percentage, spread over what was.
std::vector<GaitCycleSpan> find_cycles(std::span<const GaitEvent> events, const GaitMotion& motion);

/// Percent of the cycle in which both feet are on the ground, or nothing when events are missing.
std::optional<double> double_support(const GaitCycleSpan& cycle);
std::optional<double> single_support(const GaitCycleSpan& cycle);

}  // namespace sinew::motion
