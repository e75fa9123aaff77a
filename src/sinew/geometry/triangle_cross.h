#pragma once
/// \file
/// Do two triangles pass through each other?

#include "sinew/geometry/mesh.h"

namespace sinew::geometry {

using TriangleCorners = std::array<Vec3d, 3>;

/// A side of one meets the other, ends and borders included. Triangles in one plane do not cross.
bool triangles_cross(const TriangleCorners& a, const TriangleCorners& b);

/// The first pair of triangles of two surfaces that cross, by a sweep along x; none when there is none. The
/// points of the second surface are given where they stand for the first.
struct CrossingPair {
    std::size_t a = 0;
    std::size_t b = 0;
};
bool surfaces_cross(const std::vector<TriangleCorners>& a, const std::vector<TriangleCorners>& b,
                    CrossingPair* pair = nullptr);

}  // namespace sinew::geometry
