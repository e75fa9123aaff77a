#pragma once
/// \file
/// Motions stay good when a skeleton is changed by hand.

#include "sinew/model/clip.h"

namespace sinew::rig {

/// A clip of `before` for `after`, the same skeleton with joints moved: rotations stay as they are relative
/// to the rest pose, and keys of places move along with the rest place, so that a longer arm stays longer
/// while it plays (mocap-tool 3.8). A root travels as before. Joints go by name; tracks of joints that are
/// gone are left out.
model::Clip adapted_clip(const model::Clip& clip, const model::Skeleton& before,
                         const model::Skeleton& after);

}  // namespace sinew::rig
