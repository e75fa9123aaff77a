// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// The target of drawing, before it is read. Background and ground smooth their own lines, so they are drawn
/// directly into the picture. Everything with silhouettes is drawn with several samples per pixel, in the
/// part of the picture that it covers, and blended over it.

#include "sinew/render/gl/objects.h"
#include "sinew/render/renderer.h"

namespace sinew::render::gl {

/// Part of a picture, in pixels from its lower left corner.
struct Tile {
    int left = 0;
    int bottom = 0;
    int width = 0;
    int height = 0;
    bool empty() const { return width <= 0 || height <= 0; }
};

class Canvas {
  public:
    /// Allocates a picture or a tile of it.
    void prepare(int width, int height);
    /// Allocates a part with several samples per pixel.
    void prepare_samples(int width, int height, int samples);

    /// Selects the picture or the samples as the target.
    void bind_picture() const { glBindFramebuffer(GL_FRAMEBUFFER, picture_.id()); }
    void bind_samples() const { glBindFramebuffer(GL_FRAMEBUFFER, sampled_.id()); }
    /// Averages the samples of the lower left part; the result is `resolved`, colours multiplied by alpha.
    void resolve(int width, int height) const;
    const Texture& resolved() const { return resolved_.texture; }

    /// Copies the picture into another framebuffer of the same context, its lower left corner at the tile's.
    void copy_to(GLuint framebuffer, const Tile& tile) const;
    /// The same into a picture in memory.
    void read_into(Picture& picture, const Tile& tile) const;

  private:
    int width_ = 0;
    int height_ = 0;
    Renderbuffer picture_color_;
    Framebuffer picture_;

    int sampled_width_ = 0;
    int sampled_height_ = 0;
    int samples_ = 0;
    Renderbuffer sampled_color_;
    Renderbuffer sampled_depth_;
    Framebuffer sampled_;
    Target resolved_;
};

/// Divides by alpha the pixels that were blended over a transparent background.
void divide_alpha(Picture& picture);

}  // namespace sinew::render::gl
