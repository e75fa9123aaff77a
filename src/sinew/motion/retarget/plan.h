// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Decisions made before retargeting: matched joints, twist joints, and a rig as one tree.

#include <array>
#include <optional>
#include <vector>

#include "sinew/math/quaternion.h"
#include "sinew/model/clip.h"
#include "sinew/model/roles.h"
#include "sinew/motion/retarget.h"

namespace sinew::motion {

/// Angle of the part of a rotation about a unit axis, in (-pi, pi]: q = swing * twist. 0 for a rotation by
/// 180 degrees about a perpendicular axis, whose twist is undefined.
double twist_angle(const math::Quatd& rotation, const math::Vec3d& axis);

/// A joint on a bone that takes a share of a twist, to distribute the twist along the skin.
struct TwistJoint {
    int joint = -1;
    int bone = -1;     ///< joint whose bone it lies on, its parent
    int driver = -1;   ///< joint whose rotation relative to its parent is shared: the hand for a forearm, the
                       ///< upper arm itself for an upper arm
    double share = 0;  ///< share of the driver's twist; negative where the bone already has too much of it
    math::Vec3d axis = math::Vec3d::UnitX();  ///< along the bone, in the frame of `bone`
};

/// Joints named twist or roll, below an upper arm, forearm, thigh or shin. On a forearm or shin the share of
/// the twist of hand or foot increases with the distance along the bone; on an upper arm or thigh, which has
/// its full twist from the start, the excess near the start is removed.
std::vector<TwistJoint> find_twist_joints(const model::Skeleton& skeleton,
                                          const std::vector<model::JointRole>& roles);

/// A target joint of a chain with another number of joints than in the source: its rotation is interpolated
/// by `fraction` between those of two source joints.
struct ChainLink {
    int target = -1;
    int from = -1;  ///< -1: the source at rest
    int to = -1;
    double fraction = 1;
};

/// Links of spine (with chest), neck and tail for skeletons with different numbers of joints: of n target and
/// m source joints, joint i rotates like position i m / n, counted from the attachment of the chain. The ends
/// of both chains have the same rotation, and so do their descendants.
std::vector<ChainLink> link_chains(const model::Skeleton& source, const model::Skeleton& target);

/// A skeleton at rest.
struct RestPose {
    explicit RestPose(const model::Skeleton& skeleton);
    std::vector<math::Mat4d> world;
    std::vector<math::Quatd> rotations;  ///< world rotations from rotations alone, without shear due to scale
    std::vector<math::Vec3d> positions;
    double height = 0;
    double lowest = 0;  ///< lowest point, tips included
};

/// How one target joint is moved: its world rotation is Y S K, where S is the rotation of the source joint, Y
/// the rotation that aligns the facing directions, and K = S0^-1 Y^-1 C T0.
struct RetargetPart {
    int source = -1;
    int second = -1;   ///< second joint, for a chain joint between two; otherwise -1
    double blend = 0;  ///< from first to second
    math::Quatd correction = math::Quatd::Identity();  ///< C
    math::Quatd after = math::Quatd::Identity();       ///< K of the first
    math::Quatd after_second = math::Quatd::Identity();
    bool same = false;  ///< rest frames agree, so that keys can be copied
    bool top = false;   ///< mapped, without a mapped ancestor
};

/// A leg of a biped or quadruped.
struct LegName {
    model::Side side = model::Side::left;
    bool front = false;  ///< a fore leg, whose joints have the roles of an arm
};
inline constexpr std::array<LegName, 4> leg_names = {LegName{model::Side::left, false},
                                                     {model::Side::right, false},
                                                     {model::Side::left, true},
                                                     {model::Side::right, true}};

/// A leg of one skeleton: thigh, shin, foot and ball of the foot, which is the toe joint, the tip of the
/// foot, or the ankle itself.
struct LegJoints {
    int thigh = -1;
    int shin = -1;
    int foot = -1;
    int toe = -1;                                       ///< or -1
    math::Vec3d metatarsal = math::Vec3d::Zero();       ///< from the foot's joint, in the frame of the foot
    math::Vec3d metatarsal_rest = math::Vec3d::Zero();  ///< in the world at rest
    double length = 0;                                  ///< of thigh and shin
};
std::optional<LegJoints> find_leg(const model::Skeleton& skeleton, const RestPose& rest,
                                  const std::vector<model::JointRole>& roles, const LegName& name);

struct RetargetPlan {
    const model::Skeleton& source;
    const model::Skeleton& target;
    RestPose source_rest;
    RestPose target_rest;
    std::vector<model::JointRole> source_roles;
    std::vector<model::JointRole> target_roles;
    std::vector<RetargetPart> parts;               ///< by target joint
    bool four_feet = false;                        ///< both bodies are quadrupeds
    math::Quatd facing = math::Quatd::Identity();  ///< Y
    bool turned = false;                           ///< Y is not the identity
    double scale = 1;                              ///< factor for the travel of the root
    std::vector<TwistJoint> twists = {};
};

/// \throws Error when the map does not match the skeletons, or maps nothing
RetargetPlan plan_retarget(const model::Skeleton& source, const model::Skeleton& target, const JointMap& map,
                           std::span<const ChainLink> links, const RetargetOptions& options);

/// Rotation about the vertical from the facing direction of one body to that of another; the identity when
/// they differ by less than 30 degrees (an imprecision of the rest pose), or one of them has no sides.
math::Quatd facing_rotation(const RestPose& from, const std::vector<model::JointRole>& from_roles,
                            const RestPose& to, const std::vector<model::JointRole>& to_roles);

/// A rig converted to one tree, in which every mapped joint is below the one that carries it.
struct ConnectedRig {
    model::Skeleton skeleton;      ///< the same joints in the same positions at rest, parents first
    std::vector<int> original;     ///< per joint its index in the rig
    std::vector<int> moved;        ///< joints, by index here, that have another parent in the rig
    JointMap map;                  ///< of `skeleton`
    std::vector<ChainLink> links;  ///< of `skeleton`
};

/// Attaches mapped joints without a mapped ancestor to the joint that follows the nearest mapped ancestor of
/// their source: a foot to its shin, a thigh to the hips. Where hips and thighs are siblings below a nearby
/// unmapped joint, this joint is the pelvis and follows the hips. Empty for a rig that is already one tree.
std::optional<ConnectedRig> connect_detached_joints(const model::Skeleton& source, const model::Skeleton& rig,
                                                    const JointMap& map, std::span<const ChainLink> links);

/// Converts a clip of the connected skeleton to the rig: joints with another parent there get translation and
/// rotation keys at the clip's rate.
model::Clip restore_hierarchy(const ConnectedRig& connected, const model::Skeleton& rig,
                              const model::Clip& clip);

}  // namespace sinew::motion
