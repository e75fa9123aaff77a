// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// What is decided before a motion goes onto another skeleton: partners, twist joints, one tree.

#include <array>
#include <optional>
#include <vector>

#include "sinew/math/quaternion.h"
#include "sinew/model/clip.h"
#include "sinew/model/roles.h"
#include "sinew/motion/retarget.h"

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
/// share of the twist of hand or foot grows with the distance along the bone; on an upper arm or thigh, which
/// has all of its own twist from its start, what is too much near the start is taken back.
std::vector<TwistJoint> find_twist_joints(const model::Skeleton& skeleton,
                                          const std::vector<model::JointRole>& roles);

/// A target joint of a chain that counts another number of joints in the source: it turns as far as
/// `fraction` of the way from one source joint to another.
struct ChainLink {
    int target = -1;
    int from = -1;  ///< -1: as the source rests
    int to = -1;
    double fraction = 1;
};

/// Links of spine (with chest), neck and tail where both skeletons have them with different numbers of
/// joints: of n target and m source joints, number i turns like number i m / n, counted from the joint that
/// the chain is attached to. The ends of both chains turn alike, so that what they carry does too.
std::vector<ChainLink> link_chains(const model::Skeleton& source, const model::Skeleton& target);

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

/// A leg of a body on two feet, or on four.
struct LegName {
    model::Side side = model::Side::left;
    bool front = false;  ///< whose joints have the roles of an arm
};
inline constexpr std::array<LegName, 4> leg_names = {LegName{model::Side::left, false},
                                                     {model::Side::right, false},
                                                     {model::Side::left, true},
                                                     {model::Side::right, true}};

/// A leg of one skeleton: thigh, shin, foot and the ball of the foot, which is the joint of the toes, the tip
/// of the foot, or the ankle itself.
struct LegJoints {
    int thigh = -1;
    int shin = -1;
    int foot = -1;
    int toe = -1;                                       ///< or -1
    math::Vec3d metatarsal = math::Vec3d::Zero();       ///< from the foot's joint, in the frame of the foot
    math::Vec3d metatarsal_rest = math::Vec3d::Zero();  ///< in the world at rest
    double length = 0;                                  ///< thigh and shin
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
    bool four_feet = false;                        ///< both bodies stand on four feet
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
math::Quatd facing_rotation(const RestPose& from, const std::vector<model::JointRole>& from_roles,
                            const RestPose& to, const std::vector<model::JointRole>& to_roles);

/// A rig as a motion sees it: one tree, in which every mapped joint is below the one that carries it.
struct ConnectedRig {
    model::Skeleton skeleton;      ///< the same joints in the same positions at rest, parents first
    std::vector<int> original;     ///< per joint its number in the rig
    std::vector<int> moved;        ///< joints, by their number here, that hang elsewhere in the rig
    JointMap map;                  ///< of `skeleton`
    std::vector<ChainLink> links;  ///< of `skeleton`
};

/// Hangs mapped joints of a rig that have no mapped joint above them below the joint that follows the nearest
/// mapped ancestor of their source: a foot below its shin, a thigh below the hips. Where hips and thighs
/// hang side by side from a joint nearby that nothing maps, that one is the pelvis: it follows the hips.
/// Nothing for a rig that is one tree already.
std::optional<ConnectedRig> connect_detached_joints(const model::Skeleton& source, const model::Skeleton& rig,
                                                    const JointMap& map, std::span<const ChainLink> links);

/// A clip of the connected skeleton as one of the rig: joints that hang elsewhere there get keys of place and
/// turn at the clip's rate.
model::Clip restore_hierarchy(const ConnectedRig& connected, const model::Skeleton& rig,
                              const model::Clip& clip);

}  // namespace sinew::motion
