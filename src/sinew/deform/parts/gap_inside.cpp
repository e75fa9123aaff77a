#include "sinew/deform/parts/gap_inside.h"

#include <algorithm>

#include "sinew/geometry/part_shape.h"

namespace sinew::deform {
namespace {

std::vector<math::Plane> hull_planes(const std::vector<Vec3d>& points) {
    const geometry::Hull hull = geometry::convex_hull(points);
    std::vector<math::Plane> planes;
    for (const geometry::Triangle& t : hull.triangles) {
        const Vec3d normal =
            (hull.points[t[1]] - hull.points[t[0]]).cross(hull.points[t[2]] - hull.points[t[0]]);
        if (normal.norm() > 0) planes.push_back({hull.points[t[0]], normal.normalized()});
    }
    return planes;
}

geometry::SurfaceQueries closed_surface(const geometry::PartSurface& surface) {
    std::vector<geometry::Vec3f> points;
    for (const Vec3d& p : surface.points) points.push_back(p.cast<float>());
    return {points, surface.triangles};
}

}  // namespace

PartSolids::PartSolids(const PartBody& body, InsideTest test) : test_(test), boxes_(body.box) {
    if (test == InsideTest::box) return;
    for (const geometry::PartSurface& surface : geometry::part_surfaces(body.cut)) {
        if (test == InsideTest::hull) hulls_.push_back(hull_planes(surface.points));
        if (test == InsideTest::exact) surfaces_.push_back(closed_surface(surface));
    }
}

bool PartSolids::contains(int part, const Vec3d& point) const {
    const auto p = static_cast<std::size_t>(part);
    if (!boxes_[p].contains(point)) return false;
    if (test_ == InsideTest::hull)
        return std::ranges::all_of(hulls_[p],
                                   [&](const math::Plane& plane) { return plane.distance(point) <= 0; });
    if (test_ == InsideTest::box) return true;
    // Most of three rays meet the surface from within: one may slip through an edge.
    const geometry::Vec3f directions[] = {
        {0.61f, 0.53f, 0.59f}, {-0.71f, 0.41f, -0.57f}, {0.13f, -0.88f, 0.45f}};
    int within = 0;
    for (const geometry::Vec3f& direction : directions) {
        const auto hit = surfaces_[p].first_hit(point.cast<float>(), direction);
        within += hit && !hit->entering ? 1 : 0;
    }
    return within >= 2;
}

}  // namespace sinew::deform
