// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// What VRM adds to glTF: which node is which bone of a person, and about whom the file is.

#include "sinew/io/gltf/scene.h"
#include "sinew/io/gltf/write.h"

namespace sinew::io::gltf {

/// The bones of a person that a VRM file names (0 or 1) give the joints their names, and with them their
/// roles.
void use_humanoid_names(const Document& document, const Rig& rig, model::Character& character);

/// Adds the humanoid map and the meta data of VRM 1.0. A rest pose that is no T-pose is a warning.
/// \throws Error naming the bones that a person has and this skeleton has not.
void write_vrm(const Writer& writer);

}  // namespace sinew::io::gltf
