// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// The sides of a body.
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

/// Of the body that something belongs to, not of who looks at it. A body that faces +z with +y up has its
/// left at +x. None is the middle, or not known.
enum class Side : std::uint8_t { none, left, right };

/// "Left", "Right", or nothing.
std::string_view name_of(Side side);

/// On animals with four legs the fore legs have the roles of arms. Fingers and tails count their joints.
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
    int number = 0;  ///< position in a run of joints with one role (spine, neck, finger, tail), from 1; or 0

    bool operator==(const JointRole&) const = default;
    explicit operator bool() const { return role != Role::none; }
};

Side opposite(Side side);
std::string_view role_name(Role role);

/// A joint name without what exporters put around it, in lower case: namespaces ("mixamorig:Hips",
/// "Armature|Hips") and the remains of one whose colon was lost ("mixamorigHips", "mixamorig1_Hips").
std::string plain_name(std::string_view name);

/// The role by the name alone (CMU, ASF, Mixamo, MotionBuilder, Unity, Unreal, Blender and Rigify, 3ds
/// Biped, Poser, Vicon). Names of ends, twists and handles (IK, pole) have none.
JointRole role_from_name(std::string_view name);

/// Roles by name, with what the tree adds: "LeftShoulder" is the upper arm when a forearm follows, one joint
/// per limb and role, runs numbered from the hips outwards.
std::vector<JointRole> roles_from_names(const Skeleton& skeleton);

/// Roles by the shape of the rest pose alone, with +y up: limbs that come in pairs, the lower pair legs, the
/// one above the arms the head. All none when the tree has no legs. Left and right follow the toes when there
/// are any, else +z is forward. A hand alone is a hand (find_hand).
std::vector<JointRole> roles_from_shape(const Skeleton& skeleton);

/// Names first; shape for the limbs on which they are silent.
std::vector<JointRole> find_roles(const Skeleton& skeleton);

/// Joint with a role and a side, the first of a run; or -1.
int find_role(const std::vector<JointRole>& roles, Role role, Side side = Side::none);

/// The name that Sinew gives: "Hips", "LeftUpperArm", "RightIndexProximal", "Tail3"; empty for none.
std::string canonical_name(const JointRole& role);

/// Gives every joint that has a role its canonical name; returns how many changed.
int use_canonical_names(Skeleton& skeleton, const std::vector<JointRole>& roles);

/// A run of joints from a junction outwards to a free end.
struct Limb {
    int junction = -1;        ///< joint that it is attached to; -1 for a tree without one
    std::vector<int> joints;  ///< without the junction; the last is a leaf
    std::vector<Vec3d> line;  ///< the junction, the joints, and the tip when the last joint has one
    double length = 0;        ///< of the line
};

struct Limbs {
    std::vector<Limb> limbs;     ///< in the order of their first joints
    std::vector<int> junctions;  ///< joints with limbs or further junctions on at least three sides, rising
    std::vector<int> trunk;      ///< joints on paths between junctions, both included, rising
};

/// At a joint with several children, branches below a tenth of the longest go; where all are short against
/// the path that leads there (half of it), as fingers are, only the longest stays.
/// `ignored`, when given, marks joints that are not limbs, whatever their length, with what is
/// below.
Limbs limbs_of(const Skeleton& skeleton, std::span<const char> ignored = {});

}  // namespace sinew::model
