#pragma once
/// \file
/// How far a walk is in its steps: the clock by which two walks are brought into step.

#include <functional>
#include <optional>
#include <vector>

#include "sinew/model/clip.h"

namespace sinew::motion {

/// Grows by 1 with each step: even where the left foot strikes, odd where the right does, straight between
/// and, beyond the ends, as fast as the step at that end.
struct StepPhase {
    std::vector<double> times;   ///< of the strikes, rising, in the clip's own time; at least two
    std::vector<double> phases;  ///< rising whole numbers

    double phase_at(double time) const;
    double time_at(double phase) const;
};

/// Finds the steps of a clip, or none: gait::find_step_phase.
using StepFinder = std::function<std::optional<StepPhase>(const model::Skeleton&, const model::Clip&)>;

}  // namespace sinew::motion
