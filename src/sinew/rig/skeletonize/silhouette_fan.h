#pragma once
/// \file
/// The neighbours of a vertex unrolled in the view, so that each has one angle that counts whole turns.

#include "sinew/rig/skeletonize/silhouette_surface.h"

namespace sinew::rig {

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

}  // namespace sinew::rig
