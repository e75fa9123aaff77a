#pragma once
/// \file
/// Where along a branch joints belong.

#include "sinew/rig/skeletonize/joints.h"

namespace sinew::rig {

/// A branch by arc length.
class BranchArc {
  public:
    BranchArc(const CurveSkeleton& curve, const std::vector<int>& nodes);
    double length() const { return at_.back(); }
    std::size_t size() const { return at_.size(); }
    double at(std::size_t i) const { return at_[i]; }
    const CurveNode& node(std::size_t i) const { return nodes_[i]; }
    CurveNode operator()(double s) const;

  private:
    std::vector<CurveNode> nodes_;
    std::vector<double> at_;
};

struct Mark {
    std::size_t index = 0;  ///< node of the branch
    JointKind kind = JointKind::bend;
};

/// Bends and necks between `first` and `last` (arc lengths of the key joints), in order.
std::vector<Mark> inner_joints(const BranchArc& branch, double first, double last,
                               const JointOptions& options);

/// More bends between marks: where the branch, bent little by little, lies farther from the straight bone
/// than `stray` radii, at the farthest place (Douglas and Peucker 1973). In order.
std::vector<Mark> without_stray(const BranchArc& branch, double first, double last, std::vector<Mark> marks,
                                double stray);

/// Angle at a place between the ways to both sides, in degrees; 180 where the branch is straight.
double bending_angle(const BranchArc& branch, double s, double window);

}  // namespace sinew::rig
