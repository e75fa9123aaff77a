// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Stages of the silhouette method as published by Xie (2009), for comparison: three methods to trace an
/// outline, and depth from the outlines of the parts.

#include "sinew/rig/silhouette/decompose.h"
#include "sinew/rig/silhouette/refine.h"
#include "sinew/rig/silhouette/silhouette.h"
#include "sinew/rig/silhouette/silhouette_surface.h"

namespace sinew::published {

using namespace rig;  // the product's own steps around these methods

/// Traces the outermost vertices one after the other, then the paths between them (Xie 2009, 3.2.1). For
/// extended poses.
/// \param surface welded surface
/// \param projection its view
/// \param radius_scale factor for the search radius
Silhouette trace_search(const WeldedSurface& surface, const Projection& projection, double radius_scale = 1);
/// Traces along edges, restricted by the vertex normal (Xie 2009, 3.2.2).
Silhouette trace_linkage(const WeldedSurface& surface, const Projection& projection);
/// Traces along edges by the unrolled fan; exact on convex bodies (Xie 2009, 3.2.2).
Silhouette trace_linkage_modified(const WeldedSurface& surface, const Projection& projection);

/// The start vertex of every tour: the highest, then the leftmost, then the one with the lowest index.
std::uint32_t start_vertex(const WeldedSurface& surface, const Projection& projection);
/// Clockwise angle from u to v, in [0, 2 pi).
double clockwise(const Vec2d& u, const Vec2d& v);
/// A loop through vertices of the mesh as a silhouette with one piece; empty when it has no area.
Silhouette silhouette_of(const std::vector<std::uint32_t>& vertices, const Projection& projection);

/// Level 1: vertices of the outline in order, each the outermost within the search radius of the previous
/// one, independent of edges. Empty when the tour does not close.
std::vector<std::uint32_t> search_outline(const WeldedSurface& surface, const Projection& projection,
                                          double radius_scale = 1);

/// Level 2: the same tour along edges of the mesh; straight where no path is near.
std::vector<std::uint32_t> connect_outline(const WeldedSurface& surface, const Projection& projection,
                                           const std::vector<std::uint32_t>& tour);

/// For every vertex the length of its longest edge in the view: Xie 2009, (3.3).
std::vector<double> search_radii(const WeldedSurface& surface, const Projection& projection);

// The neighbours of a vertex, unrolled in the view: each has one angle that may exceed 360 degrees.

struct Fan {
    std::vector<std::uint32_t> neighbors;  ///< starting with the given one, triangle by triangle
    std::vector<double> angles;            ///< clockwise from the first, unwrapped
    bool closed = false;                   ///< the triangles surround the vertex completely
    /// Number of revolutions of a closed fan: 0 at a fold, which is on the outline; 1 or -1 where the fan
    /// covers its own vertex.
    int winding = 0;
    double total = 0;  ///< total angle of a closed fan: 2 pi times the winding, up to rounding
};

/// Signed clockwise angle from u to v, between -pi and pi, as in a projected triangle.
double signed_clockwise(const Vec2d& u, const Vec2d& v);

/// Unrolls the triangles at vertices of a surface in a view.
class FanFinder {
  public:
    FanFinder(const WeldedSurface& surface, const Projection& projection)
        : surface_(surface),
          projection_(projection),
          around_(geometry::vertex_triangles(surface.positions.size(), surface.triangles)) {}

    /// An open fan that does not start at its end is unrolled to both sides, the longer one first.
    Fan operator()(std::uint32_t vertex, std::uint32_t start) const;
    std::vector<std::uint32_t> neighbors(std::uint32_t vertex) const;

  private:
    void unroll(std::uint32_t vertex, std::uint32_t start, std::vector<std::uint32_t>& used, Fan& fan) const;

    const WeldedSurface& surface_;
    const Projection& projection_;
    geometry::Rows around_;
};

// Depth from the outline of each part in a side view (Xie 2009, 3.5).

/// The second view of a branch: perpendicular to the first view and the branch. Where the branch is parallel
/// to the view, perpendicular to the principal axis of its patch; where that is parallel too, any
/// perpendicular direction. The up direction is the first view, so that depth is height in the picture.
ViewFrame second_view(const MedialGraph::Branch& branch, const WeldedSurface& patch, const Vec3d& view);

/// Outline of the patch of one branch in its second view. A patch is open where it was cut off; the cut
/// closes the outline.
SilhouettePiece second_silhouette(const WeldedSurface& patch, const ViewFrame& frame);

/// Depth of a point at position `along` on the branch, between the two sides of an outline: the four vertices
/// of the two triangles at the nearest chord are interpolated on each side. Empty when the outline has no
/// chord.
std::optional<double> depth_between(const Triangulation2& triangulation, double along, double depth);

/// Moves every node to the depth midway between the sides of its part's second silhouette; its position in
/// the first view does not change. Returns one outline per branch, empty where a branch has no patch.
std::vector<SilhouettePiece> refine_by_silhouettes(MedialGraph& graph, const WeldedSurface& surface,
                                                   const Decomposition& parts, const Vec3d& view);

}  // namespace sinew::published
