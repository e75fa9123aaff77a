#pragma once
/// \file
/// The connected surface of a mesh and how a view sees it.

#include "sinew/geometry/topology.h"
#include "sinew/geometry/polygon.h"
#include "sinew/rig/skeletonize/view_frame.h"

namespace sinew::rig {

using geometry::Triangle;
using geometry::Vec2d;

/// Triangles over welded vertices (indices are those of the mesh, always the lowest of twins), without the
/// ones that have a repeated corner.
struct WeldedSurface {
    std::vector<Vec3d> positions;  ///< of all vertices of the mesh
    std::vector<std::uint32_t> weld;
    std::vector<Triangle> triangles;
    geometry::EdgeTable edges;
    double diagonal =
        0;  ///< of the ball around the centre of area: the size of the body, however it is turned
    /// Every edge has as many triangles that run along it as against it: crossings can be counted.
    bool closed = false;
};

/// \throws Error when there is no triangle with area.
WeldedSurface welded_surface(const geometry::Mesh& mesh);
/// The part of a surface that some of its triangles make, with vertices numbered anew.
WeldedSurface part_of(const WeldedSurface& surface, const std::vector<std::uint32_t>& triangles);

/// The vertices in the coordinates of a view.
struct Projection {
    ViewFrame frame;
    std::vector<Vec2d> xy;
    std::vector<double> z;

    Vec3d lifted(const Vec2d& at, double depth) const { return frame.to_world(at.x(), at.y(), depth); }
};
Projection project(const WeldedSurface& surface, const ViewFrame& frame);

}  // namespace sinew::rig
