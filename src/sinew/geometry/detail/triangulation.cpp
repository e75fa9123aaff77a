// SPDX-License-Identifier: MIT
#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <memory>
#include <string>
#include <unordered_map>

#include <geos_c.h>

#include "sinew/base/error.h"
#include "sinew/geometry/polygon.h"

namespace sinew::geometry {
namespace {

using FlatTriangle = Triangulation2::Triangle;

/// One GEOS context for one call, with its last message.
class Geos {
  public:
    Geos() : handle_(GEOS_init_r()) { GEOSContext_setErrorMessageHandler_r(handle_, keep, this); }
    Geos(const Geos&) = delete;
    Geos& operator=(const Geos&) = delete;
    ~Geos() { GEOS_finish_r(handle_); }

    using Geometry = std::unique_ptr<GEOSGeometry, std::function<void(GEOSGeometry*)>>;
    Geometry own(GEOSGeometry* geometry) const {
        if (geometry == nullptr) fail("", "triangulation failed: {}", message_);
        return {geometry, [h = handle_](GEOSGeometry* g) { GEOSGeom_destroy_r(h, g); }};
    }

    GEOSGeometry* ring(const Loop2& loop) const {
        std::vector<double> xy;
        xy.reserve(2 * loop.size() + 2);
        for (std::size_t i = 0; i <= loop.size(); ++i) {
            const Vec2d& p = loop[i % loop.size()];
            xy.push_back(p.x());
            xy.push_back(p.y());
        }
        const auto count = static_cast<unsigned>(loop.size() + 1);
        return GEOSGeom_createLinearRing_r(handle_,
                                           GEOSCoordSeq_copyFromBuffer_r(handle_, xy.data(), count, 0, 0));
    }

    Geometry polygon(const Polygon2& polygon) const {
        std::vector<GEOSGeometry*> holes;
        for (const Loop2& hole : polygon.holes) holes.push_back(ring(hole));
        return own(GEOSGeom_createPolygon_r(handle_, ring(polygon.outer), holes.data(),
                                            static_cast<unsigned>(holes.size())));
    }

    /// The corners of all triangles, three per triangle.
    std::vector<Vec2d> corners(const GEOSGeometry* polygon) const {
        const Geometry result = own(GEOSConstrainedDelaunayTriangulation_r(handle_, polygon));
        std::vector<Vec2d> out;
        const int count = GEOSGetNumGeometries_r(handle_, result.get());
        for (int i = 0; i < count; ++i) {
            const GEOSGeometry* triangle = GEOSGetGeometryN_r(handle_, result.get(), i);
            const GEOSGeometry* shell = GEOSGetExteriorRing_r(handle_, triangle);
            const GEOSCoordSequence* points = GEOSGeom_getCoordSeq_r(handle_, shell);
            for (unsigned k = 0; k < 3; ++k) {
                Vec2d& p = out.emplace_back();
                GEOSCoordSeq_getXY_r(handle_, points, k, &p.x(), &p.y());
            }
        }
        return out;
    }

  private:
    static void keep(const char* message, void* self) { static_cast<Geos*>(self)->message_ = message; }

