// SPDX-License-Identifier: MIT
#include "sinew/math/blend.h"

#include <algorithm>
#include <vector>

#include <Eigen/LU>

#include "sinew/math/transform.h"

namespace sinew::math {

Mat4d blend_matrices(std::span<const double> weights, std::span<const Mat4d> matrices) {
    Mat4d sum = Mat4d::Zero();
    for (std::size_t i = 0; i < weights.size(); ++i) sum += weights[i] * matrices[i];
    return sum;
}

Mat4d blend_matrices(std::span<const double> weights, std::span<const Rigidd> transforms) {
    Mat4d sum = Mat4d::Zero();
    for (std::size_t i = 0; i < weights.size(); ++i) sum += weights[i] * transforms[i].matrix();
    return sum;
}

SphericalMean spherical_mean(std::span<const double> weights, std::span<const Quatd> quaternions,
                             double tolerance, int max_iterations) {
    SphericalMean mean;
    mean.rotation = blend_linear<double>(weights, quaternions);
    while (!mean.converged && mean.iterations < max_iterations) {
        Vec3d step = Vec3d::Zero();
        for (std::size_t i = 0; i < weights.size(); ++i) {
            step += weights[i] * log_shortest(Quatd(mean.rotation.conjugate() * quaternions[i]));
        }
        mean.rotation = (mean.rotation * exp(step)).normalized();
        mean.converged = 2 * step.norm() < tolerance;
        ++mean.iterations;
    }
    mean.unique = std::ranges::all_of(
        quaternions, [&](const Quatd& q) { return angle_between(mean.rotation, q) < pi / 2; });
    return mean;
}

Quatd closest_rotation(std::span<const double> weights, std::span<const Quatd> quaternions) {
    Mat3d sum = Mat3d::Zero();
    for (std::size_t i = 0; i < weights.size(); ++i) sum += weights[i] * to_matrix(quaternions[i]);
    return from_matrix(nearest_rotation(sum));
}

Quatd blend_axis_angle(double t, const Quatd& a, const Quatd& b) {
    const Vec3d from = rotation_vector(a), to = rotation_vector(b);
    const double start = from.norm();
    double end = to.norm();
    if (start == 0 || end == 0) return from_rotation_vector(Vec3d((1 - t) * from + t * to));
    const Vec3d axis = from / start;
    Vec3d end_axis = to / end;
    if (axis.dot(end_axis) < 0) {
        end_axis = -end_axis;
        end = -end;
    }
    const Quatd rotation = pow(rotation_between(axis, end_axis), t);
    return from_rotation_vector(Vec3d(((1 - t) * start + t * end) * (rotation * axis)));
}

double largest_angle(std::span<const Quatd> quaternions) {
    double largest = 0;
    for (std::size_t a = 0; a < quaternions.size(); ++a) {
        for (std::size_t b = a + 1; b < quaternions.size(); ++b)
            largest = std::max(largest, angle_between(quaternions[a], quaternions[b]));
    }
    return largest;
}

namespace {

Quatd times(const Quatd& q, double sign) {
    return sign < 0 ? negated(q) : q;
}

}  // namespace

std::size_t heaviest_of(std::span<const double> weights) {
    return static_cast<std::size_t>(std::ranges::max_element(weights) - weights.begin());
}

Signs signs_like(std::span<const Quatd> quaternions, const Quatd& pivot) {
    Signs signs;
    signs.reserve(quaternions.size());
    for (const Quatd& q : quaternions) signs.push_back(dot(q, pivot) < 0 ? -1 : 1);
    return signs;
}

Signs first_signs(std::span<const Quatd> quaternions) {
    return quaternions.empty() ? Signs{} : signs_like(quaternions, quaternions.front());
}

Signs heaviest_signs(std::span<const double> weights, std::span<const Quatd> quaternions) {
    return quaternions.empty() ? Signs{} : signs_like(quaternions, quaternions[heaviest_of(weights)]);
}

Signs hierarchy_signs(std::span<const int> parents, std::span<const Quatd> quaternions) {
    Signs signs(quaternions.size(), 1);
    for (std::size_t i = 1; i < quaternions.size(); ++i) {
        const auto leader = static_cast<std::size_t>(std::max(parents[i], 0));
        signs[i] = dot(quaternions[i], quaternions[leader]) < 0 ? -signs[leader] : signs[leader];
    }
    return signs;
}

std::vector<Quatd> rotations_of(std::span<const Rigidd> transforms) {
    std::vector<Quatd> result;
    result.reserve(transforms.size());
    for (const Rigidd& m : transforms) result.push_back(m.rotation);
    return result;
}

std::vector<DualQuatd> dual_quaternions_of(std::span<const Rigidd> transforms) {
    std::vector<DualQuatd> result;
    result.reserve(transforms.size());
    for (const Rigidd& m : transforms) result.push_back(to_dual_quaternion(m));
    return result;
}

std::vector<Quatd> with_signs(std::span<const Quatd> quaternions, const Signs& signs) {
    std::vector<Quatd> result(quaternions.begin(), quaternions.end());
    for (std::size_t i = 0; i < result.size(); ++i) result[i] = times(result[i], signs[i]);
    return result;
}

std::vector<Rigidd> with_signs(std::span<const Rigidd> transforms, const Signs& signs) {
    std::vector<Rigidd> result(transforms.begin(), transforms.end());
    for (std::size_t i = 0; i < result.size(); ++i) result[i].rotation = times(result[i].rotation, signs[i]);
    return result;
}

std::vector<DualQuatd> with_signs(std::span<const DualQuatd> quaternions, const Signs& signs) {
    std::vector<DualQuatd> result(quaternions.begin(), quaternions.end());
    for (std::size_t i = 0; i < result.size(); ++i) result[i] = result[i] * signs[i];
    return result;
}

namespace {

/// Below this angle the quotients are computed from their series, which is then exact to the last digit.
constexpr double small_angle = 1e-2;

}  // namespace

Mat3d translation_factor(const Vec3d& rotation_vector) {
    const double angle = rotation_vector.norm(), square = angle * angle;
    const bool small = angle < small_angle;
    const double b = small ? 0.5 - square / 24 + square * square / 720 : (1 - std::cos(angle)) / square;
    const double c = small ? 1.0 / 6 - square / 120 + square * square / 5040
                           : (angle - std::sin(angle)) / (angle * square);
    const Mat3d k = cross_matrix(rotation_vector);
    return Mat3d::Identity() + b * k + c * k * k;
}

Mat3d translation_factor_inverse(const Vec3d& rotation_vector) {
    const double angle = rotation_vector.norm(), square = angle * angle, half = angle / 2;
    const double d = angle < small_angle ? 1.0 / 12 + square / 720 + square * square / 30240
                                         : (1 - half * std::cos(half) / std::sin(half)) / square;
    const Mat3d k = cross_matrix(rotation_vector);
    return Mat3d::Identity() - 0.5 * k + d * k * k;
}

Twist log(const Rigidd& transform) {
    const Vec3d rotation = rotation_vector(transform.rotation);
    return {rotation, translation_factor_inverse(rotation) * transform.translation};
}

Rigidd exp(const Twist& twist) {
    return {from_rotation_vector(twist.rotation), translation_factor(twist.rotation) * twist.translation};
}

DualQuatd blend_dual_linear(std::span<const double> weights, std::span<const DualQuatd> motions) {
    const DualQuatd sum = weighted_sum<double>(weights, motions);
    return normalized(sum.real.squaredNorm() < 1e-12 ? motions[heaviest_of(weights)] : sum);
}

IterativeBlend blend_dual_iterative(std::span<const double> weights, std::span<const DualQuatd> motions,
                                    const IterationLimits& limits) {
    IterativeBlend blend;
    blend.motion = blend_dual_linear(weights, motions);
    while (!blend.converged && blend.iterations < limits.max_iterations) {
        const DualQuatd back = conjugate(blend.motion);
        DualVector<double> step;
        for (std::size_t i = 0; i < weights.size(); ++i) {
            step = step + log_shortest(back * motions[i]) * weights[i];
        }
        blend.motion = normalized(blend.motion * exp(step));
        // Logarithms are half angles and half lengths.
        blend.converged =
            2 * step.real.norm() < limits.rotation && 2 * step.dual.norm() < limits.translation * limits.size;
        ++blend.iterations;
    }
    blend.unique = std::ranges::all_of(
        motions, [&](const DualQuatd& q) { return angle_between(blend.motion.real, q.real) < pi / 2; });
    return blend;
}

IterativeBlend blend_dual_split(std::span<const double> weights, std::span<const DualQuatd> motions,
                                const IterationLimits& limits) {
    std::vector<Quatd> rotations;
    for (const DualQuatd& q : motions) rotations.push_back(q.real);
    const SphericalMean mean = spherical_mean(weights, rotations, limits.rotation, limits.max_iterations);
    const Quatd back = mean.rotation.conjugate();
    Mat3d system = Mat3d::Zero();
    Vec3d right = Vec3d::Zero();
    for (std::size_t i = 0; i < weights.size(); ++i) {
        const Mat3d inverse =
            weights[i] * translation_factor_inverse(rotation_vector(Quatd(back * rotations[i])));
        system += inverse;
        right += inverse * (back * translation(motions[i]));
    }
    const Vec3d local = system.fullPivLu().solve(right);
    return {to_dual_quaternion(Rigidd{mean.rotation, mean.rotation * local}), mean.iterations, mean.converged,
            mean.unique};
}

DualQuatd successive_sclerp(std::span<const double> weights, std::span<const DualQuatd> motions) {
    DualQuatd result = motions.front();
    double total = weights.front();
    for (std::size_t i = 1; i < weights.size(); ++i) {
        total += weights[i];
        if (total > 0) result = sclerp(weights[i] / total, result, motions[i]);
    }
    return result;
}

DualQuatd blend_screw_parameters(std::span<const double> weights, std::span<const DualQuatd> motions) {
    Screw<double> sum{Vec3d::Zero(), Vec3d::Zero(), 0, 0};
    for (std::size_t i = 0; i < weights.size(); ++i) {
        const Screw<double> screw = to_screw(motions[i]);
        sum.direction += weights[i] * screw.direction;
        sum.moment += weights[i] * screw.moment;
        sum.angle += weights[i] * screw.angle;
        sum.pitch += weights[i] * screw.pitch;
    }
    if (sum.direction.norm() < 1e-9) return motions[heaviest_of(weights)];
    sum.direction.normalize();
    sum.moment -= sum.direction.dot(sum.moment) * sum.direction;
    return from_screw(sum);
}

UniqueLog log_unique(const DualQuatd& unit) {
    constexpr double rounding = 1e-12;
    if (std::abs(unit.real.w()) > rounding) return {log_shortest(unit), false};
    const Vec3d axis = unit.real.vec();
    const int first = std::abs(axis.x()) > rounding ? 0 : std::abs(axis.y()) > rounding ? 1 : 2;
    return {log(axis[first] < 0 ? -unit : unit), true};
}

LogBlend blend_logs(std::span<const double> weights, std::span<const DualQuatd> motions) {
    LogBlend blend;
    DualVector<double> sum;
    for (std::size_t i = 0; i < weights.size(); ++i) {
        const UniqueLog l = log_unique(motions[i]);
        sum = sum + l.value * weights[i];
        blend.half_turns += l.half_turn ? 1 : 0;
    }
    blend.motion = exp(sum);
    return blend;
}

double hybrid_share(std::span<const Quatd> rotations, const HybridRange& range) {
    const double x = (largest_angle(rotations) - range.linear_below) / (range.log_above - range.linear_below);
    const double t = std::clamp(x, 0.0, 1.0);
    return t * t * (3 - 2 * t);
}

Mat4d blend_hybrid(std::span<const double> weights, std::span<const Rigidd> transforms,
                   const HybridRange& range) {
    const double share = hybrid_share(rotations_of(transforms), range);
    const DualQuatd logs = blend_logs(weights, dual_quaternions_of(transforms)).motion;
    return (1 - share) * blend_matrices(weights, transforms) + share * to_rigid(logs).matrix();
}

}  // namespace sinew::math
