#pragma once
/// \file
/// One part of a cut mesh as a closed surface of its own.

#include <optional>

#include "sinew/geometry/cut_mesh.h"

namespace sinew::geometry {

/// The triangles of a part, turned so that they enclose a positive volume, and fans that close its borders
/// over the middles of their points.
struct PartSurface {
    std::vector<Vec3d> points;
    std::vector<Triangle> triangles;
    std::size_t own_points = 0;               ///< the others are the middles of the fans
    std::size_t own_triangles = 0;            ///< the others are the fans
    std::vector<std::uint32_t> point_of_cut;  ///< of each own point
};

PartSurface part_surface(const CutMesh& cut, int part);
/// Of all parts.
std::vector<PartSurface> part_surfaces(const CutMesh& cut);

/// Volume and its centre.
struct SolidMoments {
    double volume = 0;
    Vec3d centroid = Vec3d::Zero();
};
SolidMoments solid_moments(const std::vector<Vec3d>& points, const std::vector<Triangle>& triangles);

/// How often a closed surface winds around a point: 1 inside, 0 outside (Van Oosterom and Strackee 1983).
double winding_number(const PartSurface& surface, const Vec3d& point);

/// Distance along a unit direction to the first triangle, infinite when there is none; caps count.
double first_hit(const PartSurface& surface, const Vec3d& origin, const Vec3d& direction);

/// Distance to the nearest point of the surface.
double distance_to(const PartSurface& surface, const Vec3d& point);

/// The point inside that is farthest from the surface, searched on a grid of 16^3 cells over a box with these
/// axes and improved by a pattern search. None when no cell has its middle inside.
std::optional<Vec3d> roomiest_point(const PartSurface& surface, const math::Mat3d& axes);

}  // namespace sinew::geometry
