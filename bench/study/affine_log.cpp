// SPDX-License-Identifier: MIT
#include "bench/study/affine_log.h"

#include <array>
#include <cmath>

#include <Eigen/Eigenvalues>
#include <Eigen/LU>

#include "sinew/base/error.h"

namespace sinew::math {
namespace {

void refuse_negative_eigenvalues(const Mat4d& matrix) {
    const Mat3d linear = matrix.topLeftCorner<3, 3>();
    const double size = linear.norm();
    const Eigen::EigenSolver<Mat3d> solver(linear, false);
    for (int i = 0; i < 3; ++i) {
        const std::complex<double> value = solver.eigenvalues()[i];
        // A half turn has a double eigenvalue -1, which rounding splits by about the root of epsilon.
        if (value.real() <= 1e-12 * size && std::abs(value.imag()) <= 1e-7 * size) {
            fail("", "the matrix has no real logarithm: {} is one of its eigenvalues", value.real());
        }
    }
}

/// Principal square root by the Denman-Beavers iteration.
Mat4d square_root(const Mat4d& matrix) {
    Mat4d root = matrix, inverse_root = Mat4d::Identity();
    for (int k = 0; k < 40; ++k) {
        const Mat4d next = 0.5 * (root + inverse_root.inverse());
        inverse_root = 0.5 * (inverse_root + root.inverse());
        const double change = (next - root).norm();
        root = next;
        if (change <= 1e-15 * root.norm()) break;
    }
    return root;
}

/// log(I + E) by the Pade approximant [7/7], as the Gauss-Legendre sum of E (I + x E)^-1 over x in [0, 1].
Mat4d log_near_identity(const Mat4d& e) {
    constexpr std::array<double, 4> nodes = {0, 0.4058451513773971669066064, 0.7415311855993944398638648,
                                             0.9491079123427585245261897};
    constexpr std::array<double, 4> shares = {0.4179591836734693877551020, 0.3818300505051189449503698,
                                              0.2797053914892766679014678, 0.1294849661688696932706114};
    Mat4d sum = Mat4d::Zero();
    const auto add = [&](double node, double share) {
        const Mat4d m = Mat4d::Identity() + (1 + node) / 2 * e;
        sum += share / 2 * e * m.inverse();
    };
    add(nodes[0], shares[0]);
    for (std::size_t i = 1; i < nodes.size(); ++i) {
        add(nodes[i], shares[i]);
        add(-nodes[i], shares[i]);
    }
    return sum;
}

}  // namespace

Mat4d log_affine(const Mat4d& matrix) {
    refuse_negative_eigenvalues(matrix);
    // A long translation would only cost square roots and digits: it is scaled to length 1 and back.
    const double length = std::max(1.0, Vec3d(matrix.topRightCorner<3, 1>()).norm());
    Mat4d root = matrix;
    root.topRightCorner<3, 1>() /= length;
    double factor = 1;
    while ((root - Mat4d::Identity()).norm() > 0.25 && factor < 1e12) {
        root = square_root(root);
        factor *= 2;
    }
    Mat4d result = factor * log_near_identity(root - Mat4d::Identity());
    result.topRightCorner<3, 1>() *= length;
    result.row(3).setZero();
    return result;
}

Mat4d exp_affine(const Mat4d& logarithm) {
    int halvings = 0;
    for (double size = Mat3d(logarithm.topLeftCorner<3, 3>()).norm(); size > 0.5; size /= 2) ++halvings;
    const Mat4d x = std::ldexp(1.0, -halvings) * logarithm;
    // Pade [6/6]: numerator p(x), denominator p(-x). Powers of x carry the translation linearly, so its
    // length plays no part in the choice of halvings.
    Mat4d even = Mat4d::Identity(), odd = Mat4d::Zero(), power = Mat4d::Identity();
    double c = 1;
    for (int k = 1; k <= 6; ++k) {
        c *= (7.0 - k) / ((13.0 - k) * k);
        power = power * x;
        (k % 2 == 0 ? even : odd) += c * power;
    }
    Mat4d result = Mat4d(even - odd).fullPivLu().solve(even + odd);
    for (int k = 0; k < halvings; ++k) result = result * result;
    result.row(3) = Mat4d::Identity().row(3);
    return result;
}

Mat4d blend_affine_logs(std::span<const double> weights, std::span<const Mat4d> matrices) {
    Mat4d sum = Mat4d::Zero();
    for (std::size_t i = 0; i < weights.size(); ++i) sum += weights[i] * log_affine(matrices[i]);
    return exp_affine(sum);
}

}  // namespace sinew::math
