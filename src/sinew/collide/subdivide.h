#pragma once
/// \file
/// Finer meshes for measuring how work grows.

#include "sinew/model/character.h"

namespace sinew::collide {

/// Every triangle in four, new vertices in the middle of edges with the mean of the weights of their ends.
/// The rest shape is the same; posed, it differs only inside triangles whose corners follow different joints.
/// Positions, triangles and skin are kept, other attributes are not. At most `max_influences` joints a
/// vertex, 0 for all.
model::Character subdivided(const model::Character& character, int max_influences = 4);

}  // namespace sinew::collide
