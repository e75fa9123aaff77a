// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Joints in the middle of straight limbs: an arm that is stretched out shows no elbow, but where elbows are
/// is known (Xie 2009, future work; auto-rig 3.18).

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

/// Of the segment: a point where the limb is thinnest this near is taken instead.
inline constexpr double segment_snap = 0.1;

/// A skeleton with the joints of a segment between two of its joints, `start` above `end`, on the curve that
/// leads from one to the other.
/// \throws Error when `start` is not above `end`.
model::Skeleton with_segment(const model::Skeleton& skeleton, const CurveSkeleton& curve, int start, int end,
                             const SegmentTemplate& segment, double snap = segment_snap);

/// Two limbs of one junction that are each other's mirror image in x get the same joints: a knee that only
/// one of two legs shows is one of the other too.
model::Skeleton with_twin_joints(const model::Skeleton& skeleton, const CurveSkeleton& curve);

/// Twins alike, then every arm and leg that the roles tell, completed by its segment. Skeletons without roles
/// stay as they are.
model::Skeleton with_middle_joints(const model::Skeleton& skeleton, const CurveSkeleton& curve);

}  // namespace sinew::rig
