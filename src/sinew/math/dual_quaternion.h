// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Dual numbers a + e b with e^2 = 0: f(a + e b) = f(a) + e b f'(a) (Kavan 2007, appendix A); dual
/// quaternions and screw motions.
///
/// \code
/// const math::DualQuatd start = from, end = to;
/// const math::DualQuatd halfway = math::sclerp(0.5, start, end);
/// \endcode

#include <cmath>

#include "sinew/math/transform.h"

namespace sinew::math {

template <class T>
struct DualNumber {
    T real = 0;
    T dual = 0;

    DualNumber operator+(const DualNumber& r) const { return {real + r.real, dual + r.dual}; }
    DualNumber operator-(const DualNumber& r) const { return {real - r.real, dual - r.dual}; }
    DualNumber operator*(const DualNumber& r) const { return {real * r.real, real * r.dual + dual * r.real}; }
};

/// 1/a - e b/a^2. \pre a is not 0.
template <class T>
DualNumber<T> inverse(const DualNumber<T>& x) {
    return {1 / x.real, -x.dual / (x.real * x.real)};
}

template <class T>
DualNumber<T> operator/(const DualNumber<T>& x, const DualNumber<T>& y) {
    return x * inverse(y);
}

/// \pre The real part is positive.
template <class T>
DualNumber<T> sqrt(const DualNumber<T>& x) {
    const T root = std::sqrt(x.real);
    return {root, x.dual / (2 * root)};
}

template <class T>
DualNumber<T> sin(const DualNumber<T>& x) {
    return {std::sin(x.real), x.dual * std::cos(x.real)};
}

template <class T>
DualNumber<T> cos(const DualNumber<T>& x) {
    return {std::cos(x.real), -x.dual * std::sin(x.real)};
}

/// Angle of (x, y). \pre The real parts are not both 0.
template <class T>
DualNumber<T> atan2(const DualNumber<T>& y, const DualNumber<T>& x) {
    const T square = x.real * x.real + y.real * y.real;
    return {std::atan2(y.real, x.real), (x.real * y.dual - y.real * x.dual) / square};
}

/// real + e dual, with e^2 = 0. It is a unit dual quaternion when |real| = 1 and <real, dual> = 0. q and -q
/// are the same transformation.
template <class T>
struct DualQuat {
    Quat<T> real = Quat<T>::Identity();
    Quat<T> dual = Quat<T>(0, 0, 0, 0);

