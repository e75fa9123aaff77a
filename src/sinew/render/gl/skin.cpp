// SPDX-License-Identifier: MIT
#include "sinew/render/gl/skin.h"

#include <array>

#include "sinew/base/array.h"
#include "sinew/base/error.h"
#include "sinew/deform/blend.h"

namespace sinew::render::gl {
namespace {

constexpr std::size_t max_of_a_vertex = 8;
constexpr std::size_t max_joints = 65536;

void check_skin(const geometry::Mesh& mesh, const model::Skin& skin) {
    geometry::validate(mesh, "GPU skinning");
    if (mesh.empty()) fail("GPU skinning", "the mesh is empty");
    if (skin.joints.size() > max_joints)
        fail("GPU skinning", "{} joints, {} are allowed", skin.joints.size(), max_joints);
    model::validate(skin, mesh.vertex_count(), skin.joints.size(), "GPU skinning");
    for (std::size_t v = 0; v < skin.vertex_count(); ++v) {
        const std::size_t count = skin.of(v).size();
        if (count == 0) fail("GPU skinning", "vertex {} has no influence: clean the skin first", v);
        if (count > max_of_a_vertex)
            fail("GPU skinning", "vertex {} has {} influences, {} are allowed", v, count, max_of_a_vertex);
    }
}

/// The order of sets and their signs, without the vertices, which are on the card.
deform::SkinLayout layout_of(const geometry::Mesh& mesh, const model::Skin& skin,
                             const model::Skeleton* skeleton) {
    check_skin(mesh, skin);
    return deform::make_layout(mesh, skin, model::group_by_influences(skin, skeleton), {false, false, {}});
}

deform::FrameData frame_data_of(const deform::SkinLayout& layout, const model::Skin& skin) {
    std::vector<math::Vec3d> centers;
    for (const model::SkinJoint& joint : skin.joints)
        centers.push_back(deform::rest_center(joint.inverse_bind));
    return deform::make_frame_data(layout, centers, 1);
}

/// Restores the framebuffers that were bound.
class FramebufferScope {
  public:
    FramebufferScope() {
        glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &draw_);
        glGetIntegerv(GL_READ_FRAMEBUFFER_BINDING, &read_);
    }
    FramebufferScope(const FramebufferScope&) = delete;
    FramebufferScope& operator=(const FramebufferScope&) = delete;
    ~FramebufferScope() {
        glBindFramebuffer(GL_DRAW_FRAMEBUFFER, static_cast<GLuint>(draw_));
        glBindFramebuffer(GL_READ_FRAMEBUFFER, static_cast<GLuint>(read_));
    }

  private:
    GLint draw_ = 0;
    GLint read_ = 0;
};

/// Two vectors per vertex, in the layout that the program captures.
using Captured = std::array<math::Vec3f, 2>;

std::vector<Captured> capture(std::size_t count, const SkinStreams& streams) {
    std::vector<Captured> captured(count);
    const auto bytes = static_cast<GLsizeiptr>(count * sizeof(Captured));
    const Buffer buffer = make_buffer();
    glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, buffer.id());
    glBufferData(GL_TRANSFORM_FEEDBACK_BUFFER, bytes, nullptr, GL_STREAM_READ);
    glEnable(GL_RASTERIZER_DISCARD);
    glBeginTransformFeedback(GL_POINTS);
    streams.draw_points();
    glEndTransformFeedback();
    glDisable(GL_RASTERIZER_DISCARD);
    glGetBufferSubData(GL_TRANSFORM_FEEDBACK_BUFFER, 0, bytes, captured.data());
    glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, 0);
    check_errors("deformed a mesh");
    return captured;
}

}  // namespace

GpuSkin::GpuSkin(const geometry::Mesh& mesh, const model::Skin& skin, const model::Skeleton* skeleton,
                 const GpuSkinnerOptions& options)
    : layout_(layout_of(mesh, skin, skeleton)),
      frame_data_(frame_data_of(layout_, skin)),
      streams_(mesh, skin, layout_, options.weights),
      exact_normals_(options.exact_normals),
      has_normals_(!mesh.normals.empty()),
      palette_buffer_(make_buffer()),
      palette_texture_(make_texture()) {
    layout_.data = {};
}

