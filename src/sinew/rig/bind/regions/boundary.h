// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// The dividing surface that cuts the skin at a joint: four planar pieces through the joint and its dividing
/// points, or one plane (Xie 2009, 4.2.3).

#include <span>
#include <vector>

#include "sinew/math/types.h"
#include "sinew/rig/bind/regions/surface.h"

namespace sinew::rig {
using math::Vec3d;

/// A cone with planar faces over rays from the apex, ordered around an axis; or a plane. Every point is on
/// exactly one side: behind (towards the parent) or beyond, so that its intersection with a closed mesh is
/// closed.
class DividingSurface {
  public:
    /// The plane perpendicular to `axis`.
    DividingSurface(const Vec3d& apex, const Vec3d& axis);
    /// The wedges between neighbouring points around the axis. Points on the axis are ignored; where fewer
    /// than three remain, or a gap exceeds 180 degrees, it is the plane.
    DividingSurface(const Vec3d& apex, const Vec3d& axis, std::span<const Vec3d> points);

    bool planar() const { return normals_.empty(); }
    const Vec3d& apex() const { return apex_; }
    const Vec3d& axis() const { return axis_; }
    /// Signed height above the piece of plane that the point lies above or below.
    double height(const Vec3d& point) const;
    bool beyond(const Vec3d& point) const { return height(point) >= 0; }
    /// Where the segment from a to b changes sides, as a fraction; the ends must be on different sides.
    double crossing(const Vec3d& a, const Vec3d& b) const;

  private:
    Vec3d apex_, axis_, u_, v_;
    std::vector<double> azimuths_;  // rising
    std::vector<Vec3d> normals_;    // of the wedge that starts at each azimuth
};

// --- The intersection curve of a dividing surface with the skin near a joint

/// An edge of the surface between the two sides.
struct CrossedEdge {
    std::uint32_t edge = 0;
    std::uint32_t behind = 0;  ///< its vertex on the parent's side
    std::uint32_t beyond = 0;
};

/// Follows the edges whose ends are on different sides from triangle to triangle, starting where the dividing
/// points lie. An edge that the surface crosses twice has both ends on one side and does not count. On a
/// closed mesh the curve closes; edges are in increasing order.
std::vector<CrossedEdge> trace(const RegionSurface& surface, const DividingSurface& cut,
                               std::span<const std::uint32_t> start_triangles);

/// Vertices on the shortest path along edges from each start triangle to the next and back to the first, each
/// once, increasing; empty when there is no path.
std::vector<std::uint32_t> shortest_loop(const RegionSurface& surface,
                                         std::span<const std::uint32_t> start_triangles);

}  // namespace sinew::rig
