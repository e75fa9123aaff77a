// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// What a Body holds: the parts of one pose, each of which makes what it is asked for, and the spheres.

#include <optional>

#include "sinew/collide/body/refit.h"
#include "sinew/collide/body/vertex_pose.h"

namespace sinew::collide {

/// One motion that takes all joints from the pose before to this one, and what spheres grow by. Linear
/// blending commutes with it.
struct RigidMotion {
    math::Mat3d linear = math::Mat3d::Identity();
    Vec3d move = Vec3d::Zero();
    double stretch = 1;
    double slack = 0;
    int count = 0;  ///< of poses that followed one another so

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

    /// In the rest shape of the moment, as far as it was asked for.
    const TreeData& tree() const { return *tree_; }
    deform::Method method() const { return joints_.method; }
    const Node& node(std::uint32_t index) const { return tree_->nodes[index]; }

    /// The sphere of a node in this pose.
    const StoredSphere& sphere(std::uint32_t node, RefitScratch& scratch) {
        if (!cache_.ready(node, joints_.number)) make(node, scratch);
        return spheres_[node];
    }
    bool refitted(std::uint32_t node) const { return cache_.ready(node, joints_.number); }

    /// Leaves; what is asked of `vertices()` must have been made by need_leaf().
    void need_leaf(std::uint32_t leaf, RefitScratch& scratch) { vertices_.need_leaf(leaf, scratch.counts); }
    const VertexPose& vertices() const { return vertices_; }
    /// A vertex or a triangle (in the order of the tree), whatever was asked for before.
    Vec3f vertex(std::uint32_t vertex, RefitScratch& scratch);
    Corners corners(std::uint32_t triangle, RefitScratch& scratch);

    /// All spheres of this pose at once, from vertices. Bottom-up: leaves around their vertices, parents
    /// around their children. Best: the smallest sphere of each node's vertices.
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

    std::optional<MorphedTree> shape_;  ///< whose tree it is, if its rest shape changes
    const TreeData* tree_;
    JointPose joints_;
    SignTreePose signs_;
    BlendPose blends_;
    VertexPose vertices_;
    NodeRefit refit_;
    PerPoseCache cache_;  ///< of the spheres
    std::vector<StoredSphere> spheres_;
    std::uint32_t last_pose_ = 1;  ///< whose spheres move along by `motion_`; odd when there is none
    RigidMotion motion_;
    bool reuse_ = true;
};

/// Corners of a triangle whose leaf has been made.
inline Corners made_corners(const PosedBody& body, std::uint32_t triangle) {
    const geometry::Triangle& t = body.tree().triangles[triangle];
    const VertexPose& made = body.vertices();
    return {made.vertex(t[0]).point().cast<double>(), made.vertex(t[1]).point().cast<double>(),
            made.vertex(t[2]).point().cast<double>()};
}

}  // namespace sinew::collide
