#pragma once
/// \file
/// Characters of which only a part was measured: the rest is hidden or drawn as a ghost, not as if it stood
/// still.

#include "sinew/model/character.h"
#include "sinew/model/roles.h"

namespace sinew::motion {

/// Joints of hips and legs, with what hangs on them without a role of its own.
std::vector<bool> lower_body_joints(const model::Skeleton& skeleton);

/// The triangles whose heaviest joint was measured (or, with `measured` false, was not); vertices and skin
/// stay whole, so that both parts pose alike.
model::Character part_of(const model::Character& character, const std::vector<bool>& joints, bool measured);

}  // namespace sinew::motion
