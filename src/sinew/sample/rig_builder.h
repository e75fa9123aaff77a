#pragma once
/// \file
/// Skeletons and the shares of their joints, written down joint by joint.

#include <optional>
#include <string>
#include <vector>

#include "sinew/sample/bodies/skeleton_plan.h"

namespace sinew::sample {

/// Joints at places in the room, all rest rotations the identity.
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

/// A joint of a plan. A paired one stands for two, with Left and Right before its name and that of its
/// parent, if that is paired, too; it is described on the left side, x > 0.
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

/// A gate through the joint it is given to, square to the bend of the bones there.
Gate bend_gate(double before, double after);

/// Parents come first in a plan.
model::Skeleton skeleton_of(const std::vector<JointPlan>& plan);
std::vector<JointShare> shares_of(const std::vector<JointPlan>& plan, const model::Skeleton& skeleton);

}  // namespace sinew::sample
