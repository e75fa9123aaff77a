// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Polygons in the plane.
///
/// \code
/// const geometry::Triangulation2 flat = geometry::triangulate(polygon);
/// const bool inside = geometry::PolygonIndex(polygon).contains({0.5, 0.5});
/// \endcode

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <Eigen/Core>

namespace sinew::geometry {

using Vec2d = Eigen::Vector2d;

/// Corners in order; the last joins the first.
using Loop2 = std::vector<Vec2d>;

/// An outline that turns anticlockwise and the holes in it, which turn clockwise.
struct Polygon2 {
    Loop2 outer;
    std::vector<Loop2> holes;
};

inline double cross2(const Vec2d& a, const Vec2d& b) {
    return a.x() * b.y() - a.y() * b.x();
}

/// Area with sign: positive when the loop turns anticlockwise (the shoelace formula about its first corner).
double signed_area(std::span<const Vec2d> loop);
/// Area of the outline without its holes.
double area(const Polygon2& polygon);

double distance_to_segment(const Vec2d& point, const Vec2d& a, const Vec2d& b);

/// True when two segments have a point in common.
bool segments_meet(const Vec2d& a, const Vec2d& b, const Vec2d& c, const Vec2d& d);

/// Sides of a polygon in square buckets: containment and distances in time that hardly grows with the
/// number of sides.
class PolygonIndex {
  public:
    explicit PolygonIndex(const Polygon2& polygon);

    /// Inside the outline and outside the holes; a point on a side counts as either.
    bool contains(const Vec2d& point) const;
    /// Distance to the nearest side.
    double distance(const Vec2d& point) const;
    /// Length of the ray to the first side it meets, or a negative number.
    double ray(const Vec2d& origin, const Vec2d& direction) const;
    /// No two sides meet, but for neighbours in their common corner.
    bool simple() const;

  private:
    struct Side {
        Vec2d a, b;
        std::uint32_t loop, index, count;
    };
    using Cell = std::array<int, 2>;
    Cell cell_of(const Vec2d& point) const;
    template <class Body>
    void each_in(const Cell& cell, const Body& body) const;
    bool clash(const Side& s, const Side& t) const;

    std::vector<Side> sides_;
    Vec2d low_ = Vec2d::Zero();
    double cell_ = 1;
    Cell size_{1, 1};
    std::vector<std::uint32_t> offsets_, items_;
};

/// Cuts one corner after the other off a simple loop that turns anticlockwise (Meisters 1975); corners of the
/// loop as indices, anticlockwise. Nothing when rounding hides whether what is left turns left or right.
std::optional<std::vector<std::array<int, 3>>> clip_ears(const Loop2& loop);

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
