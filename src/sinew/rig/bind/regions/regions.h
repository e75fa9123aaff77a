// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Weights from what bounds a region (Xie 2009, chapter 4, with repairs).

#include "sinew/rig/bind/weight_table.h"

namespace sinew::rig {

/// A boundary as a vertex of a region sees it: d = 0 on it.
struct BandSide {
    int joint = 0;
    double distance = 0;
    double softness = 0.5;  ///< eta of the boundary's joint
    double limit = 0;       ///< no stretch longer than this counts; infinite without limit
};

/// What lies around a vertex.
struct RegionSides {
    int joint = 0;
    int parent = -1;  ///< -1 where the region has no boundary of its own
    BandSide own;
    std::vector<BandSide> children;
};

/// Part d / D of the length from a boundary to the nearest other one, where D = d + d', at most `limit`.
double band_fraction(double distance, double other, double limit);

/// Hierarchical band: t is 1/2 on a boundary and has reached 0 or 1 before every other, by 3x^2 - 2x^3;
/// parent 1 - t_J, joint t_J prod (1 - t_c), child t_J t_c. Not normalised: with one child the sum is 1.
void band_weights(const RegionSides& sides, std::vector<JointWeight>& row);

/// The children in whose band the vertex lies, d_c < eta D: those that have a weight on it.
void influencing_children(const RegionSides& sides, std::vector<std::uint32_t>& joints);

}  // namespace sinew::rig
