// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// From local transforms to world matrices and the palette of a skin.

#include <span>
#include <vector>

#include "sinew/deform/playback/pose_kernels.h"
#include "sinew/model/skin.h"

namespace sinew::deform {

/// A skeleton and the bind matrices of a skin, laid out for one linear pass. Made once; many characters on
/// many threads may share it.
class Hierarchy {
  public:
    /// The palette has one entry for each skin joint, in their order.
    /// \throws Error when a parent does not come first, an entry names a missing joint, or a number is not
    /// finite.
    Hierarchy(const model::Skeleton& skeleton, std::span<const model::SkinJoint> skin_joints);

    std::size_t joint_count() const { return joints_.size(); }
    std::size_t palette_size() const { return entries_.size(); }

    /// World matrix of every joint and C = world inverse_bind of every palette entry, into the front of both
    /// spans. Nothing is allocated.
    /// \throws Error when a span is too short, the pose has another joint count, or it is not finite (the
    /// spans then hold what it made of them).
    void evaluate(const LocalPose& pose, std::span<Mat34f> world, std::span<Mat34f> palette) const;

    /// What the kernels need, for tests and benchmarks of the kernels themselves.
    HierarchyJob job(const LocalPose& pose, std::span<Mat34f> world, std::span<Mat34f> palette) const;

  private:
    std::vector<JointStep> joints_;
    AlignedVector<PaletteEntry> entries_;
};

}  // namespace sinew::deform
