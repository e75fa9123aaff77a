// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Short names for Eigen's vectors, matrices and quaternions. Column vectors, right-handed coordinates,
/// angles in radians. A quaternion is stored as x y z w and written as (w; x y z) in text.
///
/// \code
/// const math::Vec3d up(0, 1, 0);
/// const math::Mat4d identity = math::Mat4d::Identity();
/// \endcode

#include <limits>
#include <numbers>

#include <Eigen/Core>
#include <Eigen/Geometry>

namespace sinew::math {

template <class T>
using Vec2 = Eigen::Matrix<T, 2, 1>;
template <class T>
using Vec3 = Eigen::Matrix<T, 3, 1>;
template <class T>
using Vec4 = Eigen::Matrix<T, 4, 1>;
template <class T>
using Mat3 = Eigen::Matrix<T, 3, 3>;
template <class T>
using Mat4 = Eigen::Matrix<T, 4, 4>;
template <class T>
using Quat = Eigen::Quaternion<T>;

using Vec2f = Vec2<float>;
using Vec3f = Vec3<float>;
using Vec4f = Vec4<float>;
using Vec3d = Vec3<double>;
using Vec4d = Vec4<double>;
using Mat3d = Mat3<double>;
using Mat4f = Mat4<float>;
using Mat4d = Mat4<double>;
using Quatf = Quat<float>;
using Quatd = Quat<double>;

inline constexpr double pi = std::numbers::pi;
constexpr double radians(double degrees) {
    return degrees * (pi / 180);
}
constexpr double degrees(double radians) {
    return radians * (180 / pi);
}

inline constexpr double infinity = std::numeric_limits<double>::infinity();
inline constexpr double nan = std::numeric_limits<double>::quiet_NaN();

}  // namespace sinew::math
