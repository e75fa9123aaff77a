// SPDX-License-Identifier: MIT
#include "bench/study/blend_rigid.h"

#include <cmath>

#include <Eigen/SVD>

#include "sinew/math/blend.h"

namespace sinew::math {
namespace {

Quatd linear_rotation(std::span<const double> weights, std::span<const Rigidd> transforms) {
    return blend_linear<double>(weights, rotations_of(transforms));
}

}  // namespace

Vec3d blend_points(std::span<const double> weights, std::span<const Rigidd> transforms, const Vec3d& point) {
    Vec3d sum = Vec3d::Zero();
    for (std::size_t i = 0; i < weights.size(); ++i) sum += weights[i] * (transforms[i] * point);
    return sum;
}

Rigidd rotate_about(const Quatd& rotation, std::span<const double> weights,
                    std::span<const Rigidd> transforms, const Vec3d& center) {
    return {rotation, blend_points(weights, transforms, center) - rotation * center};
}

Rigidd blend_about(std::span<const double> weights, std::span<const Rigidd> transforms, const Vec3d& center) {
    return rotate_about(linear_rotation(weights, transforms), weights, transforms, center);
}

Rigidd blend_direct(std::span<const double> weights, std::span<const Rigidd> transforms) {
    return blend_about(weights, transforms, Vec3d::Zero());
}

RotationCenter rotation_center_svd(std::span<const Rigidd> transforms, double threshold) {
    const auto n = static_cast<Eigen::Index>(transforms.size());
    if (n < 2) return {};
    Eigen::MatrixXd d(3 * n * (n - 1) / 2, 3);
    Eigen::VectorXd e(d.rows());
    Eigen::Index row = 0;
    for (std::size_t a = 0; a < transforms.size(); ++a) {
        for (std::size_t b = a + 1; b < transforms.size(); ++b, row += 3) {
            d.middleRows<3>(row) = to_matrix(transforms[a].rotation) - to_matrix(transforms[b].rotation);
            e.segment<3>(row) = transforms[b].translation - transforms[a].translation;
        }
    }
    const Eigen::JacobiSVD<Eigen::MatrixXd> svd(d, Eigen::ComputeThinU | Eigen::ComputeThinV);
    // The cut is per pair, as in the closed form: the squares of all pairs add up.
    const double cut = threshold * std::sqrt(static_cast<double>(d.rows() / 3));
    RotationCenter result;
    for (int k = 0; k < 3; ++k) {
        if (svd.singularValues()[k] <= cut) continue;
        result.center += svd.matrixU().col(k).dot(e) / svd.singularValues()[k] * svd.matrixV().col(k);
        ++result.rank;
    }
    return result;
}

Rigidd blend_spherical(std::span<const double> weights, std::span<const Rigidd> transforms) {
    return blend_about(weights, transforms, rotation_center({}, transforms).center);
}

Rigidd blend_spherical_svd(std::span<const double> weights, std::span<const Rigidd> transforms) {
    return blend_about(weights, transforms, rotation_center_svd(transforms).center);
}

Rigidd blend_spherical_weighted(std::span<const double> weights, std::span<const Rigidd> transforms) {
    return blend_about(weights, transforms, rotation_center(weights, transforms).center);
}

Rigidd blend_spherical_mean(std::span<const double> weights, std::span<const Rigidd> transforms) {
    const Quatd rotation = spherical_mean(weights, rotations_of(transforms), 1e-13, 100).rotation;
    return rotate_about(rotation, weights, transforms, rotation_center({}, transforms).center);
}

Rigidd blend_closest_rotation(std::span<const double> weights, std::span<const Rigidd> transforms) {
    const Quatd rotation = closest_rotation(weights, rotations_of(transforms));
    return rotate_about(rotation, weights, transforms, rotation_center({}, transforms).center);
}

}  // namespace sinew::math
