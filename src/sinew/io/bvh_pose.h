#pragma once
/// \file
/// Poses in the terms of a BVH file, which knows neither rest rotations nor scale. The formulas are in bvh.h.

#include <string_view>
#include <vector>

#include "sinew/base/monitor.h"
#include "sinew/model/clip.h"

namespace sinew::io::bvh {

/// A joint in one frame.
struct Local {
    math::Quatd rotation;
    math::Vec3d position;
};

/// The rest pose upright in the world, and what turns poses into it.
struct UprightRest {
    std::vector<math::Quatd> turned;   ///< C_j: rest rotation in the world
    std::vector<math::Vec3d> offsets;  ///< OFFSET_j
    std::vector<math::Vec3d> tips;     ///< End Site OFFSETs, zero where there is none
    double size = 0;                   ///< height, or the longest OFFSET when that is more

    explicit UprightRest(const model::Skeleton& skeleton);
};

/// A motion, frame by frame.
struct Table {
    double step = 1.0 / 30;
    std::size_t frames = 1;
    std::size_t joints = 0;
    std::vector<Local> cells;

    const Local& at(std::size_t frame, std::size_t joint) const { return cells[frame * joints + joint]; }
};

/// Samples a clip at `rate`, or at its own when that is 0; the rest pose as one frame when `clip` is null.
/// \throws Error when that makes too many frames.
Table sample_table(const model::Skeleton& skeleton, const UprightRest& rest, const model::Clip* clip,
                   double rate, std::string_view file, Monitor& monitor);

}  // namespace sinew::io::bvh
