#pragma once
/// \file
/// A right hand with spread fingers, from the forearm up, with its true rig.

#include "sinew/sample/bodies/animals.h"

namespace sinew::sample {

/// Fingers point up, the palm faces +z, the thumb +x; all of it lies at x > 0.
Animal hand();

/// Mesh, skeleton, skin and the clip `fist`; 38 016 triangles unless another number is given.
model::Character make_hand(std::size_t faces = 0);

}  // namespace sinew::sample
