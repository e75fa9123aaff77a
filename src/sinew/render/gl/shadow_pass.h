#pragma once
/// \file
/// Shadow maps of a frame: the key light's, and what both it and the sky leave on the ground.

#include <functional>

#include "sinew/geometry/mesh.h"
#include "sinew/render/gl/objects.h"
#include "sinew/render/gl/shaders.h"

namespace sinew::render::gl {

class ShadowPass {
  public:
    /// Allocates the maps on first use.
    void prepare();

    /// Fits the maps around what casts, and writes shadow and contact fields of the frame.
    /// `frame.key_direction`, `frame.ground` (height) and `frame.ground_parts` are read.
    void fit(FrameBlock& frame, const geometry::Box& casters);

    /// Draws everything that casts with the depth program in use, given the matrix that takes it to clip
    /// space.
    using DrawCasters = std::function<void(const math::Mat4f& projection)>;
    /// Fills the maps; the frame block must be on the card.
    void draw(const Programs& programs, const FrameBlock& frame, const DrawCasters& draw_casters) const;

    /// Binds the maps to their units.
    void bind() const;

  private:
    static constexpr int map_side = 1024;
    static constexpr int ground_side = map_side / 2;
    static constexpr int contact_side = 256;

    Target map_;            ///< depth from the key light
    Target ground_shadow_;  ///< coverage and distance, with all its coarser levels
    Target heights_;        ///< depth from below the ground
    Target contact_;        ///< occlusion by what is near the ground, with all its coarser levels
    VertexArray nothing_;   ///< for triangles that need no vertices
};

}  // namespace sinew::render::gl
