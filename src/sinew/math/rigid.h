#pragma once
/// \file
/// Rigid transformation: a rotation, then a translation.

#include "sinew/math/quaternion.h"

namespace sinew::math {

template <class T>
struct Rigid {
    Quat<T> rotation = Quat<T>::Identity();
    Vec3<T> translation = Vec3<T>::Zero();

    Vec3<T> operator*(const Vec3<T>& point) const { return rotation * point + translation; }
    Rigid operator*(const Rigid& first) const {
        return {rotation * first.rotation, rotation * first.translation + translation};
    }
    Rigid inverse() const {
        const Quat<T> back = rotation.conjugate();
        return {back, -(back * translation)};
    }
    Mat4<T> matrix() const {
        Mat4<T> m = Mat4<T>::Identity();
        m.template topLeftCorner<3, 3>() = to_matrix(rotation);
        m.template topRightCorner<3, 1>() = translation;
        return m;
    }
};

using Rigidf = Rigid<float>;
using Rigidd = Rigid<double>;

/// Rotation by `angle` about the axis through `point`.
template <class T>
Rigid<T> rotation_about(const Vec3<T>& point, const Vec3<T>& unit_axis, T angle) {
    const Quat<T> q = axis_angle(unit_axis, angle);
    return {q, point - q * point};
}

}  // namespace sinew::math
