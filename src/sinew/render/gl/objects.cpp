// SPDX-License-Identifier: MIT
#include "sinew/render/gl/objects.h"

#include <string>

#include "sinew/base/error.h"

namespace sinew::render::gl {
namespace {

struct Shader {
    GLuint id;
    ~Shader() { glDeleteShader(id); }
};

std::string shader_log(GLuint shader) {
    std::string log(4096, '\0');
    GLsizei length = 0;
    glGetShaderInfoLog(shader, static_cast<GLsizei>(log.size()), &length, log.data());
    log.resize(static_cast<std::size_t>(length));
    return log;
}

void attach(GLuint program, std::string_view name, GLenum kind, std::string_view source) {
    const Shader shader{glCreateShader(kind)};
    const GLchar* text = source.data();
    const auto length = static_cast<GLint>(source.size());
    glShaderSource(shader.id, 1, &text, &length);
    glCompileShader(shader.id);
    GLint done = GL_FALSE;
    glGetShaderiv(shader.id, GL_COMPILE_STATUS, &done);
    if (done != GL_TRUE) fail("OpenGL", "shader {} does not compile: {}", name, shader_log(shader.id));
    glAttachShader(program, shader.id);
}

template <class Made, class Generate>
Made made(Generate generate) {
    GLuint id = 0;
    generate(1, &id);
    return Made(id);
}

}  // namespace

Buffer make_buffer() {
    return made<Buffer>(glGenBuffers);
}
Texture make_texture() {
    return made<Texture>(glGenTextures);
}
VertexArray make_vertex_array() {
    return made<VertexArray>(glGenVertexArrays);
}
Framebuffer make_framebuffer() {
    return made<Framebuffer>(glGenFramebuffers);
}
Renderbuffer make_renderbuffer() {
    return made<Renderbuffer>(glGenRenderbuffers);
}

void point_attribute(GLuint location, const AttributeFormat& format, GLsizei stride, std::size_t offset) {
    const auto* at = reinterpret_cast<const void*>(offset);
    glEnableVertexAttribArray(location);
    if (format.kind == AttributeKind::integer)
        glVertexAttribIPointer(location, format.components, format.type, stride, at);
    else
        glVertexAttribPointer(location, format.components, format.type,
                              format.kind == AttributeKind::fraction ? GL_TRUE : GL_FALSE, stride, at);
}

Program::Program(std::string_view name, std::string_view vertex, std::string_view fragment,
                 std::string_view geometry, std::span<const char* const> captured)
    : program_(glCreateProgram()) {
    const GLuint id = program_.id();
    attach(id, name, GL_VERTEX_SHADER, vertex);
    attach(id, name, GL_FRAGMENT_SHADER, fragment);
    if (!geometry.empty()) attach(id, name, GL_GEOMETRY_SHADER, geometry);
    if (!captured.empty())
        glTransformFeedbackVaryings(id, static_cast<GLsizei>(captured.size()), captured.data(),
                                    GL_INTERLEAVED_ATTRIBS);
    glLinkProgram(id);
    GLint done = GL_FALSE;
    glGetProgramiv(id, GL_LINK_STATUS, &done);
    if (done != GL_TRUE) {
        std::string log(4096, '\0');
        glGetProgramInfoLog(id, static_cast<GLsizei>(log.size()), nullptr, log.data());
        fail("OpenGL", "program {} does not link: {}", name, log.c_str());
    }
    const GLuint frame = glGetUniformBlockIndex(id, "Frame");
    if (frame != GL_INVALID_INDEX) glUniformBlockBinding(id, frame, 0);
}

void Target::bind() const {
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer.id());
    glViewport(0, 0, width, height);
}

Target make_target(GLenum format, GLsizei width, GLsizei height, bool mipmaps) {
    const bool depth = format == GL_DEPTH_COMPONENT24;
    Target target{make_texture(), make_framebuffer(), width, height};
    bind_texture(0, GL_TEXTURE_2D, target.texture);  // no texture stays bound to unit 0
    glTexImage2D(GL_TEXTURE_2D, 0, static_cast<GLint>(format), width, height, 0,
                 depth ? GL_DEPTH_COMPONENT : GL_RGBA, depth ? GL_UNSIGNED_INT : GL_UNSIGNED_BYTE, nullptr);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, mipmaps ? GL_LINEAR_MIPMAP_LINEAR : GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    if (!mipmaps) glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 0);
    glBindFramebuffer(GL_FRAMEBUFFER, target.framebuffer.id());
    glFramebufferTexture2D(GL_FRAMEBUFFER, depth ? GL_DEPTH_ATTACHMENT : GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D,
                           target.texture.id(), 0);
    if (depth) {
        glDrawBuffer(GL_NONE);
        glReadBuffer(GL_NONE);
    }
    check_framebuffer("a shadow target");
    return target;
}

void bind_texture(int unit, GLenum target, const Texture& texture) {
    glActiveTexture(GL_TEXTURE0 + static_cast<GLenum>(unit));
    glBindTexture(target, texture.id());
}

void check_framebuffer(const char* what) {
    const GLenum status = glCheckFramebufferStatus(GL_FRAMEBUFFER);
    if (status != GL_FRAMEBUFFER_COMPLETE)
        fail("OpenGL", "{} cannot be drawn into (status 0x{:x})", what, status);
}

void check_errors(const char* what) {
    const GLenum error = glGetError();
    if (error == GL_NO_ERROR) return;
    for (int more = 0; more < 16 && glGetError() != GL_NO_ERROR; ++more) {
    }
    if (error == GL_OUT_OF_MEMORY) fail("OpenGL", "out of memory while {}", what);
    fail("OpenGL", "error 0x{:x} while {}", error, what);
}

}  // namespace sinew::render::gl
