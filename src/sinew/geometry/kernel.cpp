#include "sinew/geometry/part_shape.h"

#include <algorithm>

namespace sinew::geometry {
namespace {

/// Half-spaces of the triangles; triangles without area have none.
void add_triangles(const std::vector<Vec3d>& points, const std::vector<Triangle>& triangles,
                   std::vector<HalfSpace>& half_spaces) {
    for (const auto& [a, b, c] : triangles) {
        const Vec3d across = (points[b] - points[a]).cross(points[c] - points[a]);
        const double longest =
            std::max((points[b] - points[a]).squaredNorm(),
                     std::max((points[c] - points[a]).squaredNorm(), (points[c] - points[b]).squaredNorm()));
        if (across.norm() <= 1e-9 * longest) continue;  // its direction would be rounding
        const Vec3d normal = across.normalized();
        half_spaces.push_back({normal, normal.dot((points[a] + points[b] + points[c]) / 3)});
    }
}

void add_box(const Vec3d& low, const Vec3d& high, std::vector<HalfSpace>& half_spaces) {
    for (int i = 0; i < 3; ++i) {
        half_spaces.push_back({Vec3d::Unit(i), high[i]});
        half_spaces.push_back({-Vec3d::Unit(i), -low[i]});
    }
}

}  // namespace

std::optional<Hull> intersection(std::span<const HalfSpace> half_spaces, const Vec3d& inner) {
    std::vector<Vec3d> duals;
    duals.reserve(half_spaces.size());
    for (const HalfSpace& h : half_spaces) {
        const double room = h.offset - h.normal.dot(inner);
        if (room <= 0) return std::nullopt;
        duals.push_back(h.normal / room);
    }
    const Hull dual = convex_hull(duals);
    if (dual.empty()) return std::nullopt;
    std::vector<Vec3d> corners;
    corners.reserve(dual.triangles.size());
    for (const auto& [a, b, c] : dual.triangles) {
        const Vec3d& p = dual.points[a];
        const Vec3d across = (dual.points[b] - p).cross(dual.points[c] - p);
        const double depth = across.dot(p);
        // A face through the origin is a corner at infinity; a sliver is next to a face that tells the same.
        if (depth <= 1e-14 * across.norm() * p.norm()) continue;
        corners.push_back(inner + across / depth);
    }
    Hull hull = convex_hull(corners);
    if (hull.empty()) return std::nullopt;
    return hull;
}

std::optional<Hull> kernel(const std::vector<Vec3d>& points, const std::vector<Triangle>& triangles,
                           std::span<const HalfSpace> more) {
    if (points.empty()) return std::nullopt;
    Vec3d low = points[0], high = points[0];
    for (const Vec3d& p : points) {
        low = low.cwiseMin(p);
        high = high.cwiseMax(p);
    }
    const double diagonal = (high - low).norm();
    if (diagonal <= 0) return std::nullopt;
    std::vector<HalfSpace> half_spaces(more.begin(), more.end());
    half_spaces.reserve(more.size() + triangles.size() + 6);
    add_box(low, high, half_spaces);
    add_triangles(points, triangles, half_spaces);
    const InnerBall ball = inner_ball(half_spaces, (low + high) / 2, diagonal);
    if (ball.radius <= 1e-7 * diagonal) return std::nullopt;
    return intersection(half_spaces, ball.centre);
}

}  // namespace sinew::geometry
