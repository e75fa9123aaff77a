#pragma once
/// \file
/// Changing a skeleton joint by joint. Every operation keeps the skeleton valid: parents first, names unique,
/// one place for every joint. Joints that are not named keep their place and their frame in the world.

#include <cstdint>
#include <set>

#include "sinew/model/skeleton.h"

namespace sinew::rig {

using math::Vec3d;
using model::Skeleton;

/// Every joint moved to a place in the world, with the frame it has; tips go along with their joints.
Skeleton with_positions(const Skeleton& skeleton, const std::vector<Vec3d>& positions);

/// All operations throw Error for a joint out of range and for what would break the tree.

/// A new joint on the bone from a joint's parent to it, at t from 0 (parent) to 1.
Skeleton insert_joint(const Skeleton& skeleton, int joint, double t, const std::string& name);
/// A new leaf at a place in the world.
Skeleton add_joint(const Skeleton& skeleton, int parent, const Vec3d& place, const std::string& name);
/// Children go to the parent. A root with several children cannot go; one with a single child hands over to
/// it.
Skeleton delete_joint(const Skeleton& skeleton, int joint);
enum class MoveMode : std::uint8_t {
    alone,         ///< children stay where they are
    with_children  ///< everything below moves along
};
Skeleton move_joint(const Skeleton& skeleton, int joint, const Vec3d& place, MoveMode mode = MoveMode::alone);
/// `gone` becomes part of `into`: its children hang there, its place is forgotten. They must be neighbours.
Skeleton merge_joints(const Skeleton& skeleton, int into, int gone);
/// The bone from a joint's parent to it in `parts` equal bones.
Skeleton split_bone(const Skeleton& skeleton, int joint, int parts);
/// Links on the way from the old root to the joint turn around.
Skeleton reroot(const Skeleton& skeleton, int joint);
/// \throws Error when the new parent is below the joint. -1 makes it a root.
Skeleton reparent(const Skeleton& skeleton, int joint, int parent);
Skeleton rename_joint(const Skeleton& skeleton, int joint, const std::string& name);

/// Joints that a person has put in their place, by name.
using LockedJoints = std::set<std::string>;

/// A new skeleton with the locked joints of an old one where they were: joints of the same name move there;
/// missing ones are added below their nearest ancestor that is there, and take over the joints that they
/// were above. \throws Error when a locked joint is not in the old skeleton.
Skeleton keep_locked(const Skeleton& fresh, const Skeleton& old, const LockedJoints& locked);

}  // namespace sinew::rig
