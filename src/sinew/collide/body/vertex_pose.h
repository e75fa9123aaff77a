// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Vertices of leaves in one pose, as computed by skinning, and their bounding boxes. A leaf is computed as a
/// whole, on demand.

#include "sinew/collide/body/blend_pose.h"
#include "sinew/collide/tree/morphed_tree.h"
#include "sinew/collide/triangle/triangle_block.h"

namespace sinew::collide {

class VertexPose {
  public:
    /// All arguments must outlive this object. `shape` owns the tree if the rest shape changes.
    VertexPose(JointPose& joints, BlendPose& blends, MorphedTree* shape);

    void clear_caches() { leaf_cache_.clear(); }
    bool made(std::uint32_t leaf) const { return leaf_cache_.ready(leaf, joints_.number); }
    /// Computes vertices and boxes of a leaf, required by the functions below; its vertices are added to
    /// `counts`.
    void need_leaf(std::uint32_t leaf, QueryCounts& counts) {
        if (!made(leaf)) make_leaf(leaf, counts);
    }
    /// The same from vertices that were skinned elsewhere, in mesh order.
    void take_leaf(std::uint32_t leaf, std::span<const Vec3f> vertices);

    const Point4& vertex(std::uint32_t index) const { return vertices_[index]; }
    /// Exact bounding box of the vertices of a leaf.
    const Box4& leaf_box(std::uint32_t node) const { return leaf_boxes_[node]; }
    /// Bounding box of a block of a leaf.
    const Box4& block_box(std::uint32_t block) const { return block_boxes_[block]; }
    /// The triangles of block k of a leaf.
    void fill_block(const Node& leaf, std::uint32_t k, TriangleBlock& block) const;
    /// Sphere of a leaf from its computed vertices.
    StoredSphere leaf_sphere(std::uint32_t leaf);

    std::size_t bytes() const;

  private:
    /// Quantities that the rounding error in a leaf depends on.
    struct LeafBlend {
        float length2 = 1;  ///< smallest squared length of a blended quaternion
        float center2 = 0;  ///< spherical: largest squared distance of a rest centre from the origin
        float gap = 0;      ///< spherical: largest of the sets
    };
    /// Blends of vertices that are collected until there are four.
    struct Waiting {
        alignas(16) float q[4][4];
        float other[4][4];  ///< the dual part, or the moved centre
        float rest[4][4];   ///< position in the rest shape, for spherical blending from the centre
        std::uint32_t vertices[4];
        std::uint32_t count = 0;
        Float4 length2 = all4(1);  ///< smallest squared lengths so far
    };

    void make_leaf(std::uint32_t leaf, QueryCounts& counts);
    LeafBlend deform_leaf(const Node& leaf);
    void displace(const Node& leaf);
    void fill_boxes(std::uint32_t node);
    double leaf_slack(const LeafBlend& blend) const;
    /// One point blended with the weights of a vertex; see LeafBlend for `length2`.
    Point4 blended(std::uint32_t set, const float* weights, const Vec3f& rest, float& length2);

    void deform_run(std::uint32_t set, std::uint32_t first, std::uint32_t end, Waiting& waiting,
                    LeafBlend& blend);
    template <std::uint32_t fixed>
    void deform_linear(const TreeSet& set, const float* weights, std::uint32_t first, std::uint32_t end);
    template <bool spherical>
    void blend_set(std::uint32_t set, const float* weights, std::uint32_t first, std::uint32_t end,
                   Waiting& waiting, LeafBlend& blend);
    template <bool spherical, std::uint32_t fixed>
    void blend_run(std::uint32_t set, const float* weights, std::uint32_t first, std::uint32_t end,
                   Waiting& waiting, LeafBlend& blend);
    template <bool spherical>
    void play(Waiting& waiting);
    template <bool spherical>
    void play_last(Waiting& waiting);
    Float4 exact_blend(std::uint32_t vertex);
    template <std::uint32_t fixed>
    Float4 linear_blend(const TreeSet& set, const float* weights, const Vec3f& rest) const;
    template <bool spherical>
    Float4 quaternion_blend(std::uint32_t set, const float* weights, const Vec3f& rest, float& length2);
    Vec3d deformed(std::uint32_t set, std::span<const float> weights, const Vec3d& rest);
    Vec3d deformed_spherical(std::uint32_t set, std::span<const float> weights, const Vec3d& rest);
    Vec3d deformed_dual(std::uint32_t set, std::span<const float> weights, const Vec3d& rest) const;
    Vec3d stretched_point(std::uint32_t set, std::span<const float> weights, const Vec3d& rest,
                          bool degenerate) const;

    JointPose& joints_;
    BlendPose& blends_;
    MorphedTree* shape_;
    const TreeData* tree_;
    deform::Method method_;
    PerPoseCache leaf_cache_;
    std::vector<Point4> vertices_;
    std::vector<Box4> leaf_boxes_;        ///< of nodes; inner ones have none
    std::vector<LeafBlend> leaf_blends_;  ///< the same; none for linear blending
    std::vector<Box4> block_boxes_;
};

}  // namespace sinew::collide
