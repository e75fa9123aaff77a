#pragma once
/// \file
/// Euler angles in every order.

#include <array>
#include <span>
#include <string_view>

#include "sinew/math/quaternion.h"

namespace sinew::math {

/// Three axes, 0 = x, 1 = y, 2 = z; R = R_a(angle 0) R_b(angle 1) R_c(angle 2): intrinsic, the last turns
/// first in fixed axes. The first and the last may be the same axis (proper Euler angles, as zxz).
using EulerOrder = std::array<int, 3>;

/// "zxy" or "ZXY". \throws Error when it is not three axes, or two neighbours are equal.
EulerOrder parse_euler_order(std::string_view text);

/// Product of rotations about coordinate axes, from left to right; any number of factors, any axes.
Quatd compose_axes(std::span<const int> axes, std::span<const double> angles);

Quatd from_euler(const EulerOrder& order, const Vec3d& angles);

/// Angles of a rotation in one of the twelve orders. Exact through gimbal lock, where the first angle is 0.
Vec3d to_euler(const EulerOrder& order, const Quatd& rotation);

/// The same rotation with angles nearest to `previous`: whole turns and the alternate solution (a + pi, pi -
/// b, c + pi for three different axes; a + pi, -b, c + pi for proper Euler angles) are tried.
Vec3d unwrap_euler(const EulerOrder& order, const Vec3d& angles, const Vec3d& previous);

}  // namespace sinew::math
