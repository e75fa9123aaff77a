// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Camera, lights and colours of a film, driven by keyframe channels.

#include "sinew/model/channels.h"
#include "sinew/render/renderer.h"

namespace sinew::render {

/// Moves the camera: positions first, then angles about the target, zoom, roll and field of view.
/// \throws Error when a zoom is not above 0 or a field of view not between 1 and 170 degrees.
Camera directed(const Camera& camera, model::StagePlayer& channels, double time);

/// A copy of a scene with driven lights, colours of drawables and background; the rest is not changed.
Scene directed(const Scene& scene, model::StagePlayer& channels, double time);

}  // namespace sinew::render
