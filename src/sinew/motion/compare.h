#pragma once
/// \file
/// How far one motion is from another.

#include <string>

#include "sinew/model/clip.h"

namespace sinew::motion {

/// Distances between joints of the same name (see plain_name), in the units of the reference and in percent
/// of its skeleton's height.
struct MotionDifference {
    std::size_t joints = 0;          ///< compared
    std::size_t frames = 0;          ///< of the reference
    double mean_position_error = 0;  ///< over all joints and frames
    double max_position_error = 0;
    double mean_percent = 0;
    double max_percent = 0;
    std::string worst_joint;  ///< where the largest error is (name in the reference)
    double worst_time = 0;
};

/// Both motions are sampled at the frame times of the reference; each clamps beyond its own ends. A clip
/// without keys holds the rest pose.
/// \throws Error when no joint of the one has a partner in the other.
MotionDifference compare(const model::Skeleton& reference, const model::Clip& reference_clip,
                         const model::Skeleton& other, const model::Clip& other_clip);

}  // namespace sinew::motion
