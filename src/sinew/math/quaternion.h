// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Quaternion functions (Kavan 2007, chapter 2): exponential, logarithm, powers, interpolation, conversions.
/// Templates work for float and double. The product `pq` applies q first.
///
/// \code
/// const math::Quatd half = math::slerp(0.5, math::Quatd::Identity(), q);
/// \endcode

#include <array>
#include <cmath>
#include <limits>
#include <span>
#include <string_view>
#include <vector>

#include "sinew/math/types.h"

namespace sinew::math {

template <class T>
T dot(const Quat<T>& a, const Quat<T>& b) {
    return a.coeffs().dot(b.coeffs());
}

template <class T>
Quat<T> negated(const Quat<T>& q) {
    return Quat<T>(-q.w(), -q.x(), -q.y(), -q.z());
}

/// q or -q (the same rotation), whichever is closer to `reference`.
template <class T>
Quat<T> aligned(const Quat<T>& q, const Quat<T>& reference) {
    return dot(q, reference) < 0 ? negated(q) : q;
}

/// exp of a pure quaternion v: (cos|v|; v sin|v| / |v|). The rotation vector is 2v.
template <class T>
Quat<T> exp(const Vec3<T>& v) {
    const T angle = v.norm();
    const T s = angle < T(1e-4) ? 1 - angle * angle / 6 : std::sin(angle) / angle;
    Quat<T> q;
    q.w() = std::cos(angle);
    q.vec() = s * v;
    return q;
}

/// Logarithm of a unit quaternion as it is, without choosing between q and -q: |log| is in [0, pi]. Uses
/// atan2 instead of acos, to stay accurate for small angles. For -1, which has no axis, x is used.
template <class T>
Vec3<T> log(const Quat<T>& q) {
    const T s = q.vec().norm();
    const T angle = std::atan2(s, q.w());
    if (s == 0 && q.w() < 0) return angle * Vec3<T>::UnitX();
    const T f = s < T(1e-4) && q.w() > 0 ? 1 + angle * angle / 6 : (s > 0 ? angle / s : T(0));
    return f * q.vec();
}

/// Logarithm with the shortest rotation: of q or -q with w >= 0, so |log| is in [0, pi/2].
template <class T>
Vec3<T> log_shortest(const Quat<T>& q) {
    return log(q.w() < 0 ? negated(q) : q);
}

/// q to the power t without choosing between q and -q: exp(t log q).
template <class T>
Quat<T> pow(const Quat<T>& q, T t) {
    return exp(Vec3<T>(t * log(q)));
}

/// Rotation vector (axis times angle) of q, angle in [0, pi].
template <class T>
Vec3<T> rotation_vector(const Quat<T>& q) {
    return 2 * log_shortest(q);
}

template <class T>
Quat<T> from_rotation_vector(const Vec3<T>& v) {
    return exp(Vec3<T>(v / 2));
}

template <class T>
Quat<T> axis_angle(const Vec3<T>& unit_axis, T angle) {
    return Quat<T>(Eigen::AngleAxis<T>(angle, unit_axis));
}

/// Angle of the rotation from a to b, in [0, pi].
template <class T>
T angle_between(const Quat<T>& a, const Quat<T>& b) {
    return 2 * log_shortest(Quat<T>(a.conjugate() * b)).norm();
}

/// Rotation matrix of a quaternion of any non-zero length; needs no square root.
template <class T>
Mat3<T> to_matrix(const Quat<T>& q) {
    const T w = q.w(), x = q.x(), y = q.y(), z = q.z();
    Mat3<T> m;
    m << w * w + x * x - y * y - z * z, 2 * (x * y - w * z), 2 * (x * z + w * y),  //
        2 * (x * y + w * z), w * w - x * x + y * y - z * z, 2 * (y * z - w * x),   //
        2 * (x * z - w * y), 2 * (y * z + w * x), w * w - x * x - y * y + z * z;
    return m / q.squaredNorm();
}

/// Unit quaternion of a rotation matrix (Shepperd 1978): the largest of w, x, y, z is computed first, so that
/// the square root is never of a small number.
template <class T>
Quat<T> from_matrix(const Mat3<T>& m) {
    const T trace = m.trace();
    int largest = 0;
    m.diagonal().maxCoeff(&largest);
    Quat<T> q;
    if (trace >= m(largest, largest)) {
        q = Quat<T>(1 + trace, m(2, 1) - m(1, 2), m(0, 2) - m(2, 0), m(1, 0) - m(0, 1));
    } else {
        const int i = largest, j = (i + 1) % 3, k = (i + 2) % 3;
        q.coeffs()[i] = 1 + m(i, i) - m(j, j) - m(k, k);
        q.coeffs()[j] = m(j, i) + m(i, j);
        q.coeffs()[k] = m(k, i) + m(i, k);
        q.w() = m(k, j) - m(j, k);
    }
    q.normalize();
    return q;
}

/// Smallest rotation from unit vector a to unit vector b. Identity for parallel vectors; for opposite vectors
/// a rotation by 180 degrees about an axis perpendicular to a.
template <class T>
Quat<T> rotation_between(const Vec3<T>& a, const Vec3<T>& b) {
    const T d = a.dot(b);
    const Vec3<T> c = a.cross(b);
    if (d > T(-0.9)) return Quat<T>(1 + d, c.x(), c.y(), c.z()).normalized();
    // Near opposite vectors 1 + d and the cross product lose accuracy. A rotation by 180 degrees about any
    // perpendicular axis maps a to -a exactly, and the small remaining rotation from -a to b is well
    // conditioned.
    int smallest = 0;
    a.cwiseAbs().minCoeff(&smallest);
    const bool has_axis = c.norm() > 4 * std::numeric_limits<T>::epsilon();
    Vec3<T> axis = has_axis ? Vec3<T>(c.normalized()) : Vec3<T>(a.cross(Vec3<T>::Unit(smallest)));
    axis = (axis - a.dot(axis) * a).normalized();
    return rotation_between<T>(-a, b) * Quat<T>(0, axis.x(), axis.y(), axis.z());
}

/// Normalised linear blend of any number of quaternions. Returns the one with the largest weight when the sum
/// cancels to zero.
/// \pre The signs are aligned.
template <class T>
Quat<T> blend_linear(std::span<const T> weights, std::span<const Quat<T>> quaternions) {
    Vec4<T> sum = Vec4<T>::Zero();
    std::size_t heaviest = 0;
    for (std::size_t i = 0; i < weights.size(); ++i) {
        sum += weights[i] * quaternions[i].coeffs();
        if (weights[i] > weights[heaviest]) heaviest = i;
    }
    if (sum.squaredNorm() < T(1e-12)) return quaternions[heaviest];
    Quat<T> q;
    q.coeffs() = sum.normalized();
    return q;
}

/// Normalised linear interpolation along the shorter arc (QLB of two quaternions).
template <class T>
Quat<T> nlerp(T t, const Quat<T>& a, const Quat<T>& b) {
    Quat<T> q;
    q.coeffs() = ((1 - t) * a.coeffs() + t * aligned(b, a).coeffs()).normalized();
    return q;
}

/// Spherical linear interpolation along the shorter arc, with constant speed.
template <class T>
Quat<T> slerp(T t, const Quat<T>& a, const Quat<T>& b) {
    const Quat<T> end = aligned(b, a);
    // atan2 of the norms of difference and sum is accurate for small and for right angles.
    const T angle = 2 * std::atan2((end.coeffs() - a.coeffs()).norm(), (end.coeffs() + a.coeffs()).norm());
    const T s = std::sin(angle);
    if (s < T(1e-6)) return nlerp(t, a, end);
    // Dividing first makes the factors exactly 1 and 0 at the ends.
    const T from = std::sin((1 - t) * angle) / s, to = std::sin(t * angle) / s;
    Quat<T> q;
    q.coeffs() = from * a.coeffs() + to * end.coeffs();
    return q;
}

/// Which of the two paths of a rotation is meant.
enum class RootPath {
    shorter,  ///< of q or -q with w >= 0; always well defined
    literal,  ///< of q as it is: for more than 180 degrees along the longer arc
};

/// Square root: r with r r = q, of any length: s' = sqrt((s + |q|) / 2), v' = v / (2 s'). Where the literal
/// root has no axis (s = -|q|), x is used.
Quatd square_root(const Quatd& q, RootPath path = RootPath::shorter);

/// 2^halvings equal steps from the identity to q, both ends included, by repeated square roots.
std::vector<Quatd> subdivide_rotation(const Quatd& q, int halvings, RootPath path = RootPath::shorter);

/// Q = Q_y(-b) Q_x(a), which rotates a vector to +z: first about x into the xz plane, then about y. Unlike
/// the shortest rotation it keeps the meaning of angles about x and y in clips. Identity for the zero vector.
Quatd align_to_z(const Vec3d& v);

/// Three axes, 0 = x, 1 = y, 2 = z, for R = R_a(angle 0) R_b(angle 1) R_c(angle 2): intrinsic rotations from
/// first to last, or rotations about fixed axes from last to first. First and last may be the same axis
/// (proper Euler angles, such as zxz).
using EulerOrder = std::array<int, 3>;

/// Parses "zxy" or "ZXY". \throws Error when it is not three axes, or two neighbouring axes are equal
EulerOrder parse_euler_order(std::string_view text);

/// Product of rotations about coordinate axes, from left to right; any number of factors and any axes.
Quatd compose_axes(std::span<const int> axes, std::span<const double> angles);

Quatd from_euler(const EulerOrder& order, const Vec3d& angles);

/// Angles of a rotation in one of the twelve orders. Exact in gimbal lock too, where the first angle is set
/// to 0.
Vec3d to_euler(const EulerOrder& order, const Quatd& rotation);

/// The angles of the same rotation that are closest to `previous`. Candidates are multiples of 360 degrees
/// and the alternative solution: (a + pi, pi - b, c + pi) for three different axes, (a + pi, -b, c + pi) for
/// proper Euler angles.
Vec3d unwrap_euler(const EulerOrder& order, const Vec3d& angles, const Vec3d& previous);

}  // namespace sinew::math
