// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// What the fits of single frames share: rest pose, weights and joints in double precision, of size 1.

#include "sinew/fit/fit.h"

namespace sinew::fit {

/// The rest pose around its centroid and divided by half the diagonal of its box; joints and weights with it.
struct JointRig {
    double scale = 1;
    Vec3d center = Vec3d::Zero();
    std::vector<Vec3d> rest;
    std::vector<Vec3d> normals;  ///< unit; empty when they are not fitted
    std::vector<Vec3d> joints;
    double reach = 1;  ///< how far a joint's influence goes about
    BlendWeights weights;

    std::size_t joint_count() const { return joints.size(); }
};

/// `rest` in its own units.
JointRig make_rig(std::span<const Vec3d> rest, std::span<const Vec3d> joints, const BlendWeights& weights);

/// Goals of one frame in the units of the rig, after the rigid motion that takes the frame back to the rest
/// pose.
struct AlignedGoals {
    Mat34d motion;  ///< from the rest pose to the frame, both in units of the rig
    std::vector<Vec3d> goals;
};
/// `align_rigidly` false only moves the centroid, which changes no fit but its rounding.
AlignedGoals align(const JointRig& rig, std::span<const Vec3d> goals, bool align_rigidly = true);

/// Transformations between aligned units of the rig as transformations of the sequence.
Mat34d unaligned(const JointRig& rig, const Mat34d& motion, const Mat34d& matrix);
math::DualQuatd unaligned(const JointRig& rig, const Mat34d& motion, const math::DualQuatd& q);
/// The inverse map.
Mat34d realigned(const JointRig& rig, const Mat34d& motion, const Mat34d& matrix);
math::DualQuatd realigned(const JointRig& rig, const Mat34d& motion, const math::DualQuatd& q);

/// A pose of the frame with the motion `from`, taken along with the whole to the frame with the motion `to`.
BonePose carried(const JointRig& rig, const Mat34d& from, const Mat34d& to, const BonePose& pose);

}  // namespace sinew::fit
