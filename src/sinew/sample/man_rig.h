#pragma once
/// \file
/// The man's joints and which part of the surface each of them takes.

#include "sinew/sample/bodies/skeleton_plan.h"

namespace sinew::sample {

/// Joints in T-pose, all rest rotations the identity.
model::Skeleton man_skeleton();
std::vector<JointShare> man_shares(const model::Skeleton& skeleton);

}  // namespace sinew::sample
