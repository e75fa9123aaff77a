#pragma once
/// \file
/// How far a walk is in its steps: the clock by which two walks are brought into step.

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

/// From the foot strikes of a clip (find_events); none when it has fewer than two, or no hips and legs.
std::optional<StepPhase> find_step_phase(const model::Skeleton& skeleton, const model::Clip& clip);

}  // namespace sinew::motion
