#pragma once
/// \file
/// Geomview OFF, with normals (N), colours (C) and texture coordinates (ST).

#include "sinew/io/mesh/mesh_file.h"

namespace sinew::io {

/// The header word may be missing, comments may stand anywhere, polygons are cut into triangles.
Asset read_off(Bytes bytes, const std::filesystem::path& path, const ReadOptions& options, Monitor& monitor);
MeshFile read_off_mesh(Bytes bytes, const std::filesystem::path& path, Monitor& monitor,
                       const MeshFile* first);

std::string write_off(const Asset& asset, const std::filesystem::path& path, const WriteOptions& options,
                      Monitor& monitor);

}  // namespace sinew::io
