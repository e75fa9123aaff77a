#pragma once
/// \file
/// Stanford PLY: text, binary little-endian and binary big-endian.

#include "sinew/io/mesh/mesh_file.h"

namespace sinew::io {

/// Properties may have any order and type; unknown ones and unknown elements are passed over. Colours in
/// whole numbers are sRGB, in floating point linear. Polygons and triangle strips become triangles.
Asset read_ply(Bytes bytes, const std::filesystem::path& path, const ReadOptions& options, Monitor& monitor);
MeshFile read_ply_mesh(Bytes bytes, const std::filesystem::path& path, Monitor& monitor,
                       const MeshFile* first);

/// Binary little-endian unless the options ask for text.
std::string write_ply(const Asset& asset, const std::filesystem::path& path, const WriteOptions& options,
                      Monitor& monitor);

}  // namespace sinew::io
