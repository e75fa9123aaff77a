#include "sinew/render/gl/canvas.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

#include "sinew/render/color.h"

namespace sinew::render::gl {

void Canvas::prepare(int width, int height, int samples) {
    GLint most = 1;
    glGetIntegerv(GL_MAX_SAMPLES, &most);
    const int wanted = std::clamp(samples, 1, std::max(most, 1));
    if (width == width_ && height == height_ && wanted == samples_) return;
    width_ = height_ = samples_ = 0;  // nothing is kept when the rest fails
    const GLsizei stored = wanted > 1 ? wanted : 0;
    const auto storage = [&](const Renderbuffer& buffer, GLenum format, GLsizei count) {
        glBindRenderbuffer(GL_RENDERBUFFER, buffer.id());
        glRenderbufferStorageMultisample(GL_RENDERBUFFER, count, format, width, height);
    };
    color_ = make_renderbuffer();
    depth_ = make_renderbuffer();
    resolved_color_ = make_renderbuffer();
    storage(color_, GL_SRGB8_ALPHA8, stored);
    storage(depth_, GL_DEPTH_COMPONENT24, stored);
    storage(resolved_color_, GL_SRGB8_ALPHA8, 0);
    check_errors("made room for a picture");
    sampled_ = make_framebuffer();
    glBindFramebuffer(GL_FRAMEBUFFER, sampled_.id());
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, color_.id());
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER, depth_.id());
    check_framebuffer("the picture");
    resolved_ = make_framebuffer();
    glBindFramebuffer(GL_FRAMEBUFFER, resolved_.id());
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, resolved_color_.id());
    check_framebuffer("the resolved picture");
    width_ = width;
    height_ = height;
    samples_ = wanted;
}

void Canvas::bind() const {
    glBindFramebuffer(GL_FRAMEBUFFER, sampled_.id());
}

void Canvas::resolve() const {
    glBindFramebuffer(GL_READ_FRAMEBUFFER, sampled_.id());
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, resolved_.id());
    glBlitFramebuffer(0, 0, width_, height_, 0, 0, width_, height_, GL_COLOR_BUFFER_BIT, GL_NEAREST);
}

void Canvas::copy_to(GLuint framebuffer, int left, int bottom, int width, int height) const {
    // Bytes as they are: the colours are encoded already.
    glDisable(GL_FRAMEBUFFER_SRGB);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, resolved_.id());
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, framebuffer);
    glBlitFramebuffer(0, 0, width, height, left, bottom, left + width, bottom + height, GL_COLOR_BUFFER_BIT,
                      GL_NEAREST);
}

void Canvas::read_into(Picture& picture, int left, int bottom, int width, int height) const {
    std::vector<Pixel> rows(static_cast<std::size_t>(width) * static_cast<std::size_t>(height));
    glBindFramebuffer(GL_READ_FRAMEBUFFER, resolved_.id());
    glPixelStorei(GL_PACK_ALIGNMENT, 4);
    glReadPixels(0, 0, width, height, GL_RGBA, GL_UNSIGNED_BYTE, rows.data());
    for (int y = 0; y < height; ++y)
        std::memcpy(&picture.at(left, picture.height - 1 - bottom - y),
                    rows.data() + static_cast<std::size_t>(y) * static_cast<std::size_t>(width),
                    static_cast<std::size_t>(width) * sizeof(Pixel));
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
