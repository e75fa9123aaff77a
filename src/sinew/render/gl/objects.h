// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// OpenGL objects that release themselves. The context they were made in must be current when they are made,
/// used and released.

#include <span>
#include <string_view>
#include <utility>

#include <epoxy/gl.h>

#include "sinew/math/types.h"

namespace sinew::render::gl {

inline void release_buffer(GLuint id) {
    glDeleteBuffers(1, &id);
}
inline void release_texture(GLuint id) {
    glDeleteTextures(1, &id);
}
inline void release_vertex_array(GLuint id) {
    glDeleteVertexArrays(1, &id);
}
inline void release_framebuffer(GLuint id) {
    glDeleteFramebuffers(1, &id);
}
inline void release_renderbuffer(GLuint id) {
    glDeleteRenderbuffers(1, &id);
}
inline void release_program(GLuint id) {
    glDeleteProgram(id);
}

template <void (*Release)(GLuint)>
class Object {
  public:
    Object() = default;
    explicit Object(GLuint id) : id_(id) {}
    Object(Object&& other) noexcept : id_(std::exchange(other.id_, 0)) {}
    Object& operator=(Object&& other) noexcept {
        std::swap(id_, other.id_);
        return *this;
    }
    ~Object() {
        if (id_ != 0) Release(id_);
    }
    GLuint id() const { return id_; }
    explicit operator bool() const { return id_ != 0; }

  private:
    GLuint id_ = 0;
};

using Buffer = Object<release_buffer>;
using Texture = Object<release_texture>;
using VertexArray = Object<release_vertex_array>;
using Framebuffer = Object<release_framebuffer>;
using Renderbuffer = Object<release_renderbuffer>;

Buffer make_buffer();
Texture make_texture();
VertexArray make_vertex_array();
Framebuffer make_framebuffer();
Renderbuffer make_renderbuffer();

/// Replaces the content of a buffer.
template <class T>
void upload(GLenum target, const Buffer& buffer, std::span<const T> items, GLenum usage) {
    glBindBuffer(target, buffer.id());
    glBufferData(target, static_cast<GLsizeiptr>(items.size_bytes()), items.data(), usage);
}

/// Type of an attribute in the shader.
enum class AttributeKind {
    number,    ///< unchanged
    fraction,  ///< unsigned integers as 0 .. 1
    integer,
};
struct AttributeFormat {
    GLint components = 3;
    GLenum type = GL_FLOAT;
    AttributeKind kind = AttributeKind::number;
};
/// Binds attribute `location` of the bound vertex array to the buffer bound to GL_ARRAY_BUFFER.
void point_attribute(GLuint location, const AttributeFormat& format, GLsizei stride = 0,
                     std::size_t offset = 0);

/// A new buffer with one item for each vertex, as attribute `location` of the bound vertex array.
template <class T>
Buffer upload_attribute(GLuint location, std::span<const T> items, const AttributeFormat& format,
                        GLenum usage) {
    Buffer buffer = make_buffer();
    upload(GL_ARRAY_BUFFER, buffer, items, usage);
    point_attribute(location, format);
    return buffer;
}

/// A linked program. Uniforms are set by name on the program in use; names a shader does not use are ignored.
class Program {
  public:
    Program() = default;
    /// `geometry` may be empty. Outputs of the vertex shader that are `captured` can be read back by
    /// transform feedback, one vertex after the other. \throws Error with the driver's log.
    Program(std::string_view name, std::string_view vertex, std::string_view fragment,
            std::string_view geometry = {}, std::span<const char* const> captured = {});
    void use() const { glUseProgram(program_.id()); }
    void set(const char* name, int value) const { glUniform1i(location(name), value); }
    void set(const char* name, float value) const { glUniform1f(location(name), value); }
    void set(const char* name, const math::Vec3f& value) const {
        glUniform3fv(location(name), 1, value.data());
    }
    void set(const char* name, const math::Vec4f& value) const {
        glUniform4fv(location(name), 1, value.data());
    }
    void set(const char* name, const math::Mat4f& value) const {
        glUniformMatrix4fv(location(name), 1, GL_FALSE, value.data());
    }

  private:
    GLint location(const char* name) const { return glGetUniformLocation(program_.id(), name); }
    Object<release_program> program_;
};

/// A texture of one level or with memory for all levels, and a framebuffer that draws into it.
struct Target {
    Texture texture;
    Framebuffer framebuffer;
    GLsizei width = 0;
    GLsizei height = 0;

    void bind() const;
};
/// `format` is GL_DEPTH_COMPONENT24 or a colour format; `levels` above 1 allows glGenerateMipmap.
Target make_target(GLenum format, GLsizei width, GLsizei height, bool mipmaps);

void bind_texture(int unit, GLenum target, const Texture& texture);

/// \throws Error when the bound framebuffer is incomplete.
void check_framebuffer(const char* what);
/// \throws Error when OpenGL reported one since the last call.
void check_errors(const char* what);

}  // namespace sinew::render::gl
