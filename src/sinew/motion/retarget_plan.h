#pragma once
/// \file
/// Everything about a pair of skeletons that does not change from frame to frame.

#include <array>
#include <optional>
#include <vector>

#include "sinew/motion/retarget.h"
#include "sinew/motion/twist.h"

namespace sinew::motion {

/// A skeleton at rest.
struct RestPose {
    explicit RestPose(const model::Skeleton& skeleton);
    std::vector<math::Mat4d> world;
    std::vector<math::Quatd> rotations;  ///< in the world, by the rotations alone: scale must not shear them
    std::vector<math::Vec3d> positions;
    double height = 0;
    double lowest = 0;  ///< lowest point, tips included
};

/// How one target joint is moved: its world rotation is Y S K, with S that of the source joint, Y the turn
/// that makes both skeletons face alike, and K = S0^-1 Y^-1 C T0.
struct RetargetPart {
    int source = -1;
    int second = -1;   ///< joint between which and the first a chain joint stands, or -1
    double blend = 0;  ///< from first to second
    math::Quatd correction = math::Quatd::Identity();  ///< C
    math::Quatd after = math::Quatd::Identity();       ///< K of the first
    math::Quatd after_second = math::Quatd::Identity();
    bool same = false;  ///< both frames agree at rest: keys can be copied
    bool top = false;   ///< mapped, but no joint above it is
};

/// A leg of one skeleton: thigh, shin, foot and the ball of the foot, which is the joint of the toes, the tip
/// of the foot, or the ankle itself.
struct LegJoints {
    int thigh = -1;
    int shin = -1;
    int foot = -1;
    int toe = -1;                                 ///< or -1
    math::Vec3d ball = math::Vec3d::Zero();       ///< from the foot's joint, in the frame of the foot
    math::Vec3d ball_rest = math::Vec3d::Zero();  ///< in the world at rest
    double length = 0;                            ///< thigh and shin
};
std::optional<LegJoints> find_leg(const model::Skeleton& skeleton, const RestPose& rest,
                                  const std::vector<model::JointRole>& roles, model::Side side);

struct RetargetPlan {
    const model::Skeleton& source;
    const model::Skeleton& target;
    RestPose source_rest;
    RestPose target_rest;
    std::vector<model::JointRole> source_roles;
    std::vector<model::JointRole> target_roles;
    std::vector<RetargetPart> parts;               ///< by target joint
    math::Quatd facing = math::Quatd::Identity();  ///< Y
    bool turned = false;                           ///< Y is not the identity
    double scale = 1;                              ///< of the root's way
    std::vector<TwistJoint> twists = {};
};

/// \throws Error when the map does not fit the skeletons or maps nothing.
RetargetPlan plan_retarget(const model::Skeleton& source, const model::Skeleton& target, const JointMap& map,
                           std::span<const ChainLink> links, const RetargetOptions& options);

/// Turn about the vertical from where one body faces to where another does; the identity when that is less
/// than 30 degrees (a matter of the rest pose) or one of them has no sides.
math::Quatd facing_turn(const RestPose& from, const std::vector<model::JointRole>& from_roles,
                        const RestPose& to, const std::vector<model::JointRole>& to_roles);

}  // namespace sinew::motion
