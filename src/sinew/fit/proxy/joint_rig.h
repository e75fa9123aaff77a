// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Shared data of the fits of single frames: rest pose, weights and joints in double precision, scaled to
/// size 1.

#include "sinew/fit/fit.h"

namespace sinew::fit {

/// Rest pose and joints relative to the centroid, divided by half the diagonal of the bounding box, with the
/// weights.
struct JointRig {
    double scale = 1;
    Vec3d center = Vec3d::Zero();
    std::vector<Vec3d> rest;
    std::vector<Vec3d> normals;  ///< unit; empty when they are not fitted
    std::vector<Vec3d> joints;
    double reach = 1;  ///< typical range of a joint's influence
    BlendWeights weights;

    std::size_t joint_count() const { return joints.size(); }
};

/// `rest` in its original units.
JointRig make_rig(std::span<const Vec3d> rest, std::span<const Vec3d> joints, const BlendWeights& weights);

/// Goals of one frame in the units of the rig, after the rigid motion that moves the frame back to the rest
/// pose.
struct AlignedGoals {
    Mat34d motion;  ///< from the rest pose to the frame, both in units of the rig
    std::vector<Vec3d> goals;
};
/// With `align_rigidly` false only the centroid is moved, which changes nothing but rounding.
AlignedGoals align(const JointRig& rig, std::span<const Vec3d> goals, bool align_rigidly = true);

/// Converts transformations from aligned units of the rig to the sequence.
Mat34d unaligned(const JointRig& rig, const Mat34d& motion, const Mat34d& matrix);
math::DualQuatd unaligned(const JointRig& rig, const Mat34d& motion, const math::DualQuatd& q);
/// The inverse conversion.
Mat34d realigned(const JointRig& rig, const Mat34d& motion, const Mat34d& matrix);
math::DualQuatd realigned(const JointRig& rig, const Mat34d& motion, const math::DualQuatd& q);

/// Moves a pose of a frame with the rigid motion `from` to a frame with the rigid motion `to`.
BonePose carried(const JointRig& rig, const Mat34d& from, const Mat34d& to, const BonePose& pose);

}  // namespace sinew::fit
