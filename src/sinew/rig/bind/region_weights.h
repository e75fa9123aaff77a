#pragma once
/// \file
/// Weights from the distances to the boundaries of a region (Xie 2009, 4.5).

#include "sinew/rig/bind/region_distance.h"
#include "sinew/rig/bind/regions.h"

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

/// S(x) of the band for x in [0, 1]: S(0) = 0, S(1/2) = 1/2, S(1) = 1.
double ease(Ease kind, double x);

/// Part d / D of the way from a boundary to the nearest other one, where D = d + d', at most `limit`.
double band_fraction(double distance, double other, double limit);

/// Hierarchical band: t is 1/2 on a boundary and has reached 0 or 1 before every other; parent 1 - t_J,
/// joint t_J prod (1 - t_c), child t_J t_c. Not normalised: with one child the sum is 1.
void band_weights(const RegionSides& sides, Ease kind, std::vector<JointWeight>& row);

/// Continuous Shepard: odds ((eta D - d)+ / d)^alpha of each child against 1 of the joint, in product form.
void continuous_shepard(const RegionSides& sides, double alpha, std::vector<JointWeight>& row);

/// As published: among the joint and the children whose shadows hold the vertex, weights d^-alpha in product
/// form.
void source_shepard(const RegionSides& sides, double alpha, std::vector<JointWeight>& row);

/// The children in whose shadow the vertex lies: d_c < eta D.
void shadows_of(const RegionSides& sides, std::vector<std::uint32_t>& joints);

}  // namespace sinew::rig
