// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Joints on a curve skeleton: at its ends, its junctions, its bends and its necks (Xie 2009, 3.6). Works for
/// curves of any method.

#include <functional>
#include <limits>

#include "sinew/rig/curve/curve_skeleton.h"

namespace sinew::rig {

enum class JointKind { key, bend, neck, length };

/// What is known about the body around a curve.
struct JointBody {
    /// The root is the joint nearest to it; the centroid of the curve when NaN.
    Vec3d centroid = Vec3d::Constant(std::numeric_limits<double>::quiet_NaN());
    double diagonal = 0;                       ///< that of the curve when 0
    std::function<bool(const Vec3d&)> inside;  ///< everything when not given
};

/// A joint with its origin on the curve.
struct PlacedJoint {
    Vec3d position = Vec3d::Zero();
    double radius = 0;
    JointKind kind = JointKind::key;
    int node = -1;    ///< of the curve
    int branch = -1;  ///< of branches(curve); -1 for a merged junction
    double at = 0;    ///< arc length from the start of the branch
    int parent = -1;
    int degree = 0;  ///< links
};

/// Parents come before children; one root for each piece of the curve.
struct JointSet {
    std::vector<PlacedJoint> joints;
    int key_joints = 0;
    int inner_joints = 0;
};

/// \throws Error when the curve is empty.
JointSet place_joints(const CurveSkeleton& curve, const JointOptions& options = {},
                      const JointBody& body = {});
/// Names are branchNN_jMM, numbered from the root.
model::Skeleton skeleton_of(const JointSet& joints);
model::Skeleton skeleton_of(const CurveSkeleton& curve, const JointOptions& options = {},
                            const JointBody& body = {});

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
std::vector<Mark> inner_joints(const BranchArc& branch, double first, double last, double bend);

/// More bends between marks: where a gradually bent branch is farther from the straight bone than a radius,
/// at the farthest point (Douglas and Peucker 1973). In order.
std::vector<Mark> without_stray(const BranchArc& branch, double first, double last, std::vector<Mark> marks);

/// Angle at a point between the paths to both sides, in degrees; 180 where the branch is straight.
double bending_angle(const BranchArc& branch, double s, double window);

}  // namespace sinew::rig
