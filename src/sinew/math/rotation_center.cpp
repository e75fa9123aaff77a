// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include <Eigen/Eigenvalues>
#include <Eigen/LU>

#include "sinew/math/blend.h"

namespace sinew::math {

CenterEquations center_equations(std::span<const double> weights, std::span<const Rigidd> transforms) {
    const std::size_t n = transforms.size();
    const auto weight = [&](std::size_t i) {
        return weights.empty() ? 1.0 / static_cast<double>(n) : weights[i];
    };
    Mat3d mean = Mat3d::Zero();
    Vec3d mean_translation = Vec3d::Zero();
    double squares = 0;
    for (std::size_t i = 0; i < n; ++i) {
        mean += weight(i) * to_matrix(transforms[i].rotation);
        mean_translation += weight(i) * transforms[i].translation;
        squares += weight(i) * weight(i);
    }
    CenterEquations system;
    for (std::size_t i = 0; i < n; ++i) {
        const Mat3d difference = to_matrix(transforms[i].rotation) - mean;
        system.a += weight(i) * difference.transpose() * difference;
        system.b -= weight(i) * difference.transpose() * (transforms[i].translation - mean_translation);
    }
    system.pair_weight = std::max(0.0, (1 - squares) / 2);
    return system;
}

namespace {

/// Smallest eigenvalue of A when it is far below the others: a root of the characteristic polynomial, det = l
/// (l_2 l_3) with l_2 l_3 = I_2 - l (trace - l).
double small_eigenvalue(const Mat3d& a, double determinant) {
    const double trace = a.trace(), second = (trace * trace - a.squaredNorm()) / 2;
    double value = determinant / second;
    for (int i = 0; i < 4; ++i) value = determinant / (second - value * (trace - value));
    return std::max(0.0, value);
}

/// Unit eigenvector of that eigenvalue: the cofactors of A - l are a multiple of v v^T.
Vec3d direction_of(const Mat3d& a, double value) {
    const Mat3d m = a - value * Mat3d::Identity();
    const Vec3d columns[3]{Vec3d(m.col(1)).cross(Vec3d(m.col(2))), Vec3d(m.col(2)).cross(Vec3d(m.col(0))),
                           Vec3d(m.col(0)).cross(Vec3d(m.col(1)))};
    return std::ranges::max_element(columns, {}, [](const Vec3d& v) { return v.squaredNorm(); })
        ->normalized();
}

/// The solution across a direction of eigenvalue l, where the other two are s up to l, s = trace / 2: those
/// of A - sum over pairs of |v|^2 - v v^T - are at most s, and all add up to 2 s.
Vec3d solve_across(const CenterEquations& system, const Vec3d& direction) {
    const double s = system.a.trace() / 2;
    const auto across = [&](const Vec3d& p) { return Vec3d(p - direction.dot(p) * direction); };
    Vec3d center = Vec3d::Zero();
    for (int i = 0; i < 6; ++i) center += across(system.b - system.a * center) / s;
    return center;
}

RotationCenter solve_by_eigenvalues(const CenterEquations& system, double cut) {
    RotationCenter result;
    const Eigen::SelfAdjointEigenSolver<Mat3d> solver(system.a);
    for (int k = 0; k < 3; ++k) {
        const double value = solver.eigenvalues()[k];
        if (cut > 0) result.margin = std::min(result.margin, std::abs(value - cut) / cut);
        if (value <= cut) continue;
        const Vec3d direction = solver.eigenvectors().col(k);
        result.center += direction.dot(system.b) / value * direction;
        ++result.rank;
    }
    return result;
}

}  // namespace

RotationCenter solve_center(const CenterEquations& system, double threshold) {
    const double cut = threshold * threshold * system.pair_weight, s = system.a.trace() / 2;
    if (4 * s <= cut) return {};
    // The smallest eigenvalue is at least det / s^2: if that is far from zero, elimination is accurate
    // enough.
    const double determinant = system.a.determinant(), smallest = determinant / (s * s);
    if (smallest > 2e-4 * s && smallest > 4 * cut) return {system.a.inverse() * system.b, 3, 1};
    // For axes that are nearly parallel, as in a walk, no decomposition is needed.
    if (smallest < 2e-4 * s && s > 4 * cut) {
        const double value = small_eigenvalue(system.a, determinant);
        const Vec3d direction = direction_of(system.a, value);
        const Vec3d center = solve_across(system, direction);
        const double margin = cut > 0 ? std::min(1.0, std::abs(value - cut) / cut) : 1;
        if (value <= cut) return {center, 2, margin};
        return {center + direction.dot(system.b) / value * direction, 3, margin};
    }
    return solve_by_eigenvalues(system, cut);
}

RotationCenter rotation_center(std::span<const double> weights, std::span<const Rigidd> transforms,
                               double threshold) {
    return solve_center(center_equations(weights, transforms), threshold);
}

bool share_point(const Rigidd& a, const Rigidd& b, const Vec3d& point) {
    const Vec3d first = a * point, second = b * point;
    const double size = point.norm() + a.translation.norm() + b.translation.norm();
    return (first - second).norm() <= 1e-12 * size;
}

}  // namespace sinew::math
