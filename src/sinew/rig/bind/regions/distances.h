// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Distance of every vertex from the boundaries of its region (Xie 2009, 4.4; geodesic distances after Kimmel
/// and Sethian 1998).

#include "sinew/rig/bind/regions/grow.h"

namespace sinew::rig {
/// The part of a boundary in one triangle.
struct CurvePiece {
    std::uint32_t triangle = 0;
    std::array<std::uint32_t, 2> edges{};
    Vec3d from = Vec3d::Zero();
    Vec3d to = Vec3d::Zero();
};

/// A boundary on the skin, between the region of its joint and that of its parent.
struct BoundaryCurve {
    std::vector<CurvePiece> pieces;
    std::vector<Vec3d> simplified;  ///< corners of the polygon through the dividing points
    double radius = 0;              ///< mean distance of the curve from its centre
};

/// The curves where the regions meet, one for each joint; empty for those without one.
std::vector<BoundaryCurve> boundary_curves(const RegionSurface& surface, const Regions& regions,
                                           std::span<const JointCut> cuts);

/// The curve in order, as closed lines (the first point is not repeated) and open ones.
std::vector<std::vector<Vec3d>> joined_lines(const BoundaryCurve& curve);

/// Distances of each vertex to the boundary of its own region and to those of its region's children.
class RegionDistances {
  public:
    /// Children of a region are those that were cut from it, increasing.
    RegionDistances(const Regions& regions);

    std::span<const int> children(int joint) const { return children_[static_cast<std::size_t>(joint)]; }
    /// The entry of a boundary at a vertex; null when it bounds another region.
    double* find(std::uint32_t vertex, int boundary);
    double own(std::uint32_t vertex) const { return values_[offsets_[vertex]]; }
    double child(std::uint32_t vertex, std::size_t k) const { return values_[offsets_[vertex] + 1 + k]; }

  private:
    const Regions& regions_;
    std::vector<std::vector<int>> children_;
    std::vector<std::uint32_t> rank_;  // of a joint among the children of its parent
    std::vector<std::size_t> offsets_;
    std::vector<double> values_;
};

/// Distance along the skin from the exact curve; infinite where there is no path within the two regions.
void geodesic_distances(const RegionSurface& surface, std::span<const BoundaryCurve> curves,
                        RegionDistances& distances);
}  // namespace sinew::rig
