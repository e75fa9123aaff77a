#pragma once
/// \file
/// Bones, balls, segments and points: small shapes drawn many times.

#include "sinew/render/gl/objects.h"
#include "sinew/render/gl/shaders.h"
#include "sinew/render/renderer.h"

namespace sinew::render::gl {

class ShapePass {
  public:
    void prepare();
    /// Bones and balls, opaque.
    void draw_solids(const Programs& programs, const Overlay& overlay);
    /// Segments and points, blended at their borders.
    void draw_marks(const Programs& programs, const Overlay& overlay);

  private:
    /// A small mesh and room for its instances.
    struct Stamp {
        VertexArray layout;
        Buffer vertices;
        Buffer instances;
        GLsizei vertex_count = 0;
    };
    template <class Instance>
    static void draw(const Stamp& stamp, GLenum mode, std::span<const Instance> instances);

    Stamp bone_;
    Stamp ball_;
    Stamp segment_;
    Stamp point_;
};

}  // namespace sinew::render::gl
