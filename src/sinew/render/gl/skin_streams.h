#pragma once
/// \file
/// A skinned mesh on the graphics card, as the shaders of skin_program.h read it.

#include <vector>

#include "sinew/deform/blend.h"
#include "sinew/geometry/mesh.h"
#include "sinew/render/gl/objects.h"
#include "sinew/render/gpu_skinner.h"

namespace sinew::render::gl {

/// Sixteen-bit weights by the method of largest remainders: none below 0, together exactly 65535.
void quantize_weights(std::span<const float> weights, std::span<std::uint16_t> out);

class SkinStreams {
  public:
    /// `layout` tells the influence set of each vertex; the skin has at most 8 influences a vertex.
    SkinStreams(const geometry::Mesh& mesh, const model::Skin& skin, const deform::SkinLayout& layout,
                WeightFormat weights);

    std::size_t vertex_count() const { return static_cast<std::size_t>(vertex_count_); }
    /// 4, or 8 when a vertex needs them.
    int influences() const { return influences_; }
    std::size_t memory() const { return memory_; }

    /// Replaces the instances.
    void set_instances(std::span<const CrowdMember> crowd);
    /// All vertices of all instances, as points.
    void draw_points() const;
    void draw_triangles() const;

  private:
    template <class T>
    void add(GLuint place, std::span<const T> items, const AttributeFormat& format);
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

}  // namespace sinew::render::gl
