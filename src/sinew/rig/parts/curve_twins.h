#pragma once
/// \file
/// Limbs of one junction that are alike, such as two legs or the fingers of a hand, cut alike in any pose.

#include "sinew/rig/parts/curve_ways.h"

namespace sinew::rig {

struct TwinOptions {
    double apart = 0.75;  ///< of the sum of their balls: junctions that are nearer on the curve are one
    double length = 0.8;  ///< of the longer limb, at least
    double area = 0.65;   ///< of the larger limb, at least
};

/// Groups of ways to limbs that start at about the same place, are about as long and have about as much
/// surface; -1 for a way without a twin. Lengths are measured along the limbs, so that poses do not matter.
std::vector<int> twin_ways(const CurveSkeleton& curve, const CurveShape& shape, const WayGraph& graph,
                           const std::vector<Way>& ways, const TwinOptions& options = {});

/// In each group the ways get as many cuts as most of them have, the more of two: one with another number
/// takes them over from one that has as many, at the same parts of its length.
void level_cuts(const std::vector<Way>& ways, const std::vector<int>& groups,
                std::vector<std::vector<std::size_t>>& cuts);

}  // namespace sinew::rig
