// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Skeletons of built-in bodies joint by joint, and the true weights of each joint on the surface.

#include <optional>
#include <string>
#include <vector>

#include "sinew/math/quaternion.h"
#include "sinew/model/skin.h"
#include "sinew/sample/bodies/implicit.h"

namespace sinew::sample {

inline math::Quatd rotation_about(const Vec3d& axis, double degrees) {
    return math::axis_angle<double>(axis.normalized(), math::radians(degrees));
}

/// The same rotation on the other side of the plane x = 0.
inline math::Quatd mirrored(const math::Quatd& q) {
    return math::Quatd(q.w(), q.x(), -q.y(), -q.z());
}

/// Rises from 0 to 1 across a plane: 0 at `before` below it, 1 at `after` above it, C1.
struct Gate {
    Vec3d point = Vec3d::Zero();
    Vec3d normal = Vec3d::UnitY();  ///< of any length
    double before = 0;
    double after = 0;
};

/// The fraction of its parent's reach that joint `joint` takes: the product of its gates. A mirrored share is
/// evaluated at (-x, y, z). A late one takes only from the remainder of its siblings.
struct JointShare {
    int joint = 0;
    bool mirrored = false;
    bool late = false;
    std::vector<Gate> gates;
    /// Takes from the whole body before all others do, and not only from where its parent reaches: a folded
    /// wing lies beside joints that it is not attached to.
    bool apart = false;
};

/// w_j = reach_j (1 - sum of the children's shares), with reach_j = reach_parent share_j and reach 1 at the
/// root. The weights are at least 0 and sum to 1 when the shares of no joint's children sum to more than 1.
/// Joints without a share take nothing.
std::vector<double> tree_weights(const model::Skeleton& skeleton, const std::vector<JointShare>& shares,
                                 const Vec3d& point);

/// Skin of a symmetric body: computed on the side x >= 0, copied to the other with `other_joint` (the joint
/// of the same name on the other side), so that it is symmetric bit for bit.
model::Skin symmetric_skin(const model::Skeleton& skeleton, const std::vector<JointShare>& shares,
                           const std::vector<Vec3d>& positions, const std::vector<std::uint32_t>& twin,
                           const std::vector<int>& other_joint);

/// For each joint the one whose name has Left and Right exchanged, or itself.
std::vector<int> opposite_joints(const model::Skeleton& skeleton);

// Skeletons and the shares of their joints, written down joint by joint.

/// Joints at positions in the world, all rest rotations the identity.
class SkeletonBuilder {
  public:
    int add(const std::string& name, const std::string& parent, const Vec3d& at);
    void tip(const std::string& name, const Vec3d& at);
    const model::Skeleton& skeleton() const { return skeleton_; }

  private:
    model::Skeleton skeleton_;
    std::vector<Vec3d> at_;
};

/// Shares by the names of the joints.
class ShareBuilder {
  public:
    explicit ShareBuilder(const model::Skeleton& skeleton) : skeleton_(skeleton) {}

    void add(const std::string& name, const std::vector<Gate>& gates, bool late = false, bool apart = false);
    /// Of the joints with Left and Right before the name; the gates are those of the left side.
    void add_both(const std::string& name, const std::vector<Gate>& gates, bool late = false,
                  bool apart = false);
    const std::vector<JointShare>& shares() const { return shares_; }

  private:
    const model::Skeleton& skeleton_;
    std::vector<JointShare> shares_;
};

/// A joint of a plan. A paired one defines two, with Left and Right before its name and that of its parent,
/// if that is also paired; it is described on the left side, x > 0.
struct JointPlan {
    std::string name;
    std::string parent;
    Vec3d at = Vec3d::Zero();
    std::vector<Gate> gates = {};
    bool paired = false;
    bool late = false;  ///< see JointShare
    std::optional<Vec3d> tip = {};
    bool apart = false;  ///< see JointShare
};

/// A gate through its joint, perpendicular to the bend of the bones there.
Gate bend_gate(double before, double after);

/// Parents come first in a plan.
model::Skeleton skeleton_of(const std::vector<JointPlan>& plan);
std::vector<JointShare> shares_of(const std::vector<JointPlan>& plan, const model::Skeleton& skeleton);

}  // namespace sinew::sample
