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
    void deform_run(std::uint32_t set, std::uint32_t first, std::uint32_t end, LeafBlend& blend);
    template <std::uint32_t fixed>
    void deform_linear(const TreeSet& set, const float* weights, std::uint32_t first, std::uint32_t end);
    template <bool spherical>
    void deform_blended(std::uint32_t set, const float* weights, std::uint32_t first, std::uint32_t end,
                        LeafBlend& blend);
    template <bool spherical, std::uint32_t fixed>
    void deform_quaternions(std::uint32_t set, const float* weights, std::uint32_t first, std::uint32_t end,
                            LeafBlend& blend);
    template <bool spherical, std::uint32_t fixed>
    static bool blend_four(const PlayedJoint* played, std::uint32_t joints, const float* weights,
                           const Vec3f* positions, const Point4& center, Float4 (&out)[4], float& length2);
    template <std::uint32_t fixed>
    Float4 linear_blend(const TreeSet& set, const float* weights, const Vec3f& rest) const;
    template <bool spherical>
    Float4 quaternion_blend(std::uint32_t set, const PlayedJoint* played, const float* weights,
                            const Vec3f& rest, Float4 center, float& length2);
    void displace(const Node& leaf);
    Vec3d deformed(std::uint32_t set, std::span<const float> weights, const Vec3d& rest);
    Vec3d deformed_spherical(std::uint32_t set, std::span<const float> weights, const Vec3d& rest) const;
    Vec3d deformed_dual(std::uint32_t set, std::span<const float> weights, const Vec3d& rest) const;
    Vec3d stretched_point(std::uint32_t set, std::span<const float> weights, const Vec3d& rest,
                          bool degenerate) const;
};

}  // namespace sinew::collide
