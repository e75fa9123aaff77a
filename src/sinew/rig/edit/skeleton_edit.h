// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Changing a skeleton joint by joint, without mesh and motion: see edit.h.

#include "sinew/rig/edit.h"
#include "sinew/rig/templates/symmetry.h"

namespace sinew::rig {

using model::Skeleton;

Skeleton insert_joint(const Skeleton& skeleton, int joint, double t, const std::string& name);
/// A new leaf at a position in the world.
Skeleton add_joint(const Skeleton& skeleton, int parent, const Vec3d& position, const std::string& name);
Skeleton delete_joint(const Skeleton& skeleton, int joint);
Skeleton move_joint(const Skeleton& skeleton, int joint, const Vec3d& position,
                    MoveMode mode = MoveMode::alone);
Skeleton merge_joints(const Skeleton& skeleton, int into, int gone);
Skeleton reroot(const Skeleton& skeleton, int joint);
Skeleton reparent(const Skeleton& skeleton, int joint, int parent);
Skeleton rename_joint(const Skeleton& skeleton, int joint, const std::string& name);

/// A clip of `before` for `after`, the same skeleton with joints moved: rotations stay as they are relative
/// to the rest pose, and keys of positions move along with the rest position, so that a longer arm stays
/// longer in the motion. A root travels as before. Joints are matched by name; tracks of removed joints are
/// omitted.
model::Clip adapted_clip(const model::Clip& clip, const Skeleton& before, const Skeleton& after);

/// A clip of `before` for `after`: every joint moves in the world rigidly with its source.
/// \param source by joint of `after`: the joint of `before`
model::Clip followed_clip(const model::Clip& clip, const Skeleton& before, const Skeleton& after,
                          const std::vector<int>& source);

/// Whether a side of the body lies in the direction of the plane's normal, by the joints with a side in their
/// names; without any, the left does.
bool is_positive_side(const Skeleton& skeleton, const MirrorPlane& plane, model::Side side);

}  // namespace sinew::rig
