#include "sinew/io/mesh/mesh_file.h"

#include <array>
#include <cmath>

namespace sinew::io {
namespace {

using geometry::Triangle;
using geometry::Vec3d;
using geometry::Vec3f;

struct Point {
    double x = 0;
    double y = 0;
};

/// Twice the signed area of a triangle.
double area(const Point& a, const Point& b, const Point& c) {
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

/// The polygon seen along its Newell normal (sum of the cross products of neighbouring corners), dropping the
/// axis in which the normal is largest; oriented so that the whole turns left.
void flatten(std::span<const Vec3f> corners, std::span<Point> points) {
    Vec3d normal = Vec3d::Zero();
    const Vec3d origin = corners[0].cast<double>();
    Vec3d last = corners.back().cast<double>() - origin;
    for (const Vec3f& corner : corners) {
        const Vec3d next = corner.cast<double>() - origin;
        normal += last.cross(next);
        last = next;
    }
    int axis = 0;
    normal.cwiseAbs().maxCoeff(&axis);
    const double sign = normal[axis] < 0 ? -1 : 1;
    for (std::size_t i = 0; i < corners.size(); ++i) {
        const Vec3d p = corners[i].cast<double>() - origin;
        points[i] = {p[(axis + 1) % 3], sign * p[(axis + 2) % 3]};
    }
}

/// No corner turns right, and the corners go round once: the edges change between going left and right twice
/// at most.
bool convex(std::span<const Point> points) {
    const std::size_t count = points.size();
    int changes = 0;
    double direction = points[0].x - points[count - 1].x;
    for (std::size_t i = 0; i < count; ++i) {
        const Point& next = points[i + 1 < count ? i + 1 : 0];
        if (area(points[i], next, points[i + 2 < count ? i + 2 : i + 2 - count]) < 0) return false;
        const double along = next.x - points[i].x;
        if (along == 0) continue;
        if (direction != 0 && (along < 0) != (direction < 0)) ++changes;
        direction = along;
    }
    return changes <= 2;
}

/// Ear clipping over a ring of the corners that are left.
class Clipper {
  public:
    explicit Clipper(std::span<const Point> points) : points_(points), ring_(points.size()) {
        for (std::size_t i = 0; i < ring_.size(); ++i) ring_[i] = static_cast<std::uint32_t>(i);
    }

    void run(std::vector<Triangle>& triangles) {
        std::size_t start = 0;
        while (ring_.size() > 3) {
            const std::size_t ear = find_ear(start);
            triangles.push_back({before(ear), ring_[ear], after(ear)});
            ring_.erase(ring_.begin() + static_cast<std::ptrdiff_t>(ear));
            start = ear == 0 ? 0 : ear - 1;
        }
        triangles.push_back({ring_[0], ring_[1], ring_[2]});
    }

  private:
    std::uint32_t before(std::size_t i) const { return ring_[i == 0 ? ring_.size() - 1 : i - 1]; }
    std::uint32_t after(std::size_t i) const { return ring_[i + 1 == ring_.size() ? 0 : i + 1]; }

    /// The first ear from `start` on; of a polygon without one (it crosses itself), the first corner that
    /// turns left.
    std::size_t find_ear(std::size_t start) const {
        std::size_t fallback = ring_.size();
        for (std::size_t k = 0; k < ring_.size(); ++k) {
            const std::size_t i = (start + k) % ring_.size();
            if (area(points_[before(i)], points_[ring_[i]], points_[after(i)]) <= 0) continue;
            if (is_empty(i)) return i;
            if (fallback == ring_.size()) fallback = i;
        }
        return fallback == ring_.size() ? start % ring_.size() : fallback;
    }

    /// No other corner lies in the triangle at ring place i, its border included; corners at the same place
    /// as one of its own (the two ends of a bridge to a hole) do not count.
    bool is_empty(std::size_t i) const {
        const Point& a = points_[before(i)];
        const Point& b = points_[ring_[i]];
        const Point& c = points_[after(i)];
        const auto same = [](const Point& p, const Point& q) { return p.x == q.x && p.y == q.y; };
        for (const std::uint32_t other : ring_) {
            const Point& p = points_[other];
            if (same(p, a) || same(p, b) || same(p, c)) continue;
            if (area(a, b, p) >= 0 && area(b, c, p) >= 0 && area(c, a, p) >= 0) return false;
        }
        return true;
    }

    std::span<const Point> points_;
    std::vector<std::uint32_t> ring_;
};

}  // namespace

bool triangulate(std::span<const Vec3f> corners, std::vector<Triangle>& triangles) {
    bool fan = corners.size() == 3;
    bool clipped = false;
    if (!fan) {
        // Nearly all polygons are small: they need no memory of their own.
        std::array<Point, 8> few;
        std::vector<Point> many(corners.size() > few.size() ? corners.size() : 0);
        const std::span<Point> points = many.empty() ? std::span<Point>(few).first(corners.size()) : many;
        flatten(corners, points);
        fan = convex(points);
        clipped = !fan && corners.size() <= max_clipped_corners;
        if (clipped) Clipper(points).run(triangles);
    }
    if (!clipped) {
        for (std::uint32_t i = 2; i < corners.size(); ++i) triangles.push_back({0, i - 1, i});
    }
    return fan || clipped;
}

bool triangulate(std::span<const std::uint32_t> vertices, std::span<const Vec3f> positions,
                 std::vector<Triangle>& triangles) {
    std::vector<Vec3f> corners;
    corners.reserve(vertices.size());
    for (const std::uint32_t vertex : vertices) corners.push_back(positions[vertex]);
    const std::size_t first = triangles.size();
    const bool good = triangulate(corners, triangles);
    for (std::size_t t = first; t < triangles.size(); ++t) {
        for (std::uint32_t& corner : triangles[t]) corner = vertices[corner];
    }
    return good;
}

}  // namespace sinew::io
