// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Blending of rigid transformations. A quaternion q and -q are the same rotation, but their sums differ
/// (Kavan 2007, 3.3): the sign rules give +1 or -1 for every quaternion of a list.
///
/// \code
/// const math::Signs signs = math::heaviest_signs(weights, rotations);
/// const std::vector<math::Quatd> aligned = math::with_signs(rotations, signs);
/// \endcode

#include <span>
#include <vector>

#include "sinew/math/dual_quaternion.h"
#include "sinew/math/quaternion.h"
#include "sinew/math/transform.h"

namespace sinew::math {

/// Linear blend of matrices. The result is not rigid; it does not depend on the coordinate system.
Mat4d blend_matrices(std::span<const double> weights, std::span<const Mat4d> matrices);
Mat4d blend_matrices(std::span<const double> weights, std::span<const Rigidd> transforms);

using Signs = std::vector<double>;

/// For every quaternion the sign that brings it closer to `pivot`.
Signs signs_like(std::span<const Quatd> quaternions, const Quatd& pivot);

/// Rule A, of the original paper: aligned with the first. The result depends on the order of the list.
Signs first_signs(std::span<const Quatd> quaternions);

/// Rule B: aligned with the quaternion of the largest weight (the first of equals). The blended sum is never
/// shorter than that weight.
Signs heaviest_signs(std::span<const double> weights, std::span<const Quatd> quaternions);

/// Rule C: each quaternion is aligned with its parent, from the root down, so that a chain may twist by more
/// than 180 degrees in total.
/// \param parents position of each parent in the list, before its children; -1 for a root. Roots after the
/// first are aligned with the first.
/// \param quaternions rotations of the joints
Signs hierarchy_signs(std::span<const int> parents, std::span<const Quatd> quaternions);

/// Index of the largest weight, the first of equals.
std::size_t heaviest_of(std::span<const double> weights);

std::vector<Quatd> rotations_of(std::span<const Rigidd> transforms);
std::vector<DualQuatd> dual_quaternions_of(std::span<const Rigidd> transforms);

/// The lists with the signs applied; for dual quaternions to all eight components.
std::vector<Quatd> with_signs(std::span<const Quatd> quaternions, const Signs& signs);
std::vector<Rigidd> with_signs(std::span<const Rigidd> transforms, const Signs& signs);
std::vector<DualQuatd> with_signs(std::span<const DualQuatd> quaternions, const Signs& signs);

/// Logarithm of a rigid transformation: rotation vector w and translation u = V(w)^-1 t. It is twice the
/// logarithm of the dual quaternion.
struct Twist {
    Vec3d rotation = Vec3d::Zero();
    Vec3d translation = Vec3d::Zero();
};

/// [v]x, the matrix of the cross product with v.
inline Mat3d cross_matrix(const Vec3d& v) {
    Mat3d k;
    k << 0, -v.z(), v.y(), v.z(), 0, -v.x(), -v.y(), v.x(), 0;
    return k;
}

/// V = I + b K + c K^2 with K = [w]x, b = (1 - cos w)/w^2, c = (w - sin w)/w^3; series for small angles.
Mat3d translation_factor(const Vec3d& rotation_vector);

/// V^-1 = I - K/2 + (1 - (w/2) cot(w/2))/w^2 K^2, for angles below 360 degrees.
Mat3d translation_factor_inverse(const Vec3d& rotation_vector);

/// Logarithm with the shortest rotation: the angle is in [0, pi].
Twist log(const Rigidd& transform);
Rigidd exp(const Twist& twist);

/// DLB, dual quaternion linear blending: sum w q, normalised. Returns the quaternion of the largest weight
/// when the sum cancels to zero.
DualQuatd blend_dual_linear(std::span<const double> weights, std::span<const DualQuatd> motions);

/// Convergence criterion: the last step rotated by less than `rotation` radians and translated by less than
/// `translation` times `size`.
struct IterationLimits {
    double rotation = 1e-6;
    double translation = 1e-6;
    double size = 1;
    int max_iterations = 16;
};

struct IterativeBlend {
    DualQuatd motion;
    int iterations = 0;
    bool converged = false;
    bool unique =
        false;  ///< all rotations are within 90 degrees of the result, so that it is the only solution
};

/// DIB: the motion b with sum w log(b* q) = 0, the barycentre of SE(3) (Kavan 2007, 4.4; Pennec and Arsigny
/// 2012). Starts from DLB. For two inputs the first step is already ScLERP.
IterativeBlend blend_dual_iterative(std::span<const double> weights, std::span<const DualQuatd> motions,
                                    const IterationLimits& limits = {});

/// The same barycentre, computed in two steps: the mean of the rotations, which does not depend on
/// translations; then one 3x3 system, (sum w V_i^-1) R^T t = sum w V_i^-1 R^T t_i, where V_i belongs to the
/// rotation from the mean R to R_i.
IterativeBlend blend_dual_split(std::span<const double> weights, std::span<const DualQuatd> motions,
                                const IterationLimits& limits = {});

/// Successive ScLERP. For comparison only: the result depends on the order.
DualQuatd successive_sclerp(std::span<const double> weights, std::span<const DualQuatd> motions);

/// Linear blends of axis, moment, angle and pitch. For comparison only: not right-invariant.
DualQuatd blend_screw_parameters(std::span<const double> weights, std::span<const DualQuatd> motions);

/// Logarithm with the shortest rotation. A rotation by 180 degrees has two: the one whose axis has a positive
/// first non-zero component is returned, with `half_turn` set.
struct UniqueLog {
    DualVector<double> value;
    bool half_turn = false;
};
UniqueLog log_unique(const DualQuatd& unit);

struct LogBlend {
    DualQuatd motion;
    int half_turns = 0;  ///< inputs of exactly 180 degrees, for which an axis had to be chosen
};

/// exp(sum w log C): one step of the iterative blend, starting from the identity.
/// \pre The weights are not negative and sum to 1.
LogBlend blend_logs(std::span<const double> weights, std::span<const DualQuatd> motions);

/// Angles of the hybrid blend: linear below, logarithmic above, with a smoothstep of the largest relative
/// rotation in between.
struct HybridRange {
    double linear_below = radians(30);
    double log_above = radians(60);
};
/// Weight of the logarithmic blend, 0 to 1.
double hybrid_share(std::span<const Quatd> rotations, const HybridRange& range = {});
Mat4d blend_hybrid(std::span<const double> weights, std::span<const Rigidd> transforms,
                   const HybridRange& range = {});

/// Singular values of the pair equations (R_a - R_b) r = t_b - t_a at or below this threshold count as zero.
/// They are 2 sin(angle/2) of the relative rotations, so the threshold is absolute: with a threshold relative
/// to the largest value, the centre would diverge when all relative rotations are tiny. A threshold tau moves
/// a blended point by at most about tau/8 of the mismatch of the translations.
inline constexpr double rank_threshold = 1e-6;
/// The threshold for centres that are used in single precision.
inline constexpr double rank_threshold_float = 1e-3;

struct RotationCenter {
    Vec3d center = Vec3d::Zero();  ///< the minimiser with the smallest norm
    int rank = 0;  ///< 0: all rotations are equal; 2: they share an axis; 3: the centre is a unique point
    double margin =
        1;  ///< |l - t| / t, at most 1, where t is the squared threshold and l the eigenvalue nearest to it
};

/// Normal equations A r = b of the pairs; pair (a, b) has the weight u_a u_b.
struct CenterEquations {
    Mat3d a = Mat3d::Zero();
    Vec3d b = Vec3d::Zero();
    double pair_weight = 0;  ///< sum of u_a u_b over the pairs: (1 - sum u^2) / 2
};

/// A = I - M^T M and b = M^T T - sum u_i R_i^T t_i with M = sum u_i R_i, T = sum u_i t_i. They are computed
/// as variances, A = sum u_i (R_i - M)^T (R_i - M), b = -sum u_i (R_i - M)^T (t_i - T): for tiny relative
/// rotations as accurate as the sum over all pairs, in linear time. Empty weights mean equal weights.
CenterEquations center_equations(std::span<const double> weights, std::span<const Rigidd> transforms);

/// Solution of smallest norm; eigenvalues at or below threshold^2 * pair_weight count as zero.
RotationCenter solve_center(const CenterEquations& system, double threshold = rank_threshold);

/// Least-squares rotation centre in closed form. Empty weights mean equal weights, as in the original paper:
/// the centre then depends on the influence set only. With the weights of a vertex the centre is continuous
/// where a weight goes to zero.
RotationCenter rotation_center(std::span<const double> weights, std::span<const Rigidd> transforms,
                               double threshold = rank_threshold);

/// True when both transformations move `point` to the same position. The joint between two neighbouring bones
/// is then an exact centre, and no system has to be solved.
bool share_point(const Rigidd& a, const Rigidd& b, const Vec3d& point);

struct SphericalMean {
    Quatd rotation = Quatd::Identity();
    int iterations = 0;
    bool converged = false;
    bool unique = false;  ///< all inputs are within 90 degrees of the mean, so that it is the only solution
};

/// Spherical weighted average (Buss and Fillmore 2001): the rotation b with sum w log(b* q) = 0. Starts from
/// the linear blend and stops when a step rotates by less than `tolerance` radians.
/// \pre The signs of the quaternions are aligned.
SphericalMean spherical_mean(std::span<const double> weights, std::span<const Quatd> quaternions,
                             double tolerance = 1e-6, int max_iterations = 16);

/// The rotation closest to the weighted sum of the rotation matrices (Belta and Kumar 2002). Independent of
/// quaternion signs.
Quatd closest_rotation(std::span<const double> weights, std::span<const Quatd> quaternions);

/// Interpolates axis and angle of two rotations separately: the axis moves from that of a to that of b in
/// their common plane, the angle changes linearly. A rotation has two forms (axis and angle, or both
/// negated); the form of b with the nearer axis is used, so that the mean of a rotation and its inverse is
/// the identity. A rotation by 0 takes the axis of the other. Unlike slerp, the result depends on the
/// reference frame.
Quatd blend_axis_angle(double t, const Quatd& a, const Quatd& b);

/// Largest angle between any two of the rotations, in [0, pi].
double largest_angle(std::span<const Quatd> quaternions);

}  // namespace sinew::math
