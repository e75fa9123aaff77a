#pragma once
// The joint that a camera goes along with.

#include "sinew/model/skeleton.h"

namespace sinew::app {

/// The hips, or else the first root; -1 without joints.
int pelvis_of(const model::Skeleton& skeleton);

}  // namespace sinew::app
