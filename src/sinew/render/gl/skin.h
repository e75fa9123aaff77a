// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// A skinned mesh and the palettes of a clip on the graphics card, and the shaders that deform.

#include <map>
#include <optional>
#include <span>
#include <vector>

#include "sinew/deform/blend.h"
#include "sinew/geometry/mesh.h"
#include "sinew/math/types.h"
#include "sinew/render/gl/gpu_skinner.h"
#include "sinew/render/gl/objects.h"
#include "sinew/render/gl/shaders.h"

namespace sinew::render::gl {

/// Content of a palette entry on the card.
enum class GpuEntry {
    matrix,    ///< per joint: three rows of a matrix
    dual,      ///< per slot of an influence set: a dual quaternion
    centered,  ///< per slot of an influence set: a quaternion and the moved centre; then the centres of the
               ///< sets
};

/// The entry of a method. \throws Error when the method has no shader.
GpuEntry gpu_entry(deform::Method method);

/// Number of texels of an entry; entries with a stretch have three more.
constexpr std::size_t entry_texels(GpuEntry entry, bool stretch) {
    return (entry == GpuEntry::matrix ? 3 : 2) + (stretch ? 3 : 0);
}

/// Frames of equal size. A frame has `entries` entries, then one texel for each centre.
///
/// Dual quaternions and quaternions are stored for every slot of every influence set, not for every joint: a
/// joint may need either sign, depending on the set, so the card blends exactly the same numbers as the CPU
/// in every pose. A character has about three entries per set and 50 to 300 sets: 5 to 29 KB per frame
/// (quaternions of 60 joints without signs would take 2 KB). Matrices have no sign and are stored once per
/// joint: 48 bytes each.
struct GpuPalettes {
    GpuEntry entry = GpuEntry::matrix;
    bool stretch = false;  ///< true when an entry has scale or shear: all entries get three more texels, for
                           ///< the stretch before the motion
    std::size_t frames = 0;
    std::size_t entries = 0;
    std::size_t centers = 0;
    std::vector<math::Vec4f> texels;

    /// Start of the centres in a frame.
    std::size_t center_texel() const { return entries * entry_texels(entry, stretch); }
    std::size_t frame_texels() const { return center_texel() + centers; }
};

/// Computes signs, centres and stretches with the functions that the CPU uses. `palettes` holds whole frames
/// of `layout.palette_size` matrices, concatenated.
/// \throws Error for incomplete frames, a number that is not finite, or a method without a shader.
GpuPalettes make_gpu_palettes(const deform::SkinLayout& layout, deform::FrameData& frame,
                              std::span<const deform::Mat34f> palettes, deform::Method method);

// The shaders that deform.

/// One program per combination of these options.
struct SkinProgramKind {
    GpuEntry entry = GpuEntry::matrix;
    bool stretch = false;
    int influences = 4;  ///< 4 or 8
    bool depth = false;  ///< draws only depth
    auto operator<=>(const SkinProgramKind&) const = default;
};

/// Attributes of the programs.
enum SkinAttribute : GLuint {
    skin_position = 0,
    skin_normal = 1,
    skin_joints = 2,   ///< and the next, for influences 5 to 8
    skin_weights = 4,  ///< likewise
    skin_set = 6,      ///< number of the influence set, and its first palette entry
    skin_color = 7,
    skin_placement = 8,  ///< of an instance: four columns
    skin_frame = 12,     ///< of an instance
};

/// Deforms and draws instances; positions and normals in the world are captured by transform feedback.
Program make_skin_program(const SkinProgramKind& kind);

// A skinned mesh on the graphics card, in the layout that skin_shaders.cpp reads.

/// Sixteen-bit weights by the largest remainder method: none is below 0, and the sum is exactly 65535.
void quantize_weights(std::span<const float> weights, std::span<std::uint16_t> out);

class SkinStreams {
  public:
    /// `layout` gives the influence set of each vertex; the skin has at most 8 influences per vertex.
    SkinStreams(const geometry::Mesh& mesh, const model::Skin& skin, const deform::SkinLayout& layout,
                WeightFormat weights);

    std::size_t vertex_count() const { return static_cast<std::size_t>(vertex_count_); }
    /// 4, or 8 when a vertex needs more than 4.
    int influences() const { return influences_; }
    std::size_t memory() const { return memory_; }

    /// Replaces the instances.
    void set_instances(std::span<const CrowdMember> crowd);
    /// All vertices of all instances, as points.
    void draw_points() const;
    void draw_triangles() const;

  private:
    template <class T>
    void add(GLuint location, std::span<const T> items, const AttributeFormat& format);
    void add_joints(const model::Skin& skin);
    void add_weights(const model::Skin& skin, WeightFormat format);
    void add_sets(const deform::SkinLayout& layout);

    int influences_ = 4;
    GLsizei vertex_count_ = 0;
    GLsizei index_count_ = 0;
    GLsizei instance_count_ = 0;
    std::size_t memory_ = 0;
    VertexArray array_;
    std::vector<Buffer> buffers_;
    Buffer instances_;
    Buffer indices_;
};

// A skinned mesh and the palettes of a clip on the graphics card.

class GpuSkin {
  public:
    /// \throws Error under the conditions of GpuSkinner.
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

    /// Draws into the bound framebuffer.
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
    std::vector<std::optional<geometry::Box>> boxes_;  ///< of the frames requested so far
};

}  // namespace sinew::render::gl
