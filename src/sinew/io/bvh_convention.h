#pragma once
/// \file
/// Whether position channels replace OFFSET or are added to it: files do not say, and both kinds are common.

#include <span>
#include <vector>

#include "sinew/math/types.h"

namespace sinew::io::bvh {

/// Roots: the classic definition adds, many exporters write a root OFFSET and absolute positions. Replaces
/// when OFFSET has a height and the motion stays near it: the median height within half of it.
bool root_replaces(const math::Vec3d& offset, double median_height);

/// OFFSET of a joint and its position channels in frame 0.
struct FirstPosition {
    math::Vec3d offset;
    math::Vec3d position;
};

struct JointConvention {
    bool replaces = true;
    bool sure = true;  ///< the data speak for it; otherwise it is the default
};

/// The other joints, all together: positions that start at OFFSET replace it (median distance below 5 % of
/// the bone); positions that start near zero (median below 20 %) are added; otherwise they replace.
JointConvention joint_convention(std::span<const FirstPosition> joints);

}  // namespace sinew::io::bvh
