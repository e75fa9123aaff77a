// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Trials made from a motion that is known: markers on a skeleton, with noise and gaps.

#include "sinew/model/clip.h"
#include "sinew/motion/markers/calibrate.h"

namespace sinew::motion {

/// The 39 markers of the full Plug-in Gait set on a skeleton in T-pose that faces +z, +y up, where they sit
/// on a person of its height. Markers of segments that it does not have are left out.
SubjectModel with_plug_in_gait_markers(const model::Skeleton& skeleton);

struct MarkerTrialOptions {
    double rate = 100;
    double noise = 0.001;  ///< standard deviation of each coordinate, metres
    double dropout = 0;    ///< part of the samples that is lost, in runs
    std::size_t run = 8;   ///< mean length of those, frames
    unsigned seed = 1;
};

/// What a laboratory would have recorded: millimetres, z up. The same seed gives the same numbers everywhere.
model::Trial record_markers(const SubjectModel& subject, const model::Clip& clip,
                            const MarkerTrialOptions& options = {});

}  // namespace sinew::motion
