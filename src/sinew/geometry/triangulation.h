#pragma once
/// \file
/// Triangles of a polygon with holes that use its corners only: the constrained Delaunay triangulation.

#include "sinew/geometry/polygon.h"

namespace sinew::geometry {

struct Triangulation2 {
    /// Side k of a triangle lies opposite to its corner k.
    struct Triangle {
        std::array<int, 3> corners{};              ///< anticlockwise
        std::array<int, 3> neighbors{-1, -1, -1};  ///< across the sides; -1 where the side is external
        bool external(std::size_t side) const { return neighbors[side] < 0; }
        int internal_sides() const {
            int count = 0;
            for (const int n : neighbors) count += n >= 0 ? 1 : 0;
            return count;
        }
    };
    std::vector<Vec2d> points;  ///< of the outline, then of each hole
    std::vector<Triangle> triangles;
};

/// Every side of the polygon is kept; no corner lies inside the circle of a triangle that sees it (up to
/// rounding). A polygon of m corners in all and h holes has m + 2h - 2 triangles.
/// \throws Error when the polygon is not simple or has no area.
Triangulation2 triangulate(const Polygon2& polygon);

/// Positive when d lies inside the circle through the anticlockwise triangle a, b, c (Guibas and Stolfi
/// 1985), in double-double arithmetic where the plain result is uncertain.
double in_circle(const Vec2d& a, const Vec2d& b, const Vec2d& c, const Vec2d& d);

}  // namespace sinew::geometry
