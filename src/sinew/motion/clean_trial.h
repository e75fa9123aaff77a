#pragma once
/// \file
/// A trial cut, resampled or mirrored. Each gives a new trial.

#include "sinew/model/trial.h"

namespace sinew::motion {

/// Frames first to last, both included, with the analog samples and events that lie in them.
/// \throws Error when the range is empty or outside the trial.
model::Trial trimmed(const model::Trial& trial, std::size_t first, std::size_t last);

/// Markers and model outputs at another rate, by cubic interpolation inside runs of samples; gaps stay gaps.
/// Lower rates are filtered first, so that nothing above half of the new rate folds back. Analog channels
/// keep their times as nearly as a whole number of samples a frame allows.
/// \throws Error for a rate that is not above 0.
model::Trial resampled(const model::Trial& trial, double rate);

/// The same motion by a mirror image of the person: places are reflected across the vertical plane that
/// holds the main direction of the trial, and left and right change their labels. Model outputs swap sides;
/// their signs are per side already. Analog channels, platforms and segment rotations cannot be mirrored and
/// are dropped.
model::Trial mirrored(const model::Trial& trial);

}  // namespace sinew::motion
