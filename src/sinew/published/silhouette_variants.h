// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Stages of the silhouette method as Xie (2009) published them: three methods of tracing an outline, and
/// depth from the outlines of the parts.

#include "sinew/rig/silhouette/decompose.h"
#include "sinew/rig/silhouette/refine.h"
#include "sinew/rig/silhouette/silhouette.h"
#include "sinew/rig/silhouette/silhouette_surface.h"

namespace sinew::published {

using namespace rig;  // the product's own steps around these methods

/// Outermost vertices one after the other, then the paths between them (Xie 2009, 3.2.1). For extended poses.
/// \param radius_scale multiplies the reach of a search
Silhouette trace_search(const WeldedSurface& surface, const Projection& projection, double radius_scale = 1);
/// Along edges, guarded by the vertex normal (Xie 2009, 3.2.2).
Silhouette trace_linkage(const WeldedSurface& surface, const Projection& projection);
/// Along edges, by the unrolled fan: exact on convex bodies (Xie 2009, 3.2.2).
Silhouette trace_linkage_modified(const WeldedSurface& surface, const Projection& projection);

/// The vertex every tour starts from: the highest, then the leftmost, then the first.
std::uint32_t start_vertex(const WeldedSurface& surface, const Projection& projection);
/// Clockwise angle from u to v, in [0, 2 pi).
double clockwise(const Vec2d& u, const Vec2d& v);
/// A loop through vertices of the mesh as the only piece of a silhouette; nothing when it has no area.
Silhouette silhouette_of(const std::vector<std::uint32_t>& vertices, const Projection& projection);

/// Level 1: vertices of the outline one after the other, each the outermost within reach of the last,
/// whatever the edges of the mesh. Empty when the tour does not close.
std::vector<std::uint32_t> search_outline(const WeldedSurface& surface, const Projection& projection,
                                          double radius_scale = 1);

/// Level 2: the same tour along the edges of the mesh; straight where no path is near.
std::vector<std::uint32_t> connect_outline(const WeldedSurface& surface, const Projection& projection,
                                           const std::vector<std::uint32_t>& tour);

/// For every vertex the longest of its edges in the view: Xie 2009, (3.3).
std::vector<double> search_radii(const WeldedSurface& surface, const Projection& projection);

// The neighbours of a vertex unrolled in the view, so that each has one angle that counts whole turns.

struct Fan {
    std::vector<std::uint32_t> neighbors;  ///< from the starting one, triangle by triangle
    std::vector<double> angles;            ///< clockwise from the first, unwrapped
    bool closed = false;                   ///< the triangles go all the way round
    /// Whole turns of a closed fan: 0 at a fold, which is on the outline; 1 or -1 where the fan covers its
    /// own vertex.
    int winding = 0;
    double total = 0;  ///< the turn of a closed fan, 2 pi times the winding up to rounding
};

/// Signed clockwise angle from u to v, between -pi and pi: that of a projected triangle.
double signed_clockwise(const Vec2d& u, const Vec2d& v);

/// Unrolls the triangles at vertices of one surface in one view.
class FanFinder {
  public:
    FanFinder(const WeldedSurface& surface, const Projection& projection)
        : surface_(surface),
          projection_(projection),
          around_(geometry::vertex_triangles(surface.positions.size(), surface.triangles)) {}

    /// Of an open fan that does not start at its end both sides are unrolled, the longer way round first.
    Fan operator()(std::uint32_t vertex, std::uint32_t start) const;
    std::vector<std::uint32_t> neighbors(std::uint32_t vertex) const;

  private:
    void unroll(std::uint32_t vertex, std::uint32_t start, std::vector<std::uint32_t>& used, Fan& fan) const;

    const WeldedSurface& surface_;
    const Projection& projection_;
    geometry::Rows around_;
};

// Depth from the outline of each part, seen from its side (Xie 2009, 3.5).

/// The second view of a branch: across the first view and the branch; where the branch runs along the view,
/// across the principal axis of its patch; where that does too, any direction across the view. Upright in its
/// picture is the first view, so that depth is height there.
ViewFrame second_view(const MedialGraph::Branch& branch, const WeldedSurface& patch, const Vec3d& view);

/// The outline of the patch of one branch in its second view. A patch is open where it was cut from the rest;
/// the cut closes the outline.
SilhouettePiece second_silhouette(const WeldedSurface& patch, const ViewFrame& frame);

/// Depth of a point `along` the branch between two sides of an outline: the four vertices of the two
/// triangles at the nearest chord, interpolated on each side. Nothing when the outline has no chord.
std::optional<double> depth_between(const Triangulation2& triangulation, double along, double depth);

/// Moves every node to the depth between the sides of its part's second silhouette; what the first view
/// decided stays. Returns the outlines, one a branch, empty where a branch has no patch.
std::vector<SilhouettePiece> refine_by_silhouettes(MedialGraph& graph, const WeldedSurface& surface,
                                                   const Decomposition& parts, const Vec3d& view);

}  // namespace sinew::published
