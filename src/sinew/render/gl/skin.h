#pragma once
/// \file
/// A skinned mesh and the palettes of a clip on the graphics card.

#include <map>
#include <optional>
#include <vector>

#include "sinew/render/gl/shaders.h"

namespace sinew::render::gl {

class GpuSkin {
  public:
    /// \throws Error as GpuSkinner does.
    GpuSkin(const geometry::Mesh& mesh, const model::Skin& skin, const model::Skeleton* skeleton,
            const GpuSkinnerOptions& options);

    void set_palettes(std::span<const deform::Mat34f> palettes, deform::Method method);

    std::size_t vertex_count() const { return streams_.vertex_count(); }
    std::size_t palette_size() const { return layout_.palette_size; }
    std::size_t frame_count() const { return palettes_.frames; }
    int influences() const { return streams_.influences(); }
    std::size_t memory() const { return streams_.memory() + palette_memory(); }
    std::size_t palette_memory() const {
        return palettes_.frames * palettes_.frame_texels() * sizeof(math::Vec4f);
    }

    GpuVertices read_back(std::span<const CrowdMember> crowd);
    geometry::Box bounds(std::span<const CrowdMember> crowd);

    /// Draws into what is bound.
    void draw(std::span<const CrowdMember> crowd, const FrameBlock& frame);
    void draw_depth(std::span<const CrowdMember> crowd, const math::Mat4f& projection);

  private:
    const Program& begin(std::span<const CrowdMember> crowd, bool depth);
    void check(std::span<const CrowdMember> crowd) const;
    const geometry::Box& frame_box(std::int32_t frame);

    deform::SkinLayout layout_;  ///< without its vertices
    deform::FrameData frame_data_;
    SkinStreams streams_;
    bool exact_normals_ = true;
    bool has_normals_ = false;
    GpuPalettes palettes_;  ///< without the texels, which are in the buffer
    Buffer palette_buffer_;
    Texture palette_texture_;
    Target nowhere_;  ///< one pixel, bound while vertices are read back
    std::map<SkinProgramKind, Program> programs_;
    std::vector<std::optional<geometry::Box>> boxes_;  ///< of the frames asked for so far
};

}  // namespace sinew::render::gl
