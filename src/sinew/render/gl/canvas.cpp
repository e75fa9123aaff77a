// SPDX-License-Identifier: MIT
#include "sinew/render/gl/canvas.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "sinew/render/renderer.h"

namespace sinew::render::gl {

namespace {

/// Sizes are rounded up, so that a film does not allocate in every frame.
int rounded_up(int side) {
    return (side + 127) / 128 * 128;
}

void allocate(const Renderbuffer& buffer, GLenum format, int samples, int width, int height) {
    glBindRenderbuffer(GL_RENDERBUFFER, buffer.id());
    glRenderbufferStorageMultisample(GL_RENDERBUFFER, samples > 1 ? samples : 0, format, width, height);
    check_errors("allocating a picture");
}

void attach(const Framebuffer& framebuffer, const Renderbuffer& color, const Renderbuffer* depth) {
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer.id());
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, color.id());
    if (depth != nullptr)
        glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER, depth->id());
    check_framebuffer("the picture");
}

}  // namespace

void Canvas::prepare(int width, int height) {
    if (width == width_ && height == height_) return;
    width_ = height_ = 0;  // invalid until all allocations below have succeeded
    picture_color_ = make_renderbuffer();
    picture_ = make_framebuffer();
    allocate(picture_color_, GL_SRGB8_ALPHA8, 0, width, height);
    attach(picture_, picture_color_, nullptr);
    width_ = width;
    height_ = height;
}

void Canvas::prepare_samples(int width, int height, int samples) {
    GLint max = 1;
    glGetIntegerv(GL_MAX_SAMPLES, &max);
    const int wanted = std::clamp(samples, 1, std::max(max, 1));
    if (width <= sampled_width_ && height <= sampled_height_ && wanted == samples_) return;
    const int new_width = rounded_up(std::max(width, sampled_width_));
    const int new_height = rounded_up(std::max(height, sampled_height_));
    sampled_width_ = sampled_height_ = samples_ = 0;
    sampled_color_ = make_renderbuffer();
    sampled_depth_ = make_renderbuffer();
    sampled_ = make_framebuffer();
    allocate(sampled_color_, GL_SRGB8_ALPHA8, wanted, new_width, new_height);
    allocate(sampled_depth_, GL_DEPTH_COMPONENT24, wanted, new_width, new_height);
    attach(sampled_, sampled_color_, &sampled_depth_);
    resolved_ = make_target(GL_SRGB8_ALPHA8, new_width, new_height, false);
    check_errors("allocating a picture");
    sampled_width_ = new_width;
    sampled_height_ = new_height;
    samples_ = wanted;
}

void Canvas::resolve(int width, int height) const {
    glBindFramebuffer(GL_READ_FRAMEBUFFER, sampled_.id());
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, resolved_.framebuffer.id());
    glBlitFramebuffer(0, 0, width, height, 0, 0, width, height, GL_COLOR_BUFFER_BIT, GL_NEAREST);
}

void Canvas::copy_to(GLuint framebuffer, const Tile& tile) const {
    // No conversion: the colours are already encoded.
    glDisable(GL_FRAMEBUFFER_SRGB);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, picture_.id());
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, framebuffer);
    glBlitFramebuffer(0, 0, tile.width, tile.height, tile.left, tile.bottom, tile.left + tile.width,
                      tile.bottom + tile.height, GL_COLOR_BUFFER_BIT, GL_NEAREST);
}

void Canvas::read_into(Picture& picture, const Tile& tile) const {
    const auto width = static_cast<std::size_t>(tile.width);
    std::vector<Pixel> rows(width * static_cast<std::size_t>(tile.height));
    glBindFramebuffer(GL_READ_FRAMEBUFFER, picture_.id());
    glPixelStorei(GL_PACK_ALIGNMENT, 4);
    glReadPixels(0, 0, tile.width, tile.height, GL_RGBA, GL_UNSIGNED_BYTE, rows.data());
    for (int y = 0; y < tile.height; ++y)
        std::copy_n(rows.begin() + static_cast<std::ptrdiff_t>(static_cast<std::size_t>(y) * width), width,
                    &picture.at(tile.left, picture.height - 1 - tile.bottom - y));
}

void divide_alpha(Picture& picture) {
    for (Pixel& pixel : picture.pixels) {
        if (pixel[3] == 0) pixel = {0, 0, 0, 0};
        if (pixel[3] == 0 || pixel[3] == 255) continue;
        const float alpha = static_cast<float>(pixel[3]) / 255.0f;
        for (std::size_t c = 0; c < 3; ++c) {
            const float linear = linear_from_srgb(static_cast<float>(pixel[c]) / 255.0f) / alpha;
            pixel[c] =
                static_cast<std::uint8_t>(std::lround(255.0f * srgb_from_linear(std::min(linear, 1.0f))));
        }
    }
}

}  // namespace sinew::render::gl
