// SPDX-License-Identifier: MIT
#include "bench/study/cost.h"

namespace sinew::deform {
namespace {

constexpr double function = 20;  // sin, cos, atan2
constexpr double dot3 = 5, cross = 9, scale3 = 3, add3 = 3;
constexpr double quaternion_product = 28, dual_product = 3 * quaternion_product + 4;

/// sum of n terms w_i x_i with x_i of `size` numbers.
constexpr double weighted_sum(double n, double size) {
    return size * (2 * n - 1);
}

// v + 2 d x (d x v + w v)
constexpr double rotate = cross + scale3 + add3 + cross + scale3 + add3;
// t = 2 (w0 de - we d0 + d0 x de), and its addition
constexpr double dual_translate = scale3 + scale3 + add3 + cross + add3 + scale3 + add3;
// 1 / |q|
constexpr double inverse_length = 7 + 1 + 1;
constexpr double normalize3 = dot3 + 1 + 1 + scale3;
constexpr double matrix_point = 18, matrix_vector = 15;

// Per joint: Shepperd's quaternion, (e/2) t q, and the logarithm of 3.3.
constexpr double to_quaternion = 3 + 3 + 1 + 1 + 1 + 3 + 3;
constexpr double to_dual = to_quaternion + dot3 + scale3 + cross + add3 + 4;
constexpr double dual_log = dot3 + 1 + function + 1 + 4 + scale3 + scale3 + 1 + scale3 + add3;
constexpr double dual_exp = dot3 + 1 + dot3 + 2 * function + 1 + 2 + scale3 + 1 + scale3 + 1 + scale3 + add3;

/// Sign of one quaternion against another, flipping all its numbers.
constexpr double align(double numbers) {
    return 7 + numbers;
}

/// Normal equations of the centre as a variance, a symmetric 3x3 eigen decomposition (four Jacobi sweeps of
/// three rotations of about 30), and its use.
constexpr double center_solve(double n) {
    const double means = weighted_sum(n, 12), spread = n * (12 + 9 + 30 + 6 + 15 + 3);
    return means + spread + 4 * 3 * 30 + 40;
}

/// v' = Q (v - c) + sum w_i C_i c, normal by Q; the points C_i c are there.
constexpr double spherical_vertex(double n) {
    return weighted_sum(n, 4) + inverse_length + 4 + add3 + rotate + weighted_sum(n, 3) + add3 + rotate;
}

/// From a unit dual quaternion on.
constexpr double dual_vertex() {
    return rotate + dual_translate + rotate;
}

double iterative_vertex(double n, double iterations) {
    const double step = n * (dual_product + dual_log + 12) + dual_exp + dual_product + inverse_length + 16;
    return weighted_sum(n, 8) + inverse_length + 8 + iterations * step + dual_vertex();
}

}  // namespace

MethodCost cost(Method method, const CostOptions& options) {
    const double n = options.influences;
    constexpr std::size_t floats = sizeof(float);
    MethodCost c;
    switch (method) {
        case Method::lbs:
            return {0, 0, weighted_sum(n, 12) + matrix_point + matrix_vector + normalize3, 12 * floats, 0, 0};
        case Method::rigid:
            return {0, 0, matrix_point + matrix_vector, 12 * floats, 0, 0};
        case Method::dqs:
            return {
                to_dual, n * align(8), weighted_sum(n, 8) + inverse_length + 8 + dual_vertex(), 8 * floats, 0,
                0};
        case Method::dib:
            return {to_dual, n * align(8), iterative_vertex(n, options.iterations), 8 * floats, 0, 0};
        case Method::log:
            return {to_dual + dual_log, 0, weighted_sum(n, 6) + dual_exp + dual_vertex(), 6 * floats, 0, 0};
        case Method::qlb:
            // The centre is 0, so C_i c is the translation, and nothing is subtracted.
            return {to_quaternion, n * align(4), spherical_vertex(n) - add3, 7 * floats, 0, 0};
        case Method::sbs:
            return {to_quaternion,       n * align(4) + center_solve(n) + n * matrix_point,
                    spherical_vertex(n), 7 * floats,
                    3 * floats,          0};
        case Method::sbs_weighted:
            return {to_quaternion,
                    n * align(4),
                    center_solve(n) + n * matrix_point + spherical_vertex(n),
                    16 * floats,
                    0,
                    0};
        case Method::cor:
            return {to_quaternion, n * align(4), n * matrix_point + spherical_vertex(n), 16 * floats, 0,
                    3 * floats};
    }
    return c;
}

}  // namespace sinew::deform
