#pragma once
/// \file
/// Animations of a glTF file as clips.

#include "sinew/io/gltf/scene.h"
#include "sinew/io/gltf/primitives.h"
#include "sinew/model/clip.h"

namespace sinew::io::gltf {

/// One clip per animation, with keys as they stand: each list keeps its own times and interpolation. Keys of
/// joints into which still nodes were folded are transformed with them.
std::vector<model::Clip> read_animations(const Document& document, const Rig& rig, const Plan& plan);

}  // namespace sinew::io::gltf
