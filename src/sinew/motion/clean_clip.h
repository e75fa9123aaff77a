#pragma once
/// \file
/// A clip mirrored, or made into a loop.

#include "sinew/model/clip.h"

namespace sinew::motion {

/// Left becomes right, by the roles of the joints: world rotations since rest and places are reflected across
/// the plane x = 0. The skeleton should stand symmetrically about it at rest. Joints without a partner
/// reflect onto themselves. Sampled at the clip's rate.
model::Clip mirrored(const model::Skeleton& skeleton, const model::Clip& clip);

struct LoopOptions {
    double start = -1;  ///< seconds; with `end` the part to repeat. Negative: the best is looked for
    double end = -1;
    double shortest = 0.5;  ///< seconds of a loop that is looked for
    double blend = 0.1;     ///< part of the loop over which its end is bent to meet its start
    bool in_place = true;   ///< the way that the root travels horizontally is taken out
};

struct LoopResult {
    model::Clip clip;  ///< the last key equals the first
    double start = 0;  ///< in the given clip
    double end = 0;
    double seam = 0;                           ///< largest turn between both ends before blending, radians
    math::Vec3d travel = math::Vec3d::Zero();  ///< of the root over one round, in metres
};

/// \throws Error when the clip is shorter than two frames, or the part is not in it.
LoopResult looped(const model::Skeleton& skeleton, const model::Clip& clip, const LoopOptions& options = {});

}  // namespace sinew::motion
