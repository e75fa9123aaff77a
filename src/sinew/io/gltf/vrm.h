// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// VRM on top of glTF: the humanoid bones of nodes, and meta data.

#include "sinew/io/gltf/scene.h"
#include "sinew/io/gltf/write.h"

namespace sinew::io::gltf {

/// Names joints, and thereby their roles, after the humanoid bones of a VRM file (0 or 1).
void use_humanoid_names(const Document& document, const Rig& rig, model::Character& character);

/// Adds the humanoid map and the meta data of VRM 1.0. A rest pose other than a T-pose gives a warning.
/// \throws Error naming the humanoid bones that the skeleton lacks
void write_vrm(const Writer& writer);

}  // namespace sinew::io::gltf
