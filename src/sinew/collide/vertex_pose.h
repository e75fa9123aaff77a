#pragma once
/// \file
/// Vertices of leaves in one pose, as skinning has them. The fourth layer of a Body. Inside the room only.

#include "sinew/collide/blend_pose.h"

namespace sinew::collide {

class VertexPose : protected BlendPose {
  protected:
    /// What rounding in a leaf depends on.
    struct LeafBlend {
        float length2 = 1;  ///< smallest squared length of a blended quaternion
        float center2 = 0;  ///< spherical: largest squared distance of a rest centre from the origin
        float gap = 0;      ///< spherical: largest of the sets
    };

    VertexPose(const SphereTree& tree, deform::Method method);

    LeafBlend deform_leaf(const Node& leaf);
    /// Takes the vertices of a leaf from a mesh that was skinned elsewhere.
    void copy_leaf(const Node& leaf, std::span<const Vec3f> vertices);
    /// One point under the weights of a vertex; see LeafBlend for `length2`.
    Point4 blended(std::uint32_t set, const float* weights, const Vec3f& rest, float& length2);

    std::vector<Point4> vertices_;

  private:
    /// Blends of vertices that wait until there are four.
    struct Waiting {
        alignas(16) float q[4][4];
        float other[4][4];  ///< the dual, or where the centre goes
        float rest[4][4];   ///< place in the rest shape, for spherical blending from the centre
        std::uint32_t vertices[4];
        std::uint32_t count = 0;
        Float4 length2 = all4(1);  ///< smallest squared lengths so far
    };

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
    void displace(const Node& leaf);
    Vec3d deformed(std::uint32_t set, std::span<const float> weights, const Vec3d& rest);
    Vec3d deformed_spherical(std::uint32_t set, std::span<const float> weights, const Vec3d& rest);
    Vec3d deformed_dual(std::uint32_t set, std::span<const float> weights, const Vec3d& rest) const;
    Vec3d stretched_point(std::uint32_t set, std::span<const float> weights, const Vec3d& rest,
                          bool degenerate) const;
};

}  // namespace sinew::collide
