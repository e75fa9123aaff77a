// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// The passes of a frame: shadow maps, meshes, and small shapes that are drawn many times.

#include <functional>
#include <span>

#include "sinew/geometry/mesh.h"
#include "sinew/render/gl/mesh.h"
#include "sinew/render/gl/objects.h"
#include "sinew/render/gl/shaders.h"
#include "sinew/render/renderer.h"

namespace sinew::render::gl {

class ShadowPass {
  public:
    /// Allocates the maps on first use.
    void prepare();

    /// Fits the maps to the objects that cast shadows, and writes shadow and contact fields of the frame.
    /// `frame.key_direction`, `frame.ground` (height) and `frame.ground_parts` are read.
    void fit(FrameBlock& frame, const geometry::Box& casters);

    /// Draws all objects that cast shadows with the depth program in use, given its clip matrix.
    using DrawCasters = std::function<void(const math::Mat4f& projection)>;
    /// Renders the maps; the frame block must already be on the card.
    void draw(const Programs& programs, const FrameBlock& frame, const DrawCasters& draw_casters) const;

    /// Binds the maps to their texture units.
    void bind() const;

  private:
    static constexpr int map_side = 1024;
    static constexpr int ground_side = map_side / 2;
    static constexpr int contact_side = 256;

    Target map_;            ///< depth from the key light
    Target ground_shadow_;  ///< coverage and distance, with all its coarser levels
    Target heights_;        ///< depth from below the ground
    Target contact_;        ///< occlusion by objects near the ground, with all its coarser levels
    VertexArray nothing_;   ///< for triangles without vertex data
};

// Bones, spheres, segments and points: small shapes drawn many times.

class ShapePass {
  public:
    void prepare();
    /// Bones and spheres, opaque.
    void draw_solids(const Programs& programs, const Overlay& overlay);
    /// Segments and points, with antialiased borders.
    void draw_marks(const Programs& programs, const Overlay& overlay);

  private:
    /// A small mesh and a buffer for its instances.
    struct Stamp {
        VertexArray layout;
        Buffer vertices;
        Buffer instances;
        GLsizei vertex_count = 0;
    };
    template <class Instance>
    static void draw(const Stamp& stamp, GLenum mode, std::span<const Instance> instances);

    Stamp bone_;
    Stamp sphere_;
    Stamp segment_;
    Stamp point_;
};

// Draws meshes into the picture: opaque ones first, then blended ones.

/// A drawable with its mesh.
struct Draw {
    const Drawable* drawable = nullptr;
    const GpuMesh* mesh = nullptr;
};

/// Opaque parts.
void draw_opaque(const Programs& programs, const FrameBlock& frame, std::span<const Draw> draws);
/// Blended parts and translucent drawables, over the existing picture.
void draw_blended(const Programs& programs, const FrameBlock& frame, std::span<const Draw> draws);
/// Edges of triangles, over the surfaces.
void draw_wires(const Programs& programs, const FrameBlock& frame, std::span<const Draw> draws);
/// Depth of the objects that cast shadows.
void draw_casters(const Programs& programs, const math::Mat4f& projection, std::span<const Draw> draws);

}  // namespace sinew::render::gl
