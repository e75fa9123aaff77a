// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Blends of any number of rigid transformations by quaternions and a centre of rotation (Kavan 2007,
/// chapter 3). Weights are convex; quaternions enter with the signs they have (see blend_signs.h).

#include <span>

#include "sinew/math/blend.h"

namespace sinew::math {

/// Weighted sum of the positions of a point.
Vec3d blend_points(std::span<const double> weights, std::span<const Rigidd> transforms, const Vec3d& point);

/// v' = Q (v - c) + sum w_i C_i c: turns by `rotation` about a centre that moves linearly (Hejl 2004).
Rigidd rotate_about(const Quatd& rotation, std::span<const double> weights,
                    std::span<const Rigidd> transforms, const Vec3d& center);

/// Q blended linearly, about a given centre.
Rigidd blend_about(std::span<const double> weights, std::span<const Rigidd> transforms, const Vec3d& center);

/// QLB'_0: blended quaternion and blended translation. Everything turns about the origin, whatever that is:
/// not right-invariant. A negative control.
Rigidd blend_direct(std::span<const double> weights, std::span<const Rigidd> transforms);

/// The source's form: pseudo-inverse of all pair equations stacked, by SVD.
RotationCenter rotation_center_svd(std::span<const Rigidd> transforms, double threshold = rank_threshold);

/// Spherical blend about the uniform least-squares centre of the set (the source's).
Rigidd blend_spherical(std::span<const double> weights, std::span<const Rigidd> transforms);

/// The same about the centre by SVD of all pairs: the source's own form.
Rigidd blend_spherical_svd(std::span<const double> weights, std::span<const Rigidd> transforms);

/// Spherical blend about the weighted centre: continuous where a weight vanishes.
Rigidd blend_spherical_weighted(std::span<const double> weights, std::span<const Rigidd> transforms);

/// Spherical blend with the spherical mean of the rotations instead of the linear blend.
Rigidd blend_spherical_mean(std::span<const double> weights, std::span<const Rigidd> transforms);

/// Rotation closest to the blended matrix (Belta and Kumar 2002), about the uniform centre.
Rigidd blend_closest_rotation(std::span<const double> weights, std::span<const Rigidd> transforms);

}  // namespace sinew::math
