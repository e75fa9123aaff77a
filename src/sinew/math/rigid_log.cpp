#include "sinew/math/blend.h"

namespace sinew::math {
namespace {

/// Below this angle the quotients are taken from their series, which is then exact to the last digit.
constexpr double small_angle = 1e-2;

}  // namespace

Mat3d translation_factor(const Vec3d& rotation_vector) {
    const double angle = rotation_vector.norm(), square = angle * angle;
    const bool small = angle < small_angle;
    const double b = small ? 0.5 - square / 24 + square * square / 720 : (1 - std::cos(angle)) / square;
    const double c = small ? 1.0 / 6 - square / 120 + square * square / 5040
                           : (angle - std::sin(angle)) / (angle * square);
    const Mat3d k = cross_matrix(rotation_vector);
    return Mat3d::Identity() + b * k + c * k * k;
}

Mat3d translation_factor_inverse(const Vec3d& rotation_vector) {
    const double angle = rotation_vector.norm(), square = angle * angle, half = angle / 2;
    const double d = angle < small_angle ? 1.0 / 12 + square / 720 + square * square / 30240
                                         : (1 - half * std::cos(half) / std::sin(half)) / square;
    const Mat3d k = cross_matrix(rotation_vector);
    return Mat3d::Identity() - 0.5 * k + d * k * k;
}

Twist log(const Rigidd& transform) {
    const Vec3d rotation = rotation_vector(transform.rotation);
    return {rotation, translation_factor_inverse(rotation) * transform.translation};
}

Rigidd exp(const Twist& twist) {
    return {from_rotation_vector(twist.rotation), translation_factor(twist.rotation) * twist.translation};
}

}  // namespace sinew::math
