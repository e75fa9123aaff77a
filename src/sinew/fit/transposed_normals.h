#pragma once
/// \file
/// Normals whose matrices act by their inverse transpose (N3).

#include "sinew/fit/dual_system.h"

namespace sinew::fit {

/// Matrices C of the joints with (sum w C)^-T n along the goal h: as (sum w C)^T h = n this is linear, three
/// unknown columns a joint, solved for all of them with one factor. `rig` is a `normal_rig`. A little damping
/// towards the common rotation settles what parallel normals leave open.
BonePose fit_transposed_normals(const JointRig& rig, const DualSystem& system, std::span<const Vec3d> goals);

}  // namespace sinew::fit
