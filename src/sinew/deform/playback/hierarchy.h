// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Evaluates the hierarchy: local transforms to world matrices and palette.

#include <span>
#include <vector>

#include "sinew/deform/playback/pose_kernels.h"
#include "sinew/model/skin.h"

namespace sinew::deform {

/// A skeleton and the bind matrices of a skin, stored for one linear pass. Immutable; may be shared by many
/// characters on many threads.
class Hierarchy {
  public:
    /// The palette has one entry per skin joint, in the same order.
    /// \throws Error when a parent does not come first, an entry refers to a missing joint, or a number is
    /// not finite
    Hierarchy(const model::Skeleton& skeleton, std::span<const model::SkinJoint> skin_joints);

    std::size_t joint_count() const { return joints_.size(); }
    std::size_t palette_size() const { return entries_.size(); }

    /// Writes the world matrix of every joint and C = world inverse_bind of every palette entry to the
    /// beginning of both spans. Allocates nothing.
    /// \throws Error when a span is too short, the pose has another joint count, or it is not finite (the
    /// spans then contain the results)
    void evaluate(const LocalPose& pose, std::span<Mat34f> world, std::span<Mat34f> palette) const;

    /// Input of the kernels, for their tests and benchmarks.
    HierarchyJob job(const LocalPose& pose, std::span<Mat34f> world, std::span<Mat34f> palette) const;

  private:
    std::vector<JointStep> joints_;
    AlignedVector<PaletteEntry> entries_;
};

}  // namespace sinew::deform
