// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// The surface on which regions are grown: welded, in a unit frame, with its edges and shells.

#include <optional>

#include "sinew/geometry/surface_queries.h"
#include "sinew/geometry/topology.h"
#include "sinew/rig/body/body_field.h"

namespace sinew::rig {
/// Vertices at the same position are one; triangles that become degenerate are dropped.
struct RegionSurface {
    static constexpr std::uint32_t none = 0xffffffff;

    UnitFrame frame;
    std::vector<Vec3d> positions;            ///< in the unit frame
    std::vector<std::uint32_t> vertex_of;    ///< of each vertex of the mesh
    std::vector<std::uint32_t> mesh_vertex;  ///< the first vertex of the mesh at this position
    std::vector<geometry::Triangle> triangles;
    geometry::EdgeTable edges;
    std::vector<std::array<std::uint32_t, 3>> triangle_edges;  ///< edge k joins corners k and k + 1
    geometry::Rows vertex_edges;
    geometry::Rows vertex_triangles;
    std::vector<std::uint32_t> shell_of;  ///< of each vertex; `none` without a triangle
    std::size_t shells = 0;
    bool inside_out = false;  ///< triangles are clockwise seen from outside
    std::optional<geometry::SurfaceQueries> queries;

    std::uint32_t other_end(std::uint32_t edge, std::uint32_t vertex) const {
        return edges.edges[edge].a == vertex ? edges.edges[edge].b : edges.edges[edge].a;
    }
};

/// \throws Error when the mesh is invalid or has no extent
RegionSurface region_surface(const geometry::Mesh& mesh);

/// Point where a ray from inside leaves the body.
struct ExitPoint {
    Vec3d position = Vec3d::Zero();
    double distance = 0;
    std::uint32_t triangle = 0;
};
/// The first position where the ray leaves the body; inner shells (eyes, teeth) on its path are ignored.
/// `direction` is a unit vector.
std::optional<ExitPoint> exit_point(const RegionSurface& surface, const Vec3d& from, const Vec3d& direction);

/// True when most rays from a point leave the body through its surface.
bool is_inside(const RegionSurface& surface, const Vec3d& point);

/// A point inside the body for one outside: behind the nearest position of the skin, at most half-way through
/// the body.
std::optional<Vec3d> nearest_inside(const RegionSurface& surface, const Vec3d& point, double max);

}  // namespace sinew::rig
