#pragma once
/// \file
/// Feet that stand still on the target when they do on the source.

#include "sinew/motion/retarget_frames.h"

namespace sinew::motion {

/// Finds the contacts of the source's feet and pins those of the target by two-bone inverse kinematics: the
/// ball of the foot rests, the foot keeps its turn, knee and hip give. Skeletons whose legs are equal are
/// left alone. Slides are measured either way.
std::vector<FootPlant> plant_feet(const RetargetPlan& plan, const RetargetOptions& options,
                                  RetargetFrames& frames);

}  // namespace sinew::motion
