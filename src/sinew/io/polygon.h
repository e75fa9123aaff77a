#pragma once
/// \file
/// Polygons of files cut into triangles.

#include <cstdint>
#include <span>
#include <vector>

#include "sinew/geometry/mesh.h"

namespace sinew::io {

/// Cuts a polygon with at least three corners into `corners.size() - 2` triangles of corner numbers, which
/// are appended. A convex polygon becomes the fan of its first corner; others are cut ear by ear in the plane
/// of their Newell normal. A polygon that crosses itself gives triangles that cover its corners, nothing
/// better exists.
/// \returns false when a polygon that is not convex has too many corners to look for ears and became a fan.
bool triangulate(std::span<const geometry::Vec3f> corners, std::vector<geometry::Triangle>& triangles);

/// The same for corners that are vertices of a mesh: triangles of `vertices`, whose places are in
/// `positions`.
bool triangulate(std::span<const std::uint32_t> vertices, std::span<const geometry::Vec3f> positions,
                 std::vector<geometry::Triangle>& triangles);

/// More corners than this are only cut as a fan: clipping costs the square of the count.
inline constexpr std::size_t max_clipped_corners = 1000;

}  // namespace sinew::io
