// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// The recordings of `sample`, for the model of a subject that `motion` solves.

#include "sinew/motion/markers/calibrate.h"
#include "sinew/sample/sequences.h"

namespace sinew::motion {

/// The 39 markers of the full Plug-in Gait set on a skeleton with the joints of the man.
SubjectModel with_plug_in_gait_markers(const model::Skeleton& skeleton);

using MarkerTrialOptions = sample::RecordingOptions;

model::Trial record_markers(const SubjectModel& subject, const model::Clip& clip,
                            const MarkerTrialOptions& options = {});

}  // namespace sinew::motion
