// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Isosurfaces of scalar fields (manifold surface nets), and the voxelised interior of a mesh.
///
/// \code
/// const auto sphere = [](const math::Vec3d& p) { return p.norm() - 1; };
/// const geometry::Mesh mesh = geometry::surface_nets(sphere, geometry::lattice_over(box, 0.05));
/// \endcode

#include <array>
#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <vector>

#include "sinew/base/monitor.h"
#include "sinew/geometry/mesh.h"

namespace sinew::geometry {

/// A function that is negative inside and positive outside. It is called from several threads at once.
using ScalarField = std::function<double(const Vec3d& point)>;

/// A grid of sample points; x varies fastest. Point (i, j, k) is at origin + step * (i, j, k), or at `bend(i,
/// j, k)` if given: a smoothly deformed lattice samples some regions more densely. `bend` must keep the cells
/// right-handed.
struct Lattice {
    std::array<std::size_t, 3> points{};
    Vec3d origin = Vec3d::Zero();
    Vec3d step = Vec3d::Ones();
    std::function<Vec3d(const Vec3d& index)> bend;

    std::size_t size() const { return points[0] * points[1] * points[2]; }
    std::size_t index(std::size_t i, std::size_t j, std::size_t k) const {
        return i + points[0] * (j + points[1] * k);
    }
    Vec3d point(const Vec3d& index) const {
        return bend ? bend(index) : Vec3d(origin + step.cwiseProduct(index));
    }
};

/// A lattice of cubic cells that covers a box with a margin of one cell on every side. An empty box gives an
/// empty lattice.
Lattice lattice_over(const Box& box, double cell_size);

/// Field values at all points of a lattice.
/// \param field the function
/// \param lattice the sample points
/// \param slope largest change of the field per unit of length, if known: blocks that are certainly on one
/// side are filled from one sample. 0 evaluates every point.
std::vector<float> sample_field(const ScalarField& field, const Lattice& lattice, double slope = 0);

/// Extracts the surface between negative and positive values as a dual mesh: one vertex per sheet of the
/// surface in a cell, at the mean of its intersections with the cell's edges, and one quadrilateral (two
/// triangles) per lattice edge with a sign change (Gibson 1998; Nielson 2004, "Dual marching cubes"). The
/// mesh is two-manifold for any values (Wenger 2013, 3.3.4): inner corners that meet only diagonally across a
/// face are separated, unless two sheets would then share an edge. It is closed unless the interior touches
/// the border of the lattice. Triangles are counter-clockwise seen from outside. NaN counts as outside.
Mesh surface_nets(const Lattice& lattice, std::span<const float> values);

/// Samples the field and extracts its surface.
Mesh surface_nets(const ScalarField& field, const Lattice& lattice, double slope = 0);

struct VoxelOptions {
    int resolution = 128;  ///< cells along the longest side of the bounding box
    /// Cells that the surface passes through count as inside, which keeps sheets and fingers thinner than a
    /// cell.
    bool with_surface = true;
    bool centered = false;  ///< centre the lattice on the bounding box, so that the voxels of a symmetric
                            ///< mesh are symmetric
};

/// The voxelised interior of a mesh. Cells are cubes centred at the lattice points.
struct VoxelSolid {
    Lattice lattice;
    std::vector<std::uint8_t>
        inside;  ///< per lattice point: 1 inside, 0 outside; always 0 on the border of the lattice

    double cell() const { return lattice.step.x(); }
    bool contains(std::size_t i, std::size_t j, std::size_t k) const {
        return inside[lattice.index(i, j, k)] != 0;
    }
    /// True when the cell that contains the point is inside.
    bool contains(const Vec3d& point) const;
    std::size_t count() const;
};

/// Voxelises the interior of a mesh. A cell is inside when the winding number of the surface about its centre
/// says so (estimated as the mean of signed crossings in the six axis directions; Jacobson et al. 2013), or
/// when every path from it to the outside crosses a cell of the surface. Shells are first oriented to enclose
/// a positive volume, so meshes may be open or consist of several shells.
/// \throws Error when the mesh has no triangle with area
VoxelSolid voxel_solid(const Mesh& mesh, const VoxelOptions& options = {}, Monitor& monitor = silent());

/// Distance from every lattice point to the nearest point on the other side of the surface, in units of
/// length; negative inside (exact Euclidean distance transform, Felzenszwalb and Huttenlocher 2012). Outside,
/// distances are limited to `reach`.
std::vector<float> signed_distance(const VoxelSolid& solid,
                                   double reach = std::numeric_limits<double>::infinity());

/// A closed surface around the interior: around its largest connected part, or around all of it.
Mesh surface_of(const VoxelSolid& solid, bool largest_only = true);

}  // namespace sinew::geometry
