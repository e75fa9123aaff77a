#pragma once
/// \file
/// Decodes what gltf_primitives.h has planned into one mesh and one skin.

#include "sinew/geometry/mesh.h"
#include "sinew/io/gltf/primitives.h"

namespace sinew::io::gltf {

struct Geometry {
    geometry::Mesh mesh;
    model::Skin skin;
};

/// Vertices, triangles, parts, morphs and weights. Independent arrays are decoded in parallel.
Geometry read_geometry(const Document& document, const Plan& plan, std::vector<model::SkinJoint> palette);

/// Weights of all vertices over the palette that `skin` already has; false when they are not in canonical
/// form.
bool read_weights(const Plan& plan, model::Skin& skin);
/// Brings weights into canonical form and says what had to change.
void clean_weights(const Document& document, const Plan& plan, model::Skin& skin);

}  // namespace sinew::io::gltf
