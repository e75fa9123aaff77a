#pragma once
/// \file
/// Polygons in the plane.

#include <array>
#include <cstdint>
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

}  // namespace sinew::geometry
