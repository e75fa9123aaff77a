#pragma once
/// \file
/// The curve in which a dividing surface meets the skin near a joint.

#include "sinew/rig/bind/boundary.h"
#include "sinew/rig/bind/regions_surface.h"

namespace sinew::rig {

/// An edge of the surface between the two sides.
struct CrossedEdge {
    std::uint32_t edge = 0;
    std::uint32_t behind = 0;  ///< its vertex on the parent's side
    std::uint32_t beyond = 0;
};

/// Follows the edges whose ends are on different sides from triangle to triangle, starting where the dividing
/// points lie. An edge that the surface crosses twice has both ends on one side and does not count. On a
/// closed mesh the curve closes; edges are in rising order.
std::vector<CrossedEdge> trace(const RegionSurface& surface, const DividingSurface& cut,
                               std::span<const std::uint32_t> start_triangles);

/// Vertices on the shortest way along edges from each start triangle to the next and back to the first, each
/// once, rising; empty when there is no way.
std::vector<std::uint32_t> shortest_loop(const RegionSurface& surface,
                                         std::span<const std::uint32_t> start_triangles);

}  // namespace sinew::rig
