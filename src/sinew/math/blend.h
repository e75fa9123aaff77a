// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Which of q and -q enters a blend (Kavan 2007, 3.3; they are the same rotation, their sums are not). Each
/// rule gives +1 or -1 for every quaternion of a list.
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

/// Linear blend of matrices. Not rigid; survives every change of coordinates.
Mat4d blend_matrices(std::span<const double> weights, std::span<const Mat4d> matrices);
Mat4d blend_matrices(std::span<const double> weights, std::span<const Rigidd> transforms);

using Signs = std::vector<double>;

/// The sign of every quaternion that brings it nearer to `pivot`.
Signs signs_like(std::span<const Quatd> quaternions, const Quatd& pivot);

/// Rule A, the source's: like the first. Depends on the order of the list.
Signs first_signs(std::span<const Quatd> quaternions);

/// Rule B: like the heaviest, the earlier one of equals. The sum is never shorter than the largest weight.
Signs heaviest_signs(std::span<const double> weights, std::span<const Quatd> quaternions);

/// Rule C: like the parent, top-down, so that a chain may twist by more than half a turn in all. `parents`
/// are positions in the list, -1 for a root, and come before their children; further roots follow the first.
Signs hierarchy_signs(std::span<const int> parents, std::span<const Quatd> quaternions);

/// Place of the largest weight, the first of equals.
std::size_t heaviest_of(std::span<const double> weights);

std::vector<Quatd> rotations_of(std::span<const Rigidd> transforms);
std::vector<DualQuatd> dual_quaternions_of(std::span<const Rigidd> transforms);

/// The lists with the signs applied: all eight numbers of a dual quaternion together.
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

/// V^-1 = I - K/2 + (1 - (w/2) cot(w/2))/w^2 K^2, for angles below a whole turn.
Mat3d translation_factor_inverse(const Vec3d& rotation_vector);

/// On the shortest branch: the angle is in [0, pi].
Twist log(const Rigidd& transform);
Rigidd exp(const Twist& twist);

/// DLB: sum w q, made unit; the heaviest when they cancel.
DualQuatd blend_dual_linear(std::span<const double> weights, std::span<const DualQuatd> motions);

/// When an iteration has arrived: its last step turned by less than `rotation` radians and moved by less
/// than `translation` times `size`.
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
    bool unique = false;  ///< all rotations lie within a quarter turn of the result: there is no other
};

/// DIB: the motion b with sum w log(b* q) = 0, the barycentre of SE(3) (Kavan 2007, 4.4; Pennec and Arsigny
/// 2012). Starts from DLB. For two inputs the first step already is ScLERP.
IterativeBlend blend_dual_iterative(std::span<const double> weights, std::span<const DualQuatd> motions,
                                    const IterationLimits& limits = {});

/// The same barycentre in two parts: the mean of the rotations, which no translation can alter, then one 3x3
/// system, (sum w V_i^-1) R^T t = sum w V_i^-1 R^T t_i with V_i of the rotation from the mean R to R_i.
IterativeBlend blend_dual_split(std::span<const double> weights, std::span<const DualQuatd> motions,
                                const IterationLimits& limits = {});

/// One ScLERP after the other: a negative control that depends on the order.
DualQuatd successive_sclerp(std::span<const double> weights, std::span<const DualQuatd> motions);

/// Axis, moment, angle and pitch, each blended linearly: a negative control, not right-invariant.
DualQuatd blend_screw_parameters(std::span<const double> weights, std::span<const DualQuatd> motions);

/// Logarithm on the shortest branch. A half turn has two: the axis whose first non-zero component is
/// positive is taken, and said.
struct UniqueLog {
    DualVector<double> value;
    bool half_turn = false;
};
UniqueLog log_unique(const DualQuatd& unit);

struct LogBlend {
    DualQuatd motion;
    int half_turns = 0;  ///< inputs of exactly 180 degrees, whose axis had to be chosen
};

/// exp(sum w log C): one step of the iterative blend, taken from the identity. Weights are convex.
LogBlend blend_logs(std::span<const double> weights, std::span<const DualQuatd> motions);

/// Linear blend where the joints hardly rotate against each other, logarithms where they do: cross-faded by a
/// smoothstep of the largest relative rotation between these two angles.
struct HybridRange {
    double linear_below = radians(30);
    double log_above = radians(60);
};
/// The share of the logarithms.
double hybrid_share(std::span<const Quatd> rotations, const HybridRange& range = {});
Mat4d blend_hybrid(std::span<const double> weights, std::span<const Rigidd> transforms,
                   const HybridRange& range = {});

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

/// True when both move `point` to the same position: the joint that two neighbouring bones share is an exact
/// centre, and no system needs solving.
bool share_point(const Rigidd& a, const Rigidd& b, const Vec3d& point);

struct SphericalMean {
    Quatd rotation = Quatd::Identity();
    int iterations = 0;
    bool converged = false;
    bool unique = false;  ///< all inputs lie within a quarter turn of the mean: there is no other
};

/// Spherical weighted average (Buss and Fillmore 2001): the rotation b with sum w log(b* q) = 0. Starts from
/// the linear blend, so the caller aligns the signs; stops when a step rotates by less than `tolerance`.
SphericalMean spherical_mean(std::span<const double> weights, std::span<const Quatd> quaternions,
                             double tolerance = 1e-6, int max_iterations = 16);

/// The rotation closest to the weighted sum of the matrices (Belta and Kumar 2002). Needs no signs.
Quatd closest_rotation(std::span<const double> weights, std::span<const Quatd> quaternions);

/// Axis and angle of two rotations interpolated apart: the axis turns from that of a to that of b through the
/// plane of both, the angle grows evenly. Of the two ways to write b (axis and angle, or both negated) the
/// one whose axis is nearer is taken, so the mean of a rotation and its inverse is the identity; a rotation
/// by 0 has the axis of the other. Not slerp: it depends on the frame that angles are counted from.
Quatd blend_axis_angle(double t, const Quatd& a, const Quatd& b);

/// Largest angle between any two, in [0, pi].
double largest_angle(std::span<const Quatd> quaternions);

}  // namespace sinew::math
