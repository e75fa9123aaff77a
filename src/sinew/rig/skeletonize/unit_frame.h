#pragma once
/// \file
/// A frame that goes with the shape, so that a skeleton does not depend on how the mesh is turned or scaled.

#include "sinew/geometry/mesh.h"
#include "sinew/rig/curve_skeleton.h"

namespace sinew::rig {

/// World = center + rotation * unit / scale. The axes are the principal axes of the surface, the origin is
/// its centre of area, and everything lies within a ball of diameter 1.
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
