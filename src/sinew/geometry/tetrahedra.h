#pragma once
/// \file
/// Delaunay tetrahedra of points in space.

#include <array>
#include <vector>

#include "sinew/geometry/mesh.h"

namespace sinew::geometry {

using Tetrahedron = std::array<std::uint32_t, 4>;

/// By Qhull, as the lower hull of the lifted points; where more than four lie on an empty sphere, one of the
/// possible ways. Corners rise within a tetrahedron, and the list is sorted. Empty when the points lie in a
/// plane. Points that are not finite are an Error.
std::vector<Tetrahedron> delaunay_tetrahedra(const std::vector<Vec3d>& points);

}  // namespace sinew::geometry
