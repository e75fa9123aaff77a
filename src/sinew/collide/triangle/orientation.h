// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// On which side a point lies, without errors: a fast evaluation with a bounded error, and exact arithmetic
/// when that cannot decide (Shewchuk 1997).

#include "sinew/math/types.h"

namespace sinew::collide {

using math::Vec3d;

/// Sign of det(a - d, b - d, c - d): +1, 0 or -1. Exact for coordinates that are floats.
int orient3d(const Vec3d& a, const Vec3d& b, const Vec3d& c, const Vec3d& d);

/// Sign of the orientation a, b, c seen along an axis (0, 1, 2); the other two coordinates in cyclic order.
/// Exact for coordinates that are floats.
int orient2d(const Vec3d& a, const Vec3d& b, const Vec3d& c, int axis);

}  // namespace sinew::collide
