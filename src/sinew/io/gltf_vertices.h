#pragma once
/// \file
/// Decodes what gltf_primitives.h has planned into one mesh and one skin.

#include "sinew/geometry/mesh.h"
#include "sinew/io/gltf_primitives.h"

namespace sinew::io::gltf {

/// Vertices, triangles, parts and morphs. Independent arrays are decoded in parallel.
geometry::Mesh read_mesh(const Document& document, const Plan& plan);

/// Weights of all vertices, in canonical form, over the given palette.
model::Skin read_skin(const Document& document, const Plan& plan, std::vector<model::SkinJoint> palette);

}  // namespace sinew::io::gltf
