// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// The interior of a mesh with the depth of every point in it; curve skeletons are found in it and stay
/// inside it.

#include <cstdint>
#include <vector>

#include "sinew/geometry/mesh.h"
#include "sinew/geometry/voxel_solid.h"
#include "sinew/rig/curve/curve_skeleton.h"

namespace sinew::rig {

using math::Vec3d;

struct BodyField {
    geometry::VoxelSolid solid;  ///< only the bodies that were kept
    /// Per lattice point the connected part that it belongs to, from 1 in the order of their first cell; 0
    /// outside.
    std::vector<std::uint32_t> body;
    std::vector<float> depth;  ///< per lattice point: distance to the surface, above 0 inside
    double diagonal = 0;       ///< of the mesh's box
    int bodies = 0;            ///< connected parts of the interior that were kept
    std::size_t dropped = 0;   ///< connected parts that were too small

    double cell() const { return solid.cell(); }
    /// Depth between the lattice points; trilinear, negative outside.
    double depth_at(const Vec3d& point) const;
    /// Direction of increasing depth; not of unit length.
    Vec3d gradient_at(const Vec3d& point) const;
    /// Lattice index of the cell that holds a point; the nearest one when the point lies beyond the lattice.
    std::size_t cell_at(const Vec3d& point) const;
    Vec3d center(std::size_t cell) const;
};

struct BodyOptions {
    int resolution = 112;     ///< cells along the longest side
    double closed_gap = 1.0;  ///< parts with a gap up to this (percent of the diagonal) become one body
};

/// Parts that are smaller than a hundredth of the largest are dropped, with the warning `small-parts`.
/// \throws Error when the mesh has no extent.
BodyField body_field(const geometry::Mesh& mesh, const BodyOptions& options = {},
                     Monitor& monitor = silent());

/// A frame that follows the shape, so that a skeleton does not depend on the rotation and scale of the mesh.
/// World = center + rotation * unit / scale. The axes are the principal axes of the surface, the origin is
/// its centre of area, and everything lies within a sphere of diameter 1.
struct UnitFrame {
    Vec3d center = Vec3d::Zero();
    math::Mat3d rotation = math::Mat3d::Identity();
    double scale = 1;

    Vec3d to_unit(const Vec3d& point) const { return rotation.transpose() * (point - center) * scale; }
    Vec3d to_world(const Vec3d& point) const { return center + rotation * point / scale; }
};

/// \throws Error when the mesh has no extent.
UnitFrame unit_frame(const geometry::Mesh& mesh);

/// Positions and triangles only.
geometry::Mesh in_unit(const geometry::Mesh& mesh, const UnitFrame& frame);
void to_world(CurveSkeleton& curve, const UnitFrame& frame);

}  // namespace sinew::rig
