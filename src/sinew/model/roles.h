// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Anatomical roles of joints: which joint is the left hand, the spine and so on.
///
/// \code
/// const std::vector<model::JointRole> roles = model::find_roles(skeleton);
/// const int hand = model::find_role(roles, model::Role::hand, model::Side::left);
/// \endcode

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/model/skeleton.h"

namespace sinew::model {

/// Side of the body itself, not of the viewer. A body that faces +z with +y up has its left at +x. `none` is
/// the middle, or unknown.
enum class Side : std::uint8_t { none, left, right };

/// "Left", "Right", or an empty text.
std::string_view name_of(Side side);

/// Anatomical role of a joint. On quadrupeds the fore legs have the roles of arms. Joints of fingers and
/// tails are numbered.
enum class Role : std::uint8_t {
    none,
    hips,
    spine,
    chest,
    upper_chest,
    neck,
    head,
    jaw,
    eye,
    ear,
    clavicle,
    upper_arm,
    forearm,
    hand,
    thumb,
    index,
    middle,
    ring,
    little,
    thigh,
    shin,
    foot,
    toe,
    tail,
};

struct JointRole {
    Role role = Role::none;
    Side side = Side::none;
    int number = 0;  ///< from 1: index in a chain of joints with the same role (spine, neck, finger, tail); 0
                     ///< for other joints

    bool operator==(const JointRole&) const = default;
    explicit operator bool() const { return role != Role::none; }
};

Side opposite(Side side);
std::string_view role_name(Role role);

/// A joint name in lower case without the additions of exporters: namespaces ("mixamorig:Hips",
/// "Armature|Hips"), also those that lost their colon ("mixamorigHips", "mixamorig1_Hips").
std::string plain_name(std::string_view name);

/// The role of a joint by its name alone (CMU, ASF, Mixamo, MotionBuilder, Unity, Unreal, Blender and Rigify,
/// 3ds Biped, Poser, Vicon). End joints, twist joints and control handles (IK, pole) have no role.
JointRole role_from_name(std::string_view name);

/// Roles by name, refined by the hierarchy: "LeftShoulder" is the upper arm when a forearm follows; each limb
/// has one joint per role; chains are numbered outwards from the hips.
std::vector<JointRole> roles_from_names(const Skeleton& skeleton);

/// Roles by the geometry of the rest pose alone, with +y up: of the paired limbs the lower pair are the legs
/// and the upper the arms; the head is above the arms. All roles are none when no legs are found. Toes decide
/// left and right when there are any; otherwise +z is forward. A skeleton of one hand is recognised too
/// (find_hand).
std::vector<JointRole> roles_from_shape(const Skeleton& skeleton);

/// Roles by name; by geometry for limbs whose names give no role.
std::vector<JointRole> find_roles(const Skeleton& skeleton);

/// Index of the joint with a role and side, the first of a chain; -1 when there is none.
int find_role(const std::vector<JointRole>& roles, Role role, Side side = Side::none);

/// The joint name that Sinew uses for a role: "Hips", "LeftUpperArm", "RightIndexProximal", "Tail3"; empty
/// for no role.
std::string canonical_name(const JointRole& role);

/// Gives every joint that has a role its canonical name. Returns the number of changed names.
int use_canonical_names(Skeleton& skeleton, const std::vector<JointRole>& roles);

/// A chain of joints from a junction outwards to a free end.
struct Limb {
    int junction = -1;        ///< joint that the limb is attached to; -1 when the tree has no junction
    std::vector<int> joints;  ///< without the junction; the last joint is a leaf
    std::vector<Vec3d>
        line;  ///< polyline through the junction, the joints, and the tip of the last joint if it has one
    double length = 0;  ///< length of the line
};

struct Limbs {
    std::vector<Limb> limbs;  ///< in the order of their first joints
    std::vector<int>
        junctions;  ///< joints with limbs or further junctions in at least three directions; increasing
    std::vector<int> trunk;  ///< joints on the paths between junctions, both ends included; increasing
};

/// Splits a skeleton into trunk and limbs. At a joint with several children, branches shorter than a tenth of
/// the longest are dropped. If all branches are shorter than half of the path that leads to them, as fingers
/// are, only the longest is kept.
/// \param skeleton the joints, at rest
/// \param ignored optional; marks joints that are not limbs, together with their descendants
Limbs limbs_of(const Skeleton& skeleton, std::span<const char> ignored = {});

}  // namespace sinew::model
