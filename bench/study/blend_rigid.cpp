// SPDX-License-Identifier: MIT
#include "bench/study/blend_rigid.h"

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
