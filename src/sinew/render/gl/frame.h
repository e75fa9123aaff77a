// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Parameters of a frame: matrices, lights, ground.

#include "sinew/render/gl/canvas.h"
#include "sinew/render/gl/shaders.h"
#include "sinew/render/renderer.h"

namespace sinew::render::gl {

/// Everything except the shadows and the tile; `bounds` is the box of the whole scene.
FrameBlock make_frame(const Scene& scene, const Camera& camera, const Box& bounds, int width, int height);

/// The frame for one tile of a picture of `width` x `height` pixels.
FrameBlock for_tile(const FrameBlock& frame, const Tile& tile, int width, int height);

/// The pixels of `tile` that objects in `bounds` can cover, including shapes with a size in pixels; the whole
/// tile when the camera is inside `bounds`.
Tile covered(const FrameBlock& frame, const Scene& scene, const Box& bounds, const Tile& tile, int width,
             int height);

/// Box of the shapes of overlays.
void include_shapes(Box& box, const Scene& scene);

}  // namespace sinew::render::gl
