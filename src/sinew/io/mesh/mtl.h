// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// The material library of an OBJ file.

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/base/file.h"
#include "sinew/base/monitor.h"
#include "sinew/geometry/mesh.h"
#include "sinew/io/interchange.h"

namespace sinew::io {

/// Adds the materials of a library to a mesh: Kd, d or Tr, Ke, the textures map_Kd, map_Ke and norm with the
/// bytes of their pictures, and the widespread Pr (roughness) and Pm (metallic). Numbers are taken as linear.
void read_mtl(std::string_view text, const std::filesystem::path& path, const Companions& companions,
              geometry::Mesh& mesh, Monitor& monitor);

/// Loads the libraries that an OBJ file at `obj` names, and gives every part, whose `material` is a location
/// in `used`, the material of that name. A library, material or picture that is missing is a warning.
void load_obj_materials(geometry::Mesh& mesh, std::span<const std::string_view> libraries,
                        std::span<const std::string> used, const std::filesystem::path& obj,
                        const ReadOptions& options, Monitor& monitor);

/// The text of a library; `names` has a name for each material, `pictures` a file name for each image.
std::string write_mtl(const geometry::Mesh& mesh, std::span<const std::string> names,
                      std::span<const std::string> pictures);

}  // namespace sinew::io
