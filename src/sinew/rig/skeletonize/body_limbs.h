#pragma once
/// \file
/// Which tips of a body are limbs: legs, tails and ears, but not bumps.

#include "sinew/rig/curve_skeleton.h"
#include "sinew/rig/skeletonize/body_tips.h"

namespace sinew::rig {

/// Lengths in percent of the diagonal. A fixed limit would cut through things of about its size, and a little
/// noise would then add a toe or take one away: limits lie in the widest gap of a range instead.
struct LimbOptions {
    /// How much farther from the middle of the body than what is around it a limb ends.
    double least = 2.6, most = 4.2;
    bool side = true;  ///< also what stands out from the side of another limb, as ears do
    /// How far a side limb stands out of the balls of the curve.
    double least_side = 4.8, most_side = 6.6;
    /// A side limb is at least so many times as long as it is wide and deep (geometric mean): the side of a
    /// foot is no limb;
    double slender = 4;
    double side_width = 3.6;  ///< and not wider than this: the rim of a large ear is none either
};

/// A limit inside [least, most]: the middle of the widest gap between the values, by ratio.
double widest_gap(std::vector<double> values, double least, double most);

/// The places that are farthest from the middle of the body on ways inside it, farthest first.
std::vector<BodyTip> limb_tips(const BodyField& field, const BodyGraph& graph, const LimbOptions& options);

/// Tips of slender things that a curve passes by, the highest first; without those that hold a known tip.
std::vector<BodyTip> side_tips(const CurveSkeleton& curve, const std::vector<BodyTip>& known,
                               const BodyField& field, const BodyGraph& graph, const LimbOptions& options);

}  // namespace sinew::rig
