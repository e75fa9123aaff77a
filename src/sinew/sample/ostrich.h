#pragma once
/// \file
/// The ostrich: 2.1 m to the crown, standing, with its true rig.

#include "sinew/sample/bodies/animals.h"

namespace sinew::sample {

Animal ostrich();

/// Mesh, skeleton, skin and walk; 52 896 triangles unless another number is given.
model::Character make_ostrich(std::size_t faces = 0);

}  // namespace sinew::sample