    DualQuat operator*(const DualQuat& r) const {
        DualQuat product;
        product.real = real * r.real;
        product.dual.coeffs() = (real * r.dual).coeffs() + (dual * r.real).coeffs();
        return product;
    }
    DualQuat operator+(const DualQuat& r) const {
        DualQuat sum;
        sum.real.coeffs() = real.coeffs() + r.real.coeffs();
        sum.dual.coeffs() = dual.coeffs() + r.dual.coeffs();
        return sum;
    }
    DualQuat operator*(T factor) const {
        DualQuat scaled;
        scaled.real.coeffs() = factor * real.coeffs();
        scaled.dual.coeffs() = factor * dual.coeffs();
        return scaled;
    }
    DualQuat operator-() const { return *this * T(-1); }
};

using DualQuatf = DualQuat<float>;
using DualQuatd = DualQuat<double>;

/// q* + e dual*: the inverse of a unit dual quaternion.
template <class T>
DualQuat<T> conjugate(const DualQuat<T>& q) {
    return {q.real.conjugate(), q.dual.conjugate()};
}

/// Norm as a dual number; the norm of a product is the product of the norms.
template <class T>
DualNumber<T> norm(const DualQuat<T>& q) {
    const T n = q.real.norm();
    return {n, dot(q.real, q.dual) / n};
}

/// q^-1 - e q^-1 dual q^-1, for any dual quaternion with a non-zero real part.
template <class T>
DualQuat<T> inverse(const DualQuat<T>& q) {
    const Quat<T> inv = q.real.inverse();
    return {inv, negated(Quat<T>(inv * q.dual * inv))};
}

/// Normalises to a unit dual quaternion: the real part gets length 1, the dual part becomes perpendicular to
/// it.
template <class T>
DualQuat<T> normalized(const DualQuat<T>& q) {
    DualQuat<T> unit = q * (1 / q.real.norm());
    unit.dual.coeffs() -= dot(unit.real, unit.dual) * unit.real.coeffs();
    return unit;
}

template <class T>
DualQuat<T> to_dual_quaternion(const Rigid<T>& m) {
    const Vec3<T>& t = m.translation;
    DualQuat<T> q;
    q.real = m.rotation;
    q.dual.coeffs() = T(0.5) * (Quat<T>(0, t.x(), t.y(), t.z()) * m.rotation).coeffs();
    return q;
}

/// Translation of a unit dual quaternion: the vector part of 2 dual real*.
template <class T>
Vec3<T> translation(const DualQuat<T>& q) {
    return 2 * (q.dual * q.real.conjugate()).vec();
}

template <class T>
Rigid<T> to_rigid(const DualQuat<T>& unit) {
    return {unit.real, translation(unit)};
}

/// Transforms a point by a unit dual quaternion. A component of the dual part along the real part has no
/// effect (Kavan 2007, 4.3).
template <class T>
Vec3<T> transform(const DualQuat<T>& unit, const Vec3<T>& point) {
    return unit.real * point + translation(unit);
}

/// Logarithm of a dual quaternion: half the rotation vector, and the dual part with moment and pitch.
template <class T>
struct DualVector {
    Vec3<T> real = Vec3<T>::Zero();
    Vec3<T> dual = Vec3<T>::Zero();
    DualVector operator*(T factor) const { return {factor * real, factor * dual}; }
    DualVector operator*(const DualNumber<T>& factor) const {
        return {factor.real * real, factor.real * dual + factor.dual * real};
    }
    DualVector operator+(const DualVector& r) const { return {real + r.real, dual + r.dual}; }
};

/// Logarithm of a unit dual quaternion as it is, without choosing between q and -q: angle/2 is in [0, pi]. No
/// singularity at angle zero: l0 = f v, le = f ve - we g v with f = phi/s, g = (1 - f c)/s^2. Away from zero
/// the equivalent split into moment and half pitch d = c <a, ve> - s we is used, which stays accurate up to
/// 360 degrees. For -1, which has no axis, the direction of the translation is used; nothing is lost.
template <class T>
DualVector<T> log(const DualQuat<T>& q) {
    const Vec3<T> v = q.real.vec(), ve = q.dual.vec();
    const T c = q.real.w(), s = v.norm(), phi = std::atan2(s, c);
    if (phi < T(1e-4)) {
        const T f = 1 + phi * phi / 6, g = T(1) / 3 + 2 * phi * phi / 15;
        return {f * v, f * ve - q.dual.w() * g * v};
    }
    const Vec3<T> axis = s > 0           ? Vec3<T>(v / s)
                         : ve.norm() > 0 ? Vec3<T>(ve.normalized())
                                         : Vec3<T>(Vec3<T>::UnitX());
    const T along = axis.dot(ve);
    const Vec3<T> moment = s > 0 ? Vec3<T>(phi / s * (ve - along * axis)) : Vec3<T>(Vec3<T>::Zero());
    return {phi * axis, moment + (c * along - s * q.dual.w()) * axis};
}

/// Logarithm with the shortest rotation: q is negated first when w < 0.
template <class T>
DualVector<T> log_shortest(const DualQuat<T>& q) {
    return log(q.real.w() < 0 ? -q : q);
}

template <class T>
DualQuat<T> exp(const DualVector<T>& l) {
    const T phi = l.real.norm(), k = l.real.dot(l.dual);
    const bool small = phi < T(1e-4);
    const T s = small ? 1 - phi * phi / 6 : std::sin(phi) / phi;
    const T h = small ? T(-1) / 3 + phi * phi / 30 : (std::cos(phi) - s) / (phi * phi);
    DualQuat<T> q;
    q.real.w() = std::cos(phi);
    q.real.vec() = s * l.real;
    q.dual.w() = -s * k;
    q.dual.vec() = s * l.dual + k * h * l.real;
    return q;
}

template <class T>
DualQuat<T> pow(const DualQuat<T>& q, T t) {
    return exp(log(q) * t);
}

/// Power with a dual exponent t0 + e te: rotates by angle t0 theta0, with pitch t0 thetae + te theta0.
template <class T>
DualQuat<T> pow(const DualQuat<T>& q, const DualNumber<T>& t) {
    return exp(log(q) * t);
}

/// Screw motion: rotation by `angle` radians about the line through `point` with direction `direction`, and
/// translation by `pitch` along it.
template <class T>
struct Screw {
    Vec3<T> direction = Vec3<T>::UnitX();
    Vec3<T> moment = Vec3<T>::Zero();  ///< point x direction, for any point of the axis
    T angle = 0;
    T pitch = 0;
};

/// Screw of a unit dual quaternion, with the shortest rotation. A pure translation has angle 0, its own
/// direction, and its length as pitch.
template <class T>
Screw<T> to_screw(const DualQuat<T>& unit) {
    const DualVector<T> l = log_shortest(unit);
    Screw<T> screw;
    const T half = l.real.norm();
    if (half < T(1e-12)) {
        const T length = l.dual.norm();
        if (length > 0) screw.direction = l.dual / length;
        screw.pitch = 2 * length;
        return screw;
    }
    screw.direction = l.real / half;
    screw.angle = 2 * half;
    const T along = screw.direction.dot(l.dual);
    screw.pitch = 2 * along;
    screw.moment = (l.dual - along * screw.direction) / half;
    return screw;
}

template <class T>
DualQuat<T> from_screw(const Screw<T>& screw) {
    const T half = screw.angle / 2;
    return exp(
        DualVector<T>{half * screw.direction, half * screw.moment + screw.pitch / 2 * screw.direction});
}

/// Sum w_i q_i, not normalised. \pre The signs are aligned.
template <class T>
DualQuat<T> weighted_sum(std::span<const T> weights, std::span<const DualQuat<T>> quaternions) {
    DualQuat<T> sum;
    sum.real.coeffs().setZero();
    for (std::size_t i = 0; i < weights.size(); ++i) sum = sum + quaternions[i] * weights[i];
    return sum;
}

/// Screw linear interpolation along the shorter path: p (p* q)^t.
template <class T>
DualQuat<T> sclerp(T t, const DualQuat<T>& p, const DualQuat<T>& q) {
    return p * exp(log_shortest(conjugate(p) * q) * t);
}

}  // namespace sinew::math
