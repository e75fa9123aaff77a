// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Contents of a Body: the data of one pose, each part computed on demand, and the spheres.

#include <optional>

#include "sinew/collide/body/refit.h"
#include "sinew/collide/body/vertex_pose.h"

namespace sinew::collide {

/// A single motion that transforms all joints from the previous pose to this one, and the growth of spheres
/// due to rounding. Linear blending commutes with it.
struct RigidMotion {
    math::Mat3d linear = math::Mat3d::Identity();
    Vec3d move = Vec3d::Zero();
    double stretch = 1;
    double slack = 0;
    int count = 0;  ///< number of consecutive poses related in this way

    StoredSphere moved(const StoredSphere& sphere) const;
};

class PosedBody {
  public:
    /// The tree must outlive it, and so must the morphs, which may be null.
    PosedBody(const TreeData& tree, const MorphData* morphs, deform::Method method);

    void set_pose(std::span<const deform::Mat34f> palette, const Displacements& displacements);
    void set_rigid_pose(const deform::Mat34f& matrix);
    void set_morph_weights(std::span<const float> weights);
    void reuse_spheres(bool reuse) { reuse_ = reuse; }

    /// In the current rest shape, as far as it was requested.
    const TreeData& tree() const { return *tree_; }
    deform::Method method() const { return joints_.method; }
    const Node& node(std::uint32_t index) const { return tree_->nodes[index]; }

    /// The sphere of a node in this pose.
    const StoredSphere& sphere(std::uint32_t node, RefitScratch& scratch) {
        if (!cache_.ready(node, joints_.number)) make(node, scratch);
        return spheres_[node];
    }
    bool refitted(std::uint32_t node) const { return cache_.ready(node, joints_.number); }

    /// Leaves; call need_leaf() before reading `vertices()`.
    void need_leaf(std::uint32_t leaf, RefitScratch& scratch) { vertices_.need_leaf(leaf, scratch.counts); }
    const VertexPose& vertices() const { return vertices_; }
    /// A vertex or triangle (in the order of the tree); computed if necessary.
    Vec3f vertex(std::uint32_t vertex, RefitScratch& scratch);
    Corners corners(std::uint32_t triangle, RefitScratch& scratch);

    /// All spheres of this pose from vertices. Bottom-up: leaves around their vertices, parents around their
    /// children. Best: the smallest enclosing sphere of each node's vertices.
    void refit_bottom_up(RefitScratch& scratch, std::span<const Vec3f> vertices);
    void refit_best(RefitScratch& scratch);

    std::size_t bytes() const;

  private:
    template <class Matrix>
    void pose_joints(const Matrix& matrix_of, const Displacements& displacements);
    bool may_be_rigid(std::span<const deform::Mat34f> palette, const Displacements& displacements) const;
    bool find_rigid_motion(std::span<const deform::Mat34f> palette);
    double half_rounding() const;
    void make(std::uint32_t node, RefitScratch& scratch);

    std::optional<MorphedTree> shape_;  ///< owns the tree, if the rest shape changes
    const TreeData* tree_;
    JointPose joints_;
    SignTreePose signs_;
    BlendPose blends_;
    VertexPose vertices_;
    NodeRefit refit_;
    PerPoseCache cache_;  ///< for the spheres
    std::vector<StoredSphere> spheres_;
    std::uint32_t last_pose_ = 1;  ///< pose whose spheres are moved by `motion_`; odd when there is none
    RigidMotion motion_;
    bool reuse_ = true;
};

/// Corners of a triangle in a leaf that is already computed.
inline Corners made_corners(const PosedBody& body, std::uint32_t triangle) {
    const geometry::Triangle& t = body.tree().triangles[triangle];
    const VertexPose& made = body.vertices();
    return {made.vertex(t[0]).point().cast<double>(), made.vertex(t[1]).point().cast<double>(),
            made.vertex(t[2]).point().cast<double>()};
}

}  // namespace sinew::collide
