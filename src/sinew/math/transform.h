// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Translation, rotation and scale of a joint relative to its parent, M = T R S; rigid transformations.
///
/// \code
/// const math::Transform local{.translation = {0, 1, 0}};
/// const math::Vec3d point = math::transform_point(local.matrix(), {1, 0, 0});
/// \endcode

#include "sinew/math/quaternion.h"

namespace sinew::math {

struct Transform {
    Vec3d translation = Vec3d::Zero();
    Quatd rotation = Quatd::Identity();
    Vec3d scale = Vec3d::Ones();

    Mat4d matrix() const;
};

/// A matrix decomposed into T R S. `shear` measures what T R S cannot represent: the largest off-diagonal
/// entry of the stretch. A reflection becomes a negative scale.
struct Decomposition {
    Transform transform;
    double shear = 0;
};

/// Polar decomposition of an affine matrix.
Decomposition decompose(const Mat4d& matrix);

/// The rotation closest to a matrix (polar factor with det > 0), by SVD.
Mat3d nearest_rotation(const Mat3d& matrix);

/// True when the matrix is a rotation and translation, with rows orthonormal to within `tolerance`.
bool is_rigid(const Mat4d& matrix, double tolerance = 1e-3);

/// Inverse of an affine matrix (last row 0 0 0 1).
Mat4d inverse_affine(const Mat4d& matrix);

inline Vec3d transform_point(const Mat4d& matrix, const Vec3d& point) {
    return matrix.topLeftCorner<3, 3>() * point + matrix.topRightCorner<3, 1>();
}

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