    GEOSContextHandle_t handle_;
    std::string message_;
};

struct PointHash {
    std::size_t operator()(const std::array<double, 2>& p) const {
        return std::bit_cast<std::uint64_t>(p[0]) * 0x9e3779b97f4a7c15u ^
               (std::bit_cast<std::uint64_t>(p[1]) * 0xc2b2ae3d27d4eb4fu >> 7);
    }
};

/// Sorts them by corners, the lowest of each first, so that the order does not depend on the algorithm.
void sort_by_corners(std::vector<FlatTriangle>& triangles) {
    for (FlatTriangle& t : triangles) std::ranges::rotate(t.corners, std::ranges::min_element(t.corners));
    std::ranges::sort(triangles, {}, &FlatTriangle::corners);
}

/// Corners of the triangles as indices of the points, turned anticlockwise.
std::vector<FlatTriangle> indexed(const std::vector<Vec2d>& points, const std::vector<Vec2d>& corners) {
    std::unordered_map<std::array<double, 2>, int, PointHash> index;
    for (std::size_t i = 0; i < points.size(); ++i) {
        const std::array<double, 2> key{points[i].x() + 0.0, points[i].y() + 0.0};
        if (!index.emplace(key, static_cast<int>(i)).second) {
            fail("", "triangulation failed: two corners are at the same position");
        }
    }
    std::vector<FlatTriangle> triangles(corners.size() / 3);
    for (std::size_t t = 0; t < triangles.size(); ++t) {
        for (std::size_t k = 0; k < 3; ++k) {
            const Vec2d& p = corners[3 * t + k];
            const auto found = index.find({p.x() + 0.0, p.y() + 0.0});
            if (found == index.end()) fail("", "triangulation failed: a corner was invented");
            triangles[t].corners[k] = found->second;
        }
        auto& c = triangles[t].corners;
        if (cross2(corners[3 * t + 1] - corners[3 * t], corners[3 * t + 2] - corners[3 * t]) < 0) {
            std::swap(c[1], c[2]);
        }
    }
    return triangles;
}

/// Puts the triangles in order and links them over their shared sides.
void link(std::vector<FlatTriangle>& triangles) {
    sort_by_corners(triangles);
    for (FlatTriangle& t : triangles) t.neighbors = {-1, -1, -1};
    struct Side {
        std::array<int, 2> ends;
        int triangle;
        std::size_t side;
    };
    std::vector<Side> sides;
    for (std::size_t t = 0; t < triangles.size(); ++t) {
        const auto& c = triangles[t].corners;
        for (std::size_t k = 0; k < 3; ++k) {
            const int a = c[(k + 1) % 3], b = c[(k + 2) % 3];
            sides.push_back({{std::min(a, b), std::max(a, b)}, static_cast<int>(t), k});
        }
    }
    std::ranges::sort(sides, [](const Side& a, const Side& b) {
        return a.ends != b.ends ? a.ends < b.ends : a.triangle < b.triangle;
    });
    for (std::size_t i = 0; i + 1 < sides.size(); ++i) {
        const Side &a = sides[i], &b = sides[i + 1];
        if (a.ends != b.ends) continue;
        triangles[static_cast<std::size_t>(a.triangle)].neighbors[a.side] = b.triangle;
        triangles[static_cast<std::size_t>(b.triangle)].neighbors[b.side] = a.triangle;
        ++i;
    }
}

std::size_t side_to(const FlatTriangle& triangle, int neighbor) {
    return static_cast<std::size_t>(std::ranges::find(triangle.neighbors, neighbor) -
                                    triangle.neighbors.begin());
}

/// Flips side k of triangle t to the other diagonal of its two triangles.
void flip(std::vector<FlatTriangle>& triangles, int t, std::size_t k) {
    FlatTriangle& a = triangles[static_cast<std::size_t>(t)];
    const int u = a.neighbors[k];
    FlatTriangle& b = triangles[static_cast<std::size_t>(u)];
    const std::size_t l = side_to(b, t);
    const int apex = a.corners[k], left = a.corners[(k + 1) % 3], right = a.corners[(k + 2) % 3];
    const int far = b.corners[l];
    const int a_left = a.neighbors[(k + 2) % 3], a_right = a.neighbors[(k + 1) % 3];
    const int b_left = b.neighbors[(l + 1) % 3], b_right = b.neighbors[(l + 2) % 3];
    a.corners = {apex, left, far};
    a.neighbors = {b_left, u, a_left};
    b.corners = {far, right, apex};
    b.neighbors = {a_right, t, b_right};
    const auto hand_over = [&](int triangle, int from, int to) {
        if (triangle < 0) return;
        FlatTriangle& other = triangles[static_cast<std::size_t>(triangle)];
        other.neighbors[side_to(other, from)] = to;
    };
    hand_over(b_left, u, t);
    hand_over(a_right, t, u);
}

bool should_flip(const std::vector<Vec2d>& points, const std::vector<FlatTriangle>& triangles, int t,
                 std::size_t k) {
    const FlatTriangle& a = triangles[static_cast<std::size_t>(t)];
    if (a.external(k)) return false;
    const FlatTriangle& b = triangles[static_cast<std::size_t>(a.neighbors[k])];
    const auto at = [&](int corner) -> const Vec2d& { return points[static_cast<std::size_t>(corner)]; };
    const Vec2d &apex = at(a.corners[k]), &left = at(a.corners[(k + 1) % 3]),
                &right = at(a.corners[(k + 2) % 3]), &far = at(b.corners[side_to(b, t)]);
    const bool convex = cross2(left - apex, far - apex) > 0 && cross2(far - apex, right - apex) > 0;
    return convex && in_circle(apex, left, right, far) > 0;
}

/// Lawson's flips. Each flip improves the triangulation in the Delaunay order, so they end; the limit is
/// needed because of rounding.
void make_delaunay(const std::vector<Vec2d>& points, std::vector<FlatTriangle>& triangles) {
    std::vector<int> queue;
    for (int t = static_cast<int>(triangles.size()) - 1; t >= 0; --t) queue.push_back(t);
    std::size_t budget = triangles.size() * triangles.size() + 1024;
    while (!queue.empty() && budget > 0) {
        const int t = queue.back();
        queue.pop_back();
        for (std::size_t k = 0; k < 3; ++k) {
            if (!should_flip(points, triangles, t, k)) continue;
            const int u = triangles[static_cast<std::size_t>(t)].neighbors[k];
            flip(triangles, t, k);
            queue.push_back(u);
            queue.push_back(t);
            --budget;
            break;
        }
    }
}

/// A simple polygon without holes is triangulated by ear clipping, which is fast; all others by the library.
std::vector<FlatTriangle> any_triangles(const Polygon2& polygon, const std::vector<Vec2d>& points) {
    if (polygon.holes.empty() && PolygonIndex(polygon).simple()) {
        if (const auto ears = clip_ears(polygon.outer)) {
            std::vector<FlatTriangle> triangles(ears->size());
            for (std::size_t t = 0; t < triangles.size(); ++t) triangles[t].corners = (*ears)[t];
            return triangles;
        }
    }
    const Geos geos;
    return indexed(points, geos.corners(geos.polygon(polygon).get()));
}

}  // namespace

double in_circle(const Vec2d& a, const Vec2d& b, const Vec2d& c, const Vec2d& d) {
    const auto determinant = [&]<class T>(T) {
        const auto row = [&](const Vec2d& p) {
            const T x = static_cast<T>(p.x()) - static_cast<T>(d.x());
            const T y = static_cast<T>(p.y()) - static_cast<T>(d.y());
            return std::array<T, 3>{x, y, x * x + y * y};
        };
        const auto u = row(a), v = row(b), w = row(c);
        const T plus = u[0] * v[1] * w[2] + u[1] * v[2] * w[0] + u[2] * v[0] * w[1];
        const T minus = u[2] * v[1] * w[0] + u[1] * v[0] * w[2] + u[0] * v[2] * w[1];
        const T scale = u[2] * (std::abs(v[0] * w[1]) + std::abs(v[1] * w[0])) +
                        v[2] * (std::abs(u[0] * w[1]) + std::abs(u[1] * w[0])) +
                        w[2] * (std::abs(u[0] * v[1]) + std::abs(u[1] * v[0]));
        return std::array<T, 2>{plus - minus, scale};
    };
    const auto plain = determinant(double{});
    if (std::abs(plain[0]) > 1e-14 * plain[1]) return plain[0];
    // Four points on a circle are not changed: below this value there is only rounding.
    const auto fine = determinant(static_cast<long double>(0));
    return std::abs(fine[0]) > 1e-16L * fine[1] ? static_cast<double>(fine[0]) : 0;
}

Triangulation2 triangulate(const Polygon2& polygon) {
    if (polygon.outer.size() < 3 || !(area(polygon) > 0)) fail("", "triangulation failed: no area");
    Triangulation2 result;
    result.points = polygon.outer;
    std::size_t expected = polygon.outer.size() - 2;
    for (const Loop2& hole : polygon.holes) {
        result.points.insert(result.points.end(), hole.begin(), hole.end());
        expected += hole.size() + 2;
    }
    result.triangles = any_triangles(polygon, result.points);
    if (result.triangles.size() != expected) {
        fail("", "triangulation failed: {} triangles instead of {}; the polygon crosses itself",
             result.triangles.size(), expected);
    }
    link(result.triangles);
    make_delaunay(result.points, result.triangles);
    link(result.triangles);
    return result;
}

}  // namespace sinew::geometry
