#pragma once
// From assimp's scene to ours.

#include <filesystem>

#include <assimp/scene.h>

#include "sinew/io/interchange.h"

namespace sinew::import {

/// Nodes, meshes with their bones, materials with their pictures, and motions.
io::NodeScene convert(const aiScene& scene, const std::filesystem::path& path, Monitor& monitor);

/// Materials and pictures only; numbers of materials stay.
void convert_materials(const aiScene& scene, const std::filesystem::path& path, io::NodeScene& result,
                       Monitor& monitor);

/// Names of the objects of a .3ds file, in their order: assimp drops them when the file has no hierarchy.
/// Empty for other files.
std::vector<std::string> studio_object_names(const std::filesystem::path& path);

}  // namespace sinew::import
