// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// The tips of a body: where its limbs, tail and ears end.

#include "sinew/rig/body/body_graph.h"
#include "sinew/rig/curve/curve_skeleton.h"

namespace sinew::rig {

/// A point that is farther from the root than everything around it.
struct BodyTip {
    std::uint32_t node = 0;
    float distance = 0;    ///< from the root, in cells
    float prominence = 0;  ///< how far the level can fall before the tip joins a farther one, in cells
    bool side = false;     ///< stands out from the side of another limb: the distance is from its spheres
};

/// Local maxima of a function on the cells with at least a prominence, farthest first: the merge tree of
/// its superlevel sets (persistence, Edelsbrunner et al. 2002). Cells at infinity are left out; in every
/// connected part the farthest cell has its whole distance as prominence.
std::vector<BodyTip> body_tips(const BodyGraph& graph, const std::vector<float>& distance, float prominence);

/// The cell in the middle of each connected part: near the centre of its volume, and deep (Xie 2009 after
/// Wade and Parent 2002: |x - c| / L + (1 - depth / deepest) / 2 is least).
std::vector<std::uint32_t> body_roots(const BodyGraph& graph, const BodyField& field);

// --------------------
// Which tips of a body are limbs: legs, tails and ears, but not bumps.

/// A limit inside [least, most]: the middle of the widest gap between the values, by ratio.
double widest_gap(std::vector<double> values, double least, double most);

/// The points that are farthest from the middle of the body on paths inside it, farthest first.
std::vector<BodyTip> limb_tips(const BodyField& field, const BodyGraph& graph);

/// Tips of slender protrusions that a curve does not enter, the highest first; without those that contain a
/// known tip.
std::vector<BodyTip> side_tips(const CurveSkeleton& curve, const std::vector<BodyTip>& known,
                               const BodyField& field, const BodyGraph& graph);

}  // namespace sinew::rig
