#pragma once
/// \file
/// Meshes into the picture: opaque, then what is blended over it.

#include <span>

#include "sinew/render/gl/mesh.h"

namespace sinew::render::gl {

/// A drawable with its mesh.
struct Draw {
    const Drawable* drawable = nullptr;
    const GpuMesh* mesh = nullptr;
};

/// Parts that hide what is behind them.
void draw_opaque(const Programs& programs, const FrameBlock& frame, std::span<const Draw> draws);
/// Blended parts and translucent drawables, over what is there.
void draw_blended(const Programs& programs, const FrameBlock& frame, std::span<const Draw> draws);
/// Edges of triangles, over the surfaces.
void draw_wires(const Programs& programs, const FrameBlock& frame, std::span<const Draw> draws);
/// Depth of what casts shadows.
void draw_casters(const Programs& programs, const math::Mat4f& projection, std::span<const Draw> draws);

}  // namespace sinew::render::gl
