#pragma once
/// \file
/// The point that several rigid transformations move to nearly the same place: the centre of spherical
/// blending (Kavan 2007, 3.2). Always solved in double.

#include <span>

#include "sinew/math/transform.h"

namespace sinew::math {

/// Singular values of the pair equations (R_a - R_b) r = t_b - t_a at or below this count as zero. They are
/// 2 sin(angle/2) of the relative rotations, so the cut is absolute: a cut relative to the largest would let
/// the centre run to infinity when all relative rotations are tiny. Cutting at tau moves a blended point by
/// at most about tau/8 of the mismatch of the translations.
inline constexpr double rank_threshold = 1e-6;
/// The cut for centres that are used in single precision.
inline constexpr double rank_threshold_float = 1e-3;

struct RotationCenter {
    Vec3d center = Vec3d::Zero();  ///< of minimal norm among the minimisers
    int rank = 0;                  ///< 0 equal rotations, 2 a common axis, 3 a point
    double margin = 1;  ///< |l - cut| / cut of the eigenvalue that is nearest to the cut, at most 1
};

/// Normal equations A r = b of the pairs, each weighted u_a u_b.
struct CenterEquations {
    Mat3d a = Mat3d::Zero();
    Vec3d b = Vec3d::Zero();
    double pair_weight = 0;  ///< sum of u_a u_b over the pairs: (1 - sum u^2) / 2
};

/// A = I - M^T M and b = M^T T - sum u_i R_i^T t_i with M = sum u_i R_i, T = sum u_i t_i, computed as the
/// variance they are, A = sum u_i (R_i - M)^T (R_i - M), b = -sum u_i (R_i - M)^T (t_i - T): as exact as the
/// sum over all pairs for tiny relative rotations, in the time of the closed form. Empty weights are uniform.
CenterEquations center_equations(std::span<const double> weights, std::span<const Rigidd> transforms);

/// Solution of least norm; eigenvalues at or below threshold^2 * pair_weight count as zero.
RotationCenter solve_center(const CenterEquations& system, double threshold = rank_threshold);

/// Least-squares centre by the closed form. Empty weights are uniform (the source's centre, which depends on
/// the set only); a vertex' own weights give the centre that does not jump where a weight vanishes.
RotationCenter rotation_center(std::span<const double> weights, std::span<const Rigidd> transforms,
                               double threshold = rank_threshold);

/// The source's form: pseudo-inverse of all pair equations stacked, by SVD.
RotationCenter rotation_center_svd(std::span<const Rigidd> transforms, double threshold = rank_threshold);

/// (A + mu I) r = b + mu anchor with mu = 1e-6 sum u_a u_b: no rank decision, and both invariances are kept
/// when the anchor moves with the rest pose (the mean rest place of the joints, say).
Vec3d rotation_center_anchored(std::span<const double> weights, std::span<const Rigidd> transforms,
                               const Vec3d& anchor);

/// True when both move `point` to the same place: the joint that two neighbouring bones share is an exact
/// centre, and no system needs solving.
bool share_point(const Rigidd& a, const Rigidd& b, const Vec3d& point);

}  // namespace sinew::math
