// SPDX-License-Identifier: MIT
#pragma once
// Joint angles as a table.

#include <string>

#include "pose_layer.h"

namespace sinew::studio {

/// A row for each frame: number, seconds, and of every joint the rotations from rest in degrees about x, y
/// and z (x first, about fixed axes), without jumps of 360 degrees. The rest pose is one row.
std::string angles_csv(const model::Skeleton& skeleton, const model::Clip* clip, const PoseLayer& layer);

}  // namespace sinew::studio
