#pragma once
/// \file
/// A direction to look along, and the axes of the picture.

#include "sinew/math/types.h"

namespace sinew::rig {

using math::Vec3d;

/// Right-handed and orthonormal; z is the direction of projection, towards the eye.
struct ViewFrame {
    Vec3d x = Vec3d::UnitX();
    Vec3d y = Vec3d::UnitY();
    Vec3d z = Vec3d::UnitZ();

    Vec3d to_view(const Vec3d& p) const { return {x.dot(p), y.dot(p), z.dot(p)}; }
    Vec3d to_world(double u, double v, double depth) const { return x * u + y * v + z * depth; }
};

/// Looks along `direction` with `up` upright in the picture; where they are parallel, with `fallback`, and
/// where that is parallel too, with any axis.
ViewFrame view_frame(const Vec3d& direction, const Vec3d& up, const Vec3d& fallback);

}  // namespace sinew::rig
