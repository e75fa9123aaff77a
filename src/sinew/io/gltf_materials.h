#pragma once
/// \file
/// Materials, textures and images of a glTF file.

#include "sinew/geometry/mesh.h"
#include "sinew/io/gltf/document.h"

namespace sinew::io::gltf {

/// "image/png", "image/jpeg", or nothing for other content.
std::string_view image_type(Bytes bytes);

/// Fills `mesh.materials` and `mesh.images`. An image that cannot be found or is of another kind is left out
/// with a warning.
void read_materials(const Document& document, geometry::Mesh& mesh);

}  // namespace sinew::io::gltf
