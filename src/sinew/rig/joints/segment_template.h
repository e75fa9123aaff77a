// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Joints in the middle of straight limbs: a stretched arm shows no elbow, but the proportions of arms are
/// known (Xie 2009, future work; auto-rig 3.18).

#include "sinew/model/roles.h"
#include "sinew/rig/curve/curve_skeleton.h"

namespace sinew::rig {

/// Where the joints of a segment lie between its two ends, as fractions of the path.
struct SegmentTemplate {
    std::vector<double> parts;
};
/// Elbow and wrist between shoulder and finger tips; knee and ankle between hip and toes.
SegmentTemplate arm_segment();
SegmentTemplate leg_segment();

/// Of the segment: a local minimum of thickness this near is used instead.
inline constexpr double segment_snap = 0.1;

/// A skeleton with the joints of a segment between two of its joints, `start` above `end`, on the curve that
/// leads from one to the other.
/// \throws Error when `start` is not above `end`.
model::Skeleton with_segment(const model::Skeleton& skeleton, const CurveSkeleton& curve, int start, int end,
                             const SegmentTemplate& segment, double snap = segment_snap);

/// Two limbs of one junction that are mirror images in x get the same joints: a knee that only one leg shows
/// is added to the other too.
model::Skeleton with_twin_joints(const model::Skeleton& skeleton, const CurveSkeleton& curve);

/// Gives twins the same joints, then completes every arm and leg that the roles identify by its segment.
/// Skeletons without roles do not change.
model::Skeleton with_middle_joints(const model::Skeleton& skeleton, const CurveSkeleton& curve);

}  // namespace sinew::rig
