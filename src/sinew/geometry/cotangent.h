#pragma once
/// \file
/// Cotangent weights: the discrete Laplace operator of a triangle surface.

#include <algorithm>
#include <cmath>

#include "sinew/math/types.h"

namespace sinew::geometry {

/// Cotangent of the angle at `apex` of the triangle (apex, a, b); 0 for a triangle without area, never beyond
/// `most` on either side.
inline double cotangent(const math::Vec3d& apex, const math::Vec3d& a, const math::Vec3d& b,
                        double most = 1e3) {
    const math::Vec3d u = a - apex, v = b - apex;
    const double sine = u.cross(v).norm();
    return sine > 0 ? std::clamp(u.dot(v) / sine, -most, most) : 0;
}

}  // namespace sinew::geometry
