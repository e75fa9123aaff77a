#pragma once
/// \file
/// Marker offsets and segment lengths that fit all frames at once.

#include <span>
#include <vector>

#include "sinew/base/monitor.h"
#include "sinew/motion/solve_pose.h"

namespace sinew::motion {

struct RefineOptions {
    int rounds = 5;
    bool lengths = true;       ///< segments too, not only where markers sit on them
    double offset_pull = 0.3;  ///< towards the offsets as given, in samples of the marker a frame
    double length_pull = 0.3;  ///< towards the lengths as given, along a bone
    double across_pull = 10;   ///< likewise, across it: bones keep their direction in their joint
    double tolerance = 1e-4;   ///< relative decrease of the residual at which to stop
};

struct RefineReport {
    int rounds = 0;
    double rms_before = 0;  ///< metres
    double rms_after = 0;
};

/// Gauss-Newton on offsets and joint places, in which the poses of all frames follow along (they are
/// eliminated, frame by frame: a bundle adjustment with the poses as cameras). Weights of residuals as in
/// PoseOptions; pulls keep what the motion does not show. A round that does not help ends it.
RefineReport refine(model::Skeleton& skeleton, std::vector<Attachment>& attachments,
                    std::span<const std::vector<math::Vec3d>> frames, std::span<Pose> poses,
                    const PoseOptions& pose_options, const RefineOptions& options = {},
                    Monitor& monitor = silent());

}  // namespace sinew::motion
