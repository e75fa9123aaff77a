// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Ray casting and nearest points on a triangle mesh.
///
/// \code
/// const geometry::SurfaceQueries surface(mesh);
/// if (const auto hit = surface.first_hit(eye, direction)) select(hit->triangle);
/// \endcode

#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "sinew/geometry/mesh.h"

namespace sinew::geometry {

/// Intersection of a ray with the surface, at (1-u-v) a + u b + v c of the triangle's corners.
struct RayHit {
    float distance = 0;  ///< in multiples of the length of the direction
    std::uint32_t triangle = 0;
    float u = 0, v = 0;
    bool entering = false;  ///< the ray hits the outer side of the triangle
};

/// The point of a surface that is nearest to a query point.
struct NearestPoint {
    float distance = std::numeric_limits<float>::infinity();
    std::uint32_t triangle = 0;
    Vec3f position = Vec3f::Zero();
};

/// A bounding volume tree over the triangles of a mesh. Queries are thread-safe. Degenerate triangles are
/// never hit by rays, but can contain the nearest point.
class SurfaceQueries {
  public:
    SurfaceQueries(std::span<const Vec3f> positions, std::span<const Triangle> triangles);
    explicit SurfaceQueries(const Mesh& mesh) : SurfaceQueries(mesh.positions, mesh.triangles) {}
    SurfaceQueries(SurfaceQueries&&) noexcept;
    SurfaceQueries& operator=(SurfaceQueries&&) noexcept;
    ~SurfaceQueries();

    /// First hit in front of the origin, at most `max` away; no gaps along shared edges.
    std::optional<RayHit> first_hit(const Vec3f& origin, const Vec3f& direction,
                                    float max = std::numeric_limits<float>::infinity()) const;
    /// All hits, nearest first; a ray through an edge hits both triangles.
    void all_hits(const Vec3f& origin, const Vec3f& direction, std::vector<RayHit>& hits) const;
    /// True when no triangle lies between the two points.
    bool sees(const Vec3f& from, const Vec3f& to) const;

    /// Nearest point of the surface within distance `max`; empty when there is none.
    std::optional<NearestPoint> nearest(const Vec3f& point,
                                        float max = std::numeric_limits<float>::infinity()) const;

  private:
    struct Tree;
    std::unique_ptr<Tree> tree_;
};

/// The point of a triangle that is nearest to a point (Ericson 2005, 5.1.5).
Vec3f nearest_on_triangle(const Vec3f& point, const Vec3f& a, const Vec3f& b, const Vec3f& c);

using TriangleCorners = std::array<Vec3d, 3>;

/// True when the triangles intersect or touch, borders included. Coplanar triangles do not count.
bool triangles_cross(const TriangleCorners& a, const TriangleCorners& b);

/// A pair of triangles of two surfaces that intersect.
struct CrossingPair {
    std::size_t a = 0;
    std::size_t b = 0;
};
bool surfaces_cross(const std::vector<TriangleCorners>& a, const std::vector<TriangleCorners>& b,
                    CrossingPair* pair = nullptr);

}  // namespace sinew::geometry
