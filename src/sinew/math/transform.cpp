// SPDX-License-Identifier: MIT
#include "sinew/math/transform.h"

#include <algorithm>

#include <Eigen/LU>
#include <Eigen/SVD>

namespace sinew::math {

Mat4d Transform::matrix() const {
    Mat4d m = Mat4d::Identity();
    m.topLeftCorner<3, 3>() = to_matrix(rotation) * scale.asDiagonal();
    m.topRightCorner<3, 1>() = translation;
    return m;
}

Mat3d nearest_rotation(const Mat3d& matrix) {
    const Eigen::JacobiSVD<Mat3d> svd(matrix, Eigen::ComputeFullU | Eigen::ComputeFullV);
    Mat3d u = svd.matrixU();
    if ((u * svd.matrixV().transpose()).determinant() < 0) u.col(2) *= -1;
    return u * svd.matrixV().transpose();
}

Decomposition decompose(const Mat4d& matrix) {
    const Mat3d linear = matrix.topLeftCorner<3, 3>();
    Decomposition result;
    result.transform.translation = matrix.topRightCorner<3, 1>();
    // Columns that are already orthogonal keep their own lengths: exact for every T R S.
    const Vec3d lengths = linear.colwise().norm();
    const double size = std::max(lengths.maxCoeff(), 1e-300);
    const Mat3d gram = linear.transpose() * linear;
    const double skew = std::max({std::abs(gram(0, 1)), std::abs(gram(0, 2)), std::abs(gram(1, 2))});
    if (skew <= 1e-9 * size * size && lengths.minCoeff() > 1e-12 * size) {
        const double sign = linear.determinant() < 0 ? -1 : 1;
        result.transform.scale = sign * lengths;
        result.transform.rotation = from_matrix(Mat3d(sign * linear * lengths.cwiseInverse().asDiagonal()));
        return result;
    }
    const Mat3d rotation = nearest_rotation(linear);
    const Mat3d stretch = rotation.transpose() * linear;
    result.transform.rotation = from_matrix(rotation);
    result.transform.scale = stretch.diagonal();
    result.shear = (stretch - Mat3d(stretch.diagonal().asDiagonal())).cwiseAbs().maxCoeff();
    return result;
}

bool is_rigid(const Mat4d& matrix, double tolerance) {
    const Mat3d r = matrix.topLeftCorner<3, 3>();
    return (r.transpose() * r - Mat3d::Identity()).norm() <= tolerance && r.determinant() > 0;
}

Mat4d inverse_affine(const Mat4d& matrix) {
    Mat4d m = Mat4d::Identity();
    const Mat3d inverse = matrix.topLeftCorner<3, 3>().inverse();
    m.topLeftCorner<3, 3>() = inverse;
    m.topRightCorner<3, 1>() = -inverse * matrix.topRightCorner<3, 1>();
    return m;
}

}  // namespace sinew::math
