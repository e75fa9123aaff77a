#pragma once
// From assimp's scene to ours.

#include <filesystem>

#include <assimp/scene.h>

#include "sinew/io/node_scene.h"

namespace sinew::import {

/// Nodes, meshes with their bones, materials with their pictures, and motions.
io::NodeScene convert(const aiScene& scene, const std::filesystem::path& path, Monitor& monitor);

/// Materials and pictures only; numbers of materials stay.
void convert_materials(const aiScene& scene, const std::filesystem::path& path, io::NodeScene& result,
                       Monitor& monitor);

}  // namespace sinew::import
