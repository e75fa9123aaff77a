#pragma once
/// \file
/// Wavefront OBJ, with its material library.

#include "sinew/io/mesh/mesh_file.h"

namespace sinew::io {

/// Polygons are cut into triangles, `o` and `g` become parts, `usemtl` materials. Vertex i of the mesh is the
/// i-th `v` of the file; a `v` that is used with several texture coordinates or normals has its further
/// copies behind all.
Asset read_obj(Bytes bytes, const std::filesystem::path& path, const ReadOptions& options, Monitor& monitor);
MeshFile read_obj_mesh(Bytes bytes, const std::filesystem::path& path, Monitor& monitor,
                       const MeshFile* first);

/// Numbers are the shortest that read back as the same floats. Materials go to a .mtl file beside `path`,
/// their pictures beside that.
std::string write_obj(const Asset& asset, const std::filesystem::path& path, const WriteOptions& options,
                      Monitor& monitor);

}  // namespace sinew::io
