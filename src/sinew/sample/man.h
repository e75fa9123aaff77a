#pragma once
/// \file
/// The man: a walking figure in T-pose with his true rig.

#include "sinew/model/character.h"
#include "sinew/sample/bodies/body_mesh.h"

namespace sinew::sample {

/// Mesh, skeleton, skin, and the clips `walk` and `walk-in-place`; about 20 000 triangles unless a larger
/// number is given.
/// \throws Error when the number is not larger.
model::Character make_man(std::size_t faces = 0);

/// His body as a field.
ImplicitBody man_body();
/// Where and how finely the body is sampled, and the borders of his clothes.
BodyMeshOptions man_mesh_options();
/// Linear RGBA at a point of his surface.
math::Vec4f man_color(const Vec3d& point);

}  // namespace sinew::sample
