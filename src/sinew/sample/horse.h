#pragma once
/// \file
/// The horse: 1.6 m at the withers, standing square, with its true rig.

#include "sinew/sample/bodies/animals.h"

namespace sinew::sample {

Animal horse();

/// Mesh, skeleton, skin and walk; 16 844 triangles unless another number is given.
model::Character make_horse(std::size_t faces = 0);

}  // namespace sinew::sample
