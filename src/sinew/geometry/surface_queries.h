// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Rays and closest points on a triangle mesh.
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

/// Where a ray meets the surface. The point is (1-u-v) a + u b + v c of the triangle's corners.
struct RayHit {
    float distance = 0;  ///< in lengths of the direction
    std::uint32_t triangle = 0;
    float u = 0, v = 0;
    bool entering = false;  ///< the ray comes from the outer side of the triangle
};

/// The point of a surface that is nearest to another point.
struct NearestPoint {
    float distance = std::numeric_limits<float>::infinity();
    std::uint32_t triangle = 0;
    Vec3f position = Vec3f::Zero();
};

/// A tree over the triangles of a mesh, made once; asking is thread-safe. Triangles that are degenerate are
/// never hit, but can be nearest.
class SurfaceQueries {
  public:
    SurfaceQueries(std::span<const Vec3f> positions, std::span<const Triangle> triangles);
    explicit SurfaceQueries(const Mesh& mesh) : SurfaceQueries(mesh.positions, mesh.triangles) {}
    SurfaceQueries(SurfaceQueries&&) noexcept;
    SurfaceQueries& operator=(SurfaceQueries&&) noexcept;
    ~SurfaceQueries();

    /// First hit in front of the origin, no farther than `most`; watertight over shared edges.
    std::optional<RayHit> first_hit(const Vec3f& origin, const Vec3f& direction,
                                    float max = std::numeric_limits<float>::infinity()) const;
    /// All hits, nearest first; a ray through an edge counts both triangles.
    void all_hits(const Vec3f& origin, const Vec3f& direction, std::vector<RayHit>& hits) const;
    /// True when nothing lies between two points.
    bool sees(const Vec3f& from, const Vec3f& to) const;

    /// Nearest point of the surface, if one is nearer than `most`.
    std::optional<NearestPoint> nearest(const Vec3f& point,
                                        float max = std::numeric_limits<float>::infinity()) const;

  private:
    struct Tree;
    std::unique_ptr<Tree> tree_;
};

/// The point of a triangle that is nearest to a point (Ericson 2005, 5.1.5).
Vec3f nearest_on_triangle(const Vec3f& point, const Vec3f& a, const Vec3f& b, const Vec3f& c);

using TriangleCorners = std::array<Vec3d, 3>;

/// A side of one meets the other, ends and borders included. Triangles in one plane do not cross.
bool triangles_cross(const TriangleCorners& a, const TriangleCorners& b);

/// The first pair of triangles of two surfaces that cross, by a sweep along x; none when there is none. The
/// points of the second surface are given in the frame of the first.
struct CrossingPair {
    std::size_t a = 0;
    std::size_t b = 0;
};
bool surfaces_cross(const std::vector<TriangleCorners>& a, const std::vector<TriangleCorners>& b,
                    CrossingPair* pair = nullptr);

}  // namespace sinew::geometry
