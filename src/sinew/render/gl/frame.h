// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Numbers of a frame: matrices, lights, ground.

#include "sinew/render/gl/canvas.h"
#include "sinew/render/gl/shaders.h"
#include "sinew/render/renderer.h"

namespace sinew::render::gl {

/// Everything but the shadows and the tile; `bounds` is the box of all that is in the scene.
FrameBlock make_frame(const Scene& scene, const Camera& camera, const Box& bounds, int width, int height);

/// The frame for one tile of a picture of `width` x `height` pixels.
FrameBlock for_tile(const FrameBlock& frame, const Tile& tile, int width, int height);

/// The pixels of `tile` that things in `bounds` can touch, shapes with a size in pixels included; all of it
/// when the camera stands among them.
Tile covered(const FrameBlock& frame, const Scene& scene, const Box& bounds, const Tile& tile, int width,
             int height);

/// Box of the shapes of overlays.
void include_shapes(Box& box, const Scene& scene);

}  // namespace sinew::render::gl
