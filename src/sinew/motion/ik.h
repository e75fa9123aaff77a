#pragma once
/// \file
/// Inverse kinematics of a limb of two bones.

#include "sinew/math/quaternion.h"

namespace sinew::motion {

/// Places of the joints of a limb in the world: hip, knee, ankle; or shoulder, elbow, wrist.
struct TwoBones {
    math::Vec3d start = math::Vec3d::Zero();
    math::Vec3d middle = math::Vec3d::Zero();
    math::Vec3d end = math::Vec3d::Zero();
};

struct TwoBoneTurns {
    math::Quatd upper =
        math::Quatd::Identity();  ///< world rotation that the upper bone makes besides its own
    math::Quatd lower = math::Quatd::Identity();  ///< likewise of the lower bone
    math::Vec3d middle = math::Vec3d::Zero();     ///< where the joints come to lie
    math::Vec3d end = math::Vec3d::Zero();
    bool reached = true;  ///< false when the goal is too far or too near
};

/// Turns two bones so that their end comes to `goal`, or as near as their lengths allow. The angle in the
/// middle follows from the law of cosines; the limb stays in the plane in which it bends, and where it is
/// nearly straight it bends about `hinge` (unit; positive turns bring the end backwards, as a knee does when
/// the hinge points to the left of the body), so that it never flips.
TwoBoneTurns reach(const TwoBones& limb, const math::Vec3d& goal, const math::Vec3d& hinge);

}  // namespace sinew::motion
