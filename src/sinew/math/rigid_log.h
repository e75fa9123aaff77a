#pragma once
/// \file
/// Exponential and logarithm of rigid transformations in closed form (Kavan 2007, 4.6).

#include "sinew/math/transform.h"

namespace sinew::math {

/// Logarithm of a rigid transformation: rotation vector w and translation u = V(w)^-1 t. It is twice the
/// logarithm of the dual quaternion.
struct Twist {
    Vec3d rotation = Vec3d::Zero();
    Vec3d translation = Vec3d::Zero();
};

/// [v]x, the matrix of the cross product with v.
inline Mat3d cross_matrix(const Vec3d& v) {
    Mat3d k;
    k << 0, -v.z(), v.y(), v.z(), 0, -v.x(), -v.y(), v.x(), 0;
    return k;
}

/// V = I + b K + c K^2 with K = [w]x, b = (1 - cos w)/w^2, c = (w - sin w)/w^3; series for small angles.
Mat3d translation_factor(const Vec3d& rotation_vector);

/// V^-1 = I - K/2 + (1 - (w/2) cot(w/2))/w^2 K^2, for angles below a whole turn.
Mat3d translation_factor_inverse(const Vec3d& rotation_vector);

/// On the shortest branch: the angle is in [0, pi].
Twist log(const Rigidd& transform);
Rigidd exp(const Twist& twist);

}  // namespace sinew::math
