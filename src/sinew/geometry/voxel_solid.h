#pragma once
/// \file
/// The solid that the eye sees, on a grid: what a mesh encloses even when it is open, has many shells, or
/// crosses itself.
///
/// \code
/// const geometry::VoxelSolid solid = geometry::voxel_solid(mesh);
/// const bool inside = solid.contains(math::Vec3d(0, 1, 0));
/// \endcode

#include <cstdint>
#include <limits>
#include <vector>

#include "sinew/base/monitor.h"
#include "sinew/geometry/isosurface.h"
#include "sinew/geometry/mesh.h"

namespace sinew::geometry {

struct VoxelOptions {
    int resolution = 128;  ///< cells along the longest side of the box
    /// Cells that the surface passes through count as inside: keeps sheets and fingers thinner than a cell.
    bool with_surface = true;
    bool centered = false;  ///< the lattice about the middle of the box, so that symmetric stays symmetric
};

/// Cells are cubes around the points of the lattice.
struct VoxelSolid {
    Lattice lattice;
    std::vector<std::uint8_t> inside;  ///< 1 inside, 0 outside, per lattice point; 0 on the lattice's border

    double cell() const { return lattice.step.x(); }
    bool contains(std::size_t i, std::size_t j, std::size_t k) const {
        return inside[lattice.index(i, j, k)] != 0;
    }
    /// Whether the cell that holds a point is inside.
    bool contains(const Vec3d& point) const;
    std::size_t count() const;
};

/// A cell is inside when the surface winds around its centre (signed crossings of the six axis directions,
/// each with one vote, whose mean estimates the generalised winding number; Jacobson et al. 2013), or when no way leads from it
/// to the outside that does not cross a cell of the surface. Shells are turned so that they enclose a
/// positive volume first.
/// \throws Error when the mesh has no triangle with area.
VoxelSolid voxel_solid(const Mesh& mesh, const VoxelOptions& options = {}, Monitor& monitor = silent());

/// Distance from every lattice point to the nearest point of the other kind, in units of length; negative
/// inside (exact Euclidean transform, Felzenszwalb and Huttenlocher 2012). Outside, distances end at `reach`.
std::vector<float> signed_distance(const VoxelSolid& solid,
                                   double reach = std::numeric_limits<double>::infinity());

/// A closed surface around the largest connected part of the solid, or around all of it.
Mesh surface_of(const VoxelSolid& solid, bool largest_only = true);

}  // namespace sinew::geometry
