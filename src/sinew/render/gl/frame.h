#pragma once
/// \file
/// Numbers of a frame: matrices, lights, ground.

#include "sinew/render/camera.h"
#include "sinew/render/gl/shaders.h"
#include "sinew/render/scene.h"

namespace sinew::render::gl {

/// A part of the picture that is drawn at once; large pictures are drawn in several.
struct Tile {
    int left = 0;
    int bottom = 0;
    int width = 0;
    int height = 0;
};

/// Everything but the shadows and the tile; `bounds` is the box of all that is in the scene.
FrameBlock make_frame(const Scene& scene, const Camera& camera, const Box& bounds, int width, int height);

/// The frame for one tile of a picture of `width` x `height` pixels.
FrameBlock for_tile(const FrameBlock& frame, const Tile& tile, int width, int height);

/// Box of the shapes of overlays.
void include_shapes(Box& box, const Scene& scene);

}  // namespace sinew::render::gl
