// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// glTF 2.0, as GLB or JSON. The format holds whole characters: mesh, skeleton, skin, clips, materials,
/// morphs.

#include "sinew/io/io.h"

namespace sinew::io {

/// Reads GLB or JSON, whichever the content is. The chosen scene becomes one mesh with parts, one skeleton,
/// one skin and clips:
/// - joints are the nodes named by a skin, the animated nodes, and whatever lies between two of them; a file
///   without meshes and skins is a bare skeleton and every node is a joint;
/// - still nodes above the topmost joints are folded into the rest pose and the keys of those joints;
/// - skinned meshes are moved to where they are seen at rest, other meshes get their node's matrix, and
/// meshes that
///   are below a joint are bound to it with weight 1.
/// \throws Error with the JSON pointer of what is wrong: `walk.glb: /accessors/3: ...`.
Asset read_gltf(Bytes bytes, const std::filesystem::path& path, const ReadOptions& options, Monitor& monitor);

/// Writes JSON with an embedded buffer when the path ends in `.gltf`, else GLB. What comes out passes the
/// Khronos validator without errors and warnings. A mesh sequence becomes morph targets, one per frame.
std::string write_gltf(const Asset& asset, const std::filesystem::path& path, const WriteOptions& options,
                       Monitor& monitor);

}  // namespace sinew::io
