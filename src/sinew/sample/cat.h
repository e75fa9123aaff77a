#pragma once
/// \file
/// The cat: 0.25 m at the shoulder, standing, with its true rig.

#include "sinew/sample/bodies/animals.h"

namespace sinew::sample {

Animal cat();

/// Mesh, skeleton, skin and walk; 20 000 triangles unless another number is given.
model::Character make_cat(std::size_t faces = 0);

}  // namespace sinew::sample
