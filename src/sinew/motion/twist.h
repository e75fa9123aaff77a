#pragma once
/// \file
/// The turn of a limb about its own length, and the joints along it that share it.

#include <vector>

#include "sinew/math/quaternion.h"
#include "sinew/model/roles.h"

namespace sinew::motion {

/// Angle of the part of a rotation that turns about a unit axis, in (-pi, pi]: q = swing * twist. A half turn
/// across the axis has none: 0.
double twist_angle(const math::Quatd& rotation, const math::Vec3d& axis);

/// A joint on a bone that takes a part of a twist, so that the skin does not wring at one place.
struct TwistJoint {
    int joint = -1;
    int bone = -1;    ///< joint whose bone it lies on, its parent
    int driver = -1;  ///< joint whose turn against the one above is shared: the hand for a forearm, the upper
                      ///< arm itself for an upper arm
    double share = 0;  ///< of the driver's twist, negative where the bone has too much of it already
    math::Vec3d axis = math::Vec3d::UnitX();  ///< along the bone, in the frame of `bone`
};

/// Joints whose names say twist or roll, below an upper arm, forearm, thigh or shin. On a forearm or shin the
/// share of the twist of hand or foot grows with the way along the bone; on an upper arm or thigh, which has
/// all of its own twist from its start, what is too much near the start is taken back.
std::vector<TwistJoint> find_twist_joints(const model::Skeleton& skeleton,
                                          const std::vector<model::JointRole>& roles);

}  // namespace sinew::motion
