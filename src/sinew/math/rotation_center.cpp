#include "sinew/math/rotation_center.h"

#include <algorithm>

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <Eigen/SVD>

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

RotationCenter solve_center(const CenterEquations& system, double threshold) {
    RotationCenter result;
    // The smallest eigenvalue is at least 4 det / trace^2: where that is far from zero, elimination will do.
    const double trace = system.a.trace(), least = 4 * system.a.determinant() / (trace * trace);
    if (least > 1e-4 * trace && least > 4 * threshold * threshold * system.pair_weight) {
        result.center = system.a.inverse() * system.b;
        result.rank = 3;
        return result;
    }
    const Eigen::SelfAdjointEigenSolver<Mat3d> solver(system.a);
    for (int k = 0; k < 3; ++k) {
        const double value = solver.eigenvalues()[k];
        if (value <= threshold * threshold * system.pair_weight) continue;
        const Vec3d direction = solver.eigenvectors().col(k);
        result.center += direction.dot(system.b) / value * direction;
        ++result.rank;
    }
    return result;
}

RotationCenter rotation_center(std::span<const double> weights, std::span<const Rigidd> transforms,
                               double threshold) {
    return solve_center(center_equations(weights, transforms), threshold);
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

Vec3d rotation_center_anchored(std::span<const double> weights, std::span<const Rigidd> transforms,
                               const Vec3d& anchor) {
    const CenterEquations system = center_equations(weights, transforms);
    const double mu = 1e-6 * system.pair_weight;
    if (mu <= 0) return anchor;
    const Mat3d a = system.a + mu * Mat3d::Identity();
    return a.ldlt().solve(system.b + mu * anchor);
}

bool share_point(const Rigidd& a, const Rigidd& b, const Vec3d& point) {
    const Vec3d first = a * point, second = b * point;
    const double size = point.norm() + a.translation.norm() + b.translation.norm();
    return (first - second).norm() <= 1e-12 * size;
}

}  // namespace sinew::math
