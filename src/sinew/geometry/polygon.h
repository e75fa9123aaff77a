// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Polygons in the plane: area, containment and triangulation.
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

/// Corners in order; the last is connected to the first.
using Loop2 = std::vector<Vec2d>;

/// A counter-clockwise outline and its clockwise holes.
struct Polygon2 {
    Loop2 outer;
    std::vector<Loop2> holes;
};

inline double cross2(const Vec2d& a, const Vec2d& b) {
    return a.x() * b.y() - a.y() * b.x();
}

/// Signed area: positive for a counter-clockwise loop (shoelace formula about the first corner).
double signed_area(std::span<const Vec2d> loop);
/// Area of the outline without its holes.
double area(const Polygon2& polygon);

double distance_to_segment(const Vec2d& point, const Vec2d& a, const Vec2d& b);

/// True when two segments have a point in common.
bool segments_meet(const Vec2d& a, const Vec2d& b, const Vec2d& c, const Vec2d& d);

/// Sides of a polygon in a grid of square cells, for fast containment and distance queries on polygons with
/// many sides.
class PolygonIndex {
  public:
    explicit PolygonIndex(const Polygon2& polygon);

    /// True inside the outline and outside the holes. For a point on a side the result is undefined.
    bool contains(const Vec2d& point) const;
    /// Distance to the nearest side.
    double distance(const Vec2d& point) const;
    /// Length of the ray up to the first side it hits; negative when it hits none.
    double ray(const Vec2d& origin, const Vec2d& direction) const;
    /// True when no two sides intersect, apart from neighbours in their common corner.
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

/// Ear clipping of a simple counter-clockwise loop (Meisters 1975). Returns triangles of corner indices,
/// counter-clockwise; empty when rounding makes the orientation of the remaining corners uncertain.
std::optional<std::vector<std::array<int, 3>>> clip_ears(const Loop2& loop);

struct Triangulation2 {
    /// Side k of a triangle is opposite corner k.
    struct Triangle {
        std::array<int, 3> corners{};  ///< counter-clockwise
        std::array<int, 3> neighbors{-1, -1,
                                     -1};  ///< triangles across the sides; -1 for a side of the polygon
        bool external(std::size_t side) const { return neighbors[side] < 0; }
        int internal_sides() const {
            int count = 0;
            for (const int n : neighbors) count += n >= 0 ? 1 : 0;
            return count;
        }
    };
    std::vector<Vec2d> points;  ///< points of the outline, then of each hole
    std::vector<Triangle> triangles;
};

/// Constrained Delaunay triangulation: all sides of the polygon are edges, and no corner that is visible from
/// a triangle is inside its circumcircle (up to rounding). A polygon with m corners in total and h holes
/// gives m + 2h - 2 triangles.
/// \throws Error when the polygon is not simple or has no area
Triangulation2 triangulate(const Polygon2& polygon);

/// Positive when d is inside the circumcircle of the counter-clockwise triangle a, b, c (Guibas and Stolfi
/// 1985); uses double-double arithmetic where double precision is uncertain.
double in_circle(const Vec2d& a, const Vec2d& b, const Vec2d& c, const Vec2d& d);

}  // namespace sinew::geometry
