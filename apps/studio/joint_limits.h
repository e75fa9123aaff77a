// SPDX-License-Identifier: MIT
#pragma once
// How far joints may rotate, as the user sets it; and the three angles of a rotation.

#include <array>

#include "state.h"

namespace sinew::studio {

/// The meaning of the three angles of a rotation. For a joint without limits they are about the axes of its
/// parent; for one with limits they are those of the limits: from its rest pose, about the axes of their
/// frame.
struct AngleFrame {
    Quatd before = Quatd::Identity(), after = Quatd::Identity();
    bool limited = false;
    Vec3d middle = Vec3d::Zero();  ///< degrees; of all equivalent triples the one nearest to it is used
};
AngleFrame angle_frame(const model::Skeleton& skeleton, int joint);
/// Degrees about x, y and z.
Vec3d to_degrees(const AngleFrame& frame, const Quatd& rotation);
Quatd to_rotation(const AngleFrame& frame, const Vec3d& degrees);

/// The angles clamped to the limits of the joint; unchanged without limits.
std::array<double, 3> within_limits(const model::Skeleton& skeleton, int joint,
                                    const std::array<double, 3>& degrees);

struct LimitedClip {
    model::Clip clip;
    std::size_t keys = 0;    ///< that exceeded a limit
    std::size_t joints = 0;  ///< of these keys
    std::size_t dense = 0;   ///< joints with a key per frame now, because their curves exceeded a limit
};
/// A clip whose joints stay within their limits.
LimitedClip limited(const model::Clip& clip, const model::Skeleton& skeleton);

/// Sets or removes limits of a joint as a step; `again` continues the last step.
void set_limits(State& state, int joint, std::optional<model::JointLimits> limits, bool again = false);
/// The narrowest limits that allow the motion of the clip; 180 degrees in each direction without a clip.
model::JointLimits limits_of_clip(const State& state, int joint);
/// Brings the clip that plays within the limits of all joints, as a step, and reports the changes.
void limit_clip(State& state);

}  // namespace sinew::studio
