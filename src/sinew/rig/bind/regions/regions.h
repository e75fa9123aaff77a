// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Weights from the boundaries of a region (Xie 2009, chapter 4, with corrections).

#include "sinew/rig/bind/weight_table.h"

namespace sinew::rig {

/// A boundary from the perspective of a vertex in a region: d = 0 on it.
struct BandSide {
    int joint = 0;
    double distance = 0;
    double softness = 0.5;  ///< eta of the boundary's joint
    double limit = 0;       ///< longer distances count as this; infinite means no limit
};

/// Boundaries around a vertex.
struct RegionSides {
    int joint = 0;
    int parent = -1;  ///< -1 where the region has no boundary of its own
    BandSide own;
    std::vector<BandSide> children;
};

/// Fraction d / D of the length from a boundary to the nearest other one, where D = d + d', limited by
/// `limit`.
double band_fraction(double distance, double other, double limit);

/// Hierarchical band: t is 1/2 on a boundary and has reached 0 or 1 before every other, by 3x^2 - 2x^3;
/// parent 1 - t_J, joint t_J prod (1 - t_c), child t_J t_c. Not normalised: with one child the sum is 1.
void band_weights(const RegionSides& sides, std::vector<JointWeight>& row);

/// The children in whose band the vertex lies, d_c < eta D: those that have a weight on it.
void influencing_children(const RegionSides& sides, std::vector<std::uint32_t>& joints);

}  // namespace sinew::rig
