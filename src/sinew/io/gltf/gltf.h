// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// glTF 2.0, as GLB or JSON, with complete characters: mesh, skeleton, skin, clips, materials, morphs.

#include "sinew/io/io.h"

namespace sinew::io {

/// Reads GLB or JSON, detected from the content. The chosen scene becomes one mesh with parts, one skeleton,
/// one skin and clips:
/// - joints are the nodes of skins, animated nodes, and all nodes between two of them; in a file without
///   meshes and skins every node is a joint;
/// - static nodes above the topmost joints are multiplied into the rest pose and the keys of those joints;
/// - skinned meshes are moved to their visible rest position, other meshes get the matrix of their node, and
///   meshes below a joint are bound to it with weight 1.
/// \throws Error with the JSON pointer of the problem: `walk.glb: /accessors/3: ...`.
Asset read_gltf(Bytes bytes, const std::filesystem::path& path, const ReadOptions& options, Monitor& monitor);

/// Writes JSON with an embedded buffer when the path ends in `.gltf`, else GLB. The output passes the Khronos
/// validator without errors and warnings. A mesh sequence becomes morph targets, one per frame.
std::string write_gltf(const Asset& asset, const std::filesystem::path& path, const WriteOptions& options,
                       Monitor& monitor);

}  // namespace sinew::io
