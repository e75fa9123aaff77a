#pragma once
/// \file
/// A colour for every part of a mesh.

#include "sinew/geometry/mesh.h"

namespace sinew::render {

/// The mesh with a plain material for each named part instead of its own, called as the part is: what was cut
/// shows in every program. Parts with the same name have the same colour.
geometry::Mesh with_part_colors(geometry::Mesh mesh);

}  // namespace sinew::render