void GpuSkin::set_palettes(std::span<const deform::Mat34f> palettes, deform::Method method) {
    GpuPalettes made = make_gpu_palettes(layout_, frame_data_, palettes, method);
    GLint max = 0;
    glGetIntegerv(GL_MAX_TEXTURE_BUFFER_SIZE, &max);
    if (made.texels.size() > static_cast<std::size_t>(max))
        fail("GPU skinning", "{} frames need {} texels, the driver allows {}: upload fewer frames",
             made.frames, made.texels.size(), max);
    upload(GL_TEXTURE_BUFFER, palette_buffer_, std::span<const math::Vec4f>(made.texels), GL_STATIC_DRAW);
    bind_texture(unit_palette, GL_TEXTURE_BUFFER, palette_texture_);
    glTexBuffer(GL_TEXTURE_BUFFER, GL_RGBA32F, palette_buffer_.id());
    glActiveTexture(GL_TEXTURE0);
    check_errors("uploaded palettes");
    made.texels = {};
    palettes_ = std::move(made);
    boxes_.assign(palettes_.frames, std::nullopt);
}

void GpuSkin::check(std::span<const CrowdMember> crowd) const {
    for (const CrowdMember& member : crowd)
        if (member.frame < 0 || static_cast<std::size_t>(member.frame) >= palettes_.frames)
            fail("GPU skinning", "frame {} is asked for, there are {}", member.frame, palettes_.frames);
}

/// Uses the program for the palettes and sets everything except a projection.
const Program& GpuSkin::begin(std::span<const CrowdMember> crowd, bool depth) {
    check(crowd);
    const SkinProgramKind kind{palettes_.entry, palettes_.stretch, streams_.influences(), depth};
    auto found = programs_.find(kind);
    if (found == programs_.end()) found = programs_.emplace(kind, make_skin_program(kind)).first;
    const Program& program = found->second;
    program.use();
    program.set("palette", unit_palette);
    program.set("frame_texels", static_cast<int>(palettes_.frame_texels()));
    program.set("center_texel", static_cast<int>(palettes_.center_texel()));
    program.set("exact_normals", exact_normals_ ? 1 : 0);
    bind_texture(unit_palette, GL_TEXTURE_BUFFER, palette_texture_);
    glActiveTexture(GL_TEXTURE0);
    streams_.set_instances(crowd);
    return program;
}

GpuVertices GpuSkin::read_back(std::span<const CrowdMember> crowd) {
    GpuVertices result;
    if (crowd.empty()) return result;
    begin(crowd, true);
    // A context without a window has no default framebuffer, and drawing needs one.
    const FramebufferScope scope;
    if (!nowhere_.framebuffer) nowhere_ = make_target(GL_RGBA8, 1, 1, false);
    glBindFramebuffer(GL_FRAMEBUFFER, nowhere_.framebuffer.id());
    const std::vector<Captured> captured = capture(crowd.size() * vertex_count(), streams_);
    glUseProgram(0);
    for (const Captured& vertex : captured) {
        result.positions.push_back(vertex[0]);
        if (has_normals_) result.normals.push_back(vertex[1]);
    }
    return result;
}

const geometry::Box& GpuSkin::frame_box(std::int32_t frame) {
    std::optional<geometry::Box>& box = boxes_[at(frame)];
    if (!box) {
        const CrowdMember member{.frame = frame};
        box = geometry::bounds(read_back({&member, 1}).positions);
    }
    return *box;
}

geometry::Box GpuSkin::bounds(std::span<const CrowdMember> crowd) {
    check(crowd);
    geometry::Box all;
    for (const CrowdMember& member : crowd) {
        const geometry::Box& box = frame_box(member.frame);
        for (int i = 0; i < 8; ++i) {
            const math::Vec4f corner((i & 1) != 0 ? box.high.x() : box.low.x(),
                                     (i & 2) != 0 ? box.high.y() : box.low.y(),
                                     (i & 4) != 0 ? box.high.z() : box.low.z(), 1);
            all.include(math::Vec3f((member.placement * corner).head<3>()));
        }
    }
    return all;
}

void GpuSkin::draw(std::span<const CrowdMember> crowd, const FrameBlock& frame) {
    const Program& program = begin(crowd, false);
    program.set("projection", frame.view_projection);
    program.set("base_color_map", unit_base_color);
    program.set("shadow_map", unit_shadow);
    program.set("base_color", math::Vec4f(math::Vec4f::Ones()));
    program.set("opacity", 1.0f);
    program.set("roughness", 0.55f);
    streams_.draw_triangles();
}

void GpuSkin::draw_depth(std::span<const CrowdMember> crowd, const math::Mat4f& projection) {
    const Program& program = begin(crowd, true);
    program.set("projection", projection);
    program.set("base_color_map", unit_base_color);
    streams_.draw_triangles();
}

}  // namespace sinew::render::gl
