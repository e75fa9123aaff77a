#pragma once
/// \file
/// A character as a Python script that builds it inside Blender or Maya: mesh, joints, skin and weights.

#include "sinew/io/io.h"

namespace sinew::io {

/// One script for both programs, with all numbers in it: it asks which of them it runs in, and says so when
/// it is neither. Numbers read back exactly; vertices and weights keep their order. Blender gets metres with
/// +Z up, Maya centimetres with its own up axis. Motions, materials and texture coordinates are left out,
/// with a warning.
/// \throws Error when there is neither a mesh nor a skeleton.
std::string write_dcc_script(const Asset& asset, const std::filesystem::path& path,
                             const WriteOptions& options, Monitor& monitor);

}  // namespace sinew::io
