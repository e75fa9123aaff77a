#pragma once
/// \file
/// Where a picture is drawn before it is read: several samples a pixel, sRGB, depth.

#include "sinew/render/gl/objects.h"
#include "sinew/render/picture.h"

namespace sinew::render::gl {

class Canvas {
  public:
    /// Makes room for a picture or a tile of it; keeps what it has when that fits exactly.
    void prepare(int width, int height, int samples);
    void bind() const;
    /// Averages the samples.
    void resolve() const;
    /// Copies the resolved lower left part into another framebuffer of the same context.
    void copy_to(GLuint framebuffer, int left, int bottom, int width, int height) const;
    /// Reads the resolved lower left part into a picture, with its lower left corner at (left, bottom) from
    /// below.
    void read_into(Picture& picture, int left, int bottom, int width, int height) const;

  private:
    int width_ = 0;
    int height_ = 0;
    int samples_ = 0;
    Renderbuffer color_;
    Renderbuffer depth_;
    Framebuffer sampled_;
    Renderbuffer resolved_color_;
    Framebuffer resolved_;
};

/// Divides the alpha out of pixels that were blended over nothing.
void divide_alpha(Picture& picture);

}  // namespace sinew::render::gl
