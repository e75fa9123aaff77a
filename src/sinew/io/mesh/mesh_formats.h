// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Readers and writers of meshes.

#include "sinew/io/mesh/mesh_file.h"

namespace sinew::io {

/// Wavefront OBJ, with its material library.
///
/// Polygons are cut into triangles, `o` and `g` become parts, `usemtl` materials. Vertex i of the mesh is the
/// i-th `v` of the file; further copies of a `v` that is used with several texture coordinates or normals
/// follow after all of them.
Asset read_obj(Bytes bytes, const std::filesystem::path& path, const ReadOptions& options, Monitor& monitor);
MeshFile read_obj_mesh(Bytes bytes, const std::filesystem::path& path, const ReadOptions& options,
                       Monitor& monitor, const MeshFile* first);

/// Numbers are the shortest that read back as the same floats. Materials go to a .mtl file beside `path`,
/// their pictures beside that.
std::string write_obj(const Asset& asset, const std::filesystem::path& path, const WriteOptions& options,
                      Monitor& monitor);

/// Geomview OFF, with normals (N), colours (C) and texture coordinates (ST).
///
/// The header word may be missing, comments are allowed everywhere, polygons are triangulated.
Asset read_off(Bytes bytes, const std::filesystem::path& path, const ReadOptions& options, Monitor& monitor);
MeshFile read_off_mesh(Bytes bytes, const std::filesystem::path& path, const ReadOptions& options,
                       Monitor& monitor, const MeshFile* first);

std::string write_off(const Asset& asset, const std::filesystem::path& path, const WriteOptions& options,
                      Monitor& monitor);

/// Stanford PLY: text, binary little-endian and binary big-endian.
///
/// Properties may have any order and type; unknown properties and elements are skipped. Colours in whole
/// numbers are sRGB, in floating point linear. Polygons and triangle strips become triangles.
Asset read_ply(Bytes bytes, const std::filesystem::path& path, const ReadOptions& options, Monitor& monitor);
MeshFile read_ply_mesh(Bytes bytes, const std::filesystem::path& path, const ReadOptions& options,
                       Monitor& monitor, const MeshFile* first);

/// Binary little-endian unless the options ask for text.
std::string write_ply(const Asset& asset, const std::filesystem::path& path, const WriteOptions& options,
                      Monitor& monitor);

/// STL, text and binary.
///
/// Facets are connected where their corners have exactly the same position. A file whose length is that of a
/// binary one is binary even when it starts with "solid".
Asset read_stl(Bytes bytes, const std::filesystem::path& path, const ReadOptions& options, Monitor& monitor);

/// Binary unless the options ask for text.
std::string write_stl(const Asset& asset, const std::filesystem::path& path, const WriteOptions& options,
                      Monitor& monitor);

}  // namespace sinew::io
