// SPDX-License-Identifier: MIT
#pragma once
// How far joints may rotate, as a person sets it; and the three numbers of a rotation.

#include <array>

#include "state.h"

namespace sinew::studio {

/// What the three numbers of a rotation mean. A joint without limits shows its angles about the axes of its
/// parent; one with limits those that the limits are of: from its rest pose, about the axes of their frame.
struct AngleFrame {
    Quatd before = Quatd::Identity(), after = Quatd::Identity();
    bool limited = false;
    Vec3d middle = Vec3d::Zero();  ///< degrees; of all triples of a rotation the one nearest to it is taken
};
AngleFrame angle_frame(const model::Skeleton& skeleton, int joint);
/// Degrees about x, y and z.
Vec3d to_degrees(const AngleFrame& frame, const Quatd& rotation);
Quatd to_rotation(const AngleFrame& frame, const Vec3d& degrees);

/// The angles as far as the limits of the joint let them; as they are without limits.
std::array<double, 3> within_limits(const model::Skeleton& skeleton, int joint,
                                    const std::array<double, 3>& degrees);

struct LimitedClip {
    model::Clip clip;
    std::size_t keys = 0;    ///< that were beyond a limit
    std::size_t joints = 0;  ///< of these keys
    std::size_t dense = 0;   ///< joints with a key a frame now, as their curves went beyond between keys
};
/// A clip whose joints stay within their limits.
LimitedClip limited(const model::Clip& clip, const model::Skeleton& skeleton);

/// Limits of a joint as a step, or none; `again` goes on with the last step.
void set_limits(State& state, int joint, std::optional<model::JointLimits> limits, bool again = false);
/// Limits that just hold what the clip does with the joint; half a circle each way without a clip.
model::JointLimits limits_of_clip(const State& state, int joint);
/// Brings the clip that plays within the limits of all joints, as a step, and tells what was changed.
void limit_clip(State& state);

}  // namespace sinew::studio
