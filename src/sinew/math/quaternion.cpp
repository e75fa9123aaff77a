// SPDX-License-Identifier: MIT
#include "sinew/math/quaternion.h"

#include <algorithm>
#include <cmath>

#include "sinew/base/error.h"

namespace sinew::math {

Quatd square_root(const Quatd& q, RootPath path) {
    const Quatd from = path == RootPath::shorter && q.w() < 0 ? negated(q) : q;
    const double length = from.norm(), axis_length = from.vec().norm();
    Quatd root;
    // Each part is computed from the sum without cancellation: |v'| = |v| / (2 s') and s' = |v| / (2 |v'|).
    if (from.w() >= 0) {
        const double s = std::sqrt((from.w() + length) / 2);
        root.w() = s;
        root.vec() = s > 0 ? Vec3d(from.vec() / (2 * s)) : Vec3d(Vec3d::Zero());
        return root;
    }
    const double v = std::sqrt((length - from.w()) / 2);
    root.w() = axis_length / (2 * v);
    root.vec() = v * (axis_length > 0 ? Vec3d(from.vec() / axis_length) : Vec3d(Vec3d::UnitX()));
    return root;
}

std::vector<Quatd> subdivide_rotation(const Quatd& q, int halvings, RootPath path) {
    Quatd step = q;
    // Only the first root can choose between the two signs: after it, w is never negative.
    for (int i = 0; i < halvings; ++i) step = square_root(step, i == 0 ? path : RootPath::shorter);
    std::vector<Quatd> steps{Quatd::Identity()};
    for (int i = 0; i < (1 << std::max(halvings, 0)); ++i) steps.push_back(step * steps.back());
    return steps;
}

Quatd align_to_z(const Vec3d& v) {
    if (v.norm() == 0) return Quatd::Identity();
    const double lambda = std::hypot(v.y(), v.z());
    const double about_y = std::atan2(v.x(), lambda);
    const double about_x = lambda > 0 ? std::atan2(v.y(), v.z()) : 0;
    return axis_angle<double>(Vec3d::UnitY(), -about_y) * axis_angle<double>(Vec3d::UnitX(), about_x);
}

namespace {

/// +1 when i, j, k is a cyclic permutation of x, y, z.
double parity(int i, int j) {
    return (i + 1) % 3 == j ? 1.0 : -1.0;
}

/// R = R_i(a) R_j(b) R_k(c), all different.
Vec3d to_cardan(int i, int j, int k, const Mat3d& r) {
    const double e = parity(i, j);
    const double h = std::hypot(r(j, k), r(k, k));
    const double b = std::atan2(e * r(i, k), h);
    const double a = h < 1e-12 ? 0.0 : std::atan2(-e * r(j, k), r(k, k));
    const double ca = std::cos(a), sa = std::sin(a);
    const double c = std::atan2(e * ca * r(j, i) + sa * r(k, i), ca * r(j, j) + e * sa * r(k, j));
    return {a, b, c};
}

/// R = R_i(a) R_j(b) R_i(c).
Vec3d to_proper(int i, int j, const Mat3d& r) {
    const int k = 3 - i - j;
    const double e = parity(i, j);
    const double h = std::hypot(r(j, i), r(k, i));
    const double b = std::atan2(h, r(i, i));
    const double a = h < 1e-12 ? 0.0 : std::atan2(r(j, i), -e * r(k, i));
    const double ca = std::cos(a), sa = std::sin(a);
    // Undo the first rotation: rows j and k of R_i(-a) R contain cos c and sin c without a division by sin b.
    const double c = std::atan2(-e * (ca * r(j, k) + e * sa * r(k, k)), ca * r(j, j) + e * sa * r(k, j));
    return {a, b, c};
}

double nearest_angle(double angle, double previous) {
    return angle + 2 * pi * std::round((previous - angle) / (2 * pi));
}

Vec3d nearest_angles(const Vec3d& angles, const Vec3d& previous) {
    return {nearest_angle(angles[0], previous[0]), nearest_angle(angles[1], previous[1]),
            nearest_angle(angles[2], previous[2])};
}

}  // namespace

EulerOrder parse_euler_order(std::string_view text) {
    EulerOrder order{};
    bool good = text.size() == 3;
    for (std::size_t i = 0; good && i < 3; ++i) {
        order[i] = (text[i] | 0x20) - 'x';
        good = order[i] >= 0 && order[i] <= 2 && (i == 0 || order[i] != order[i - 1]);
    }
    if (!good) fail("", "\"{}\" is not a rotation order: write three axes such as zxy", text);
    return order;
}

Quatd compose_axes(std::span<const int> axes, std::span<const double> angles) {
    Quatd q = Quatd::Identity();
    for (std::size_t i = 0; i < axes.size(); ++i) {
        Quatd rotation(std::cos(angles[i] / 2), 0, 0, 0);
        rotation.coeffs()[axes[i]] = std::sin(angles[i] / 2);
        q = q * rotation;
    }
    return q;
}

Quatd from_euler(const EulerOrder& order, const Vec3d& angles) {
    return compose_axes(order, {angles.data(), 3});
}

Vec3d to_euler(const EulerOrder& order, const Quatd& rotation) {
    const Mat3d r = to_matrix(rotation);
    return order[0] == order[2] ? to_proper(order[0], order[1], r)
                                : to_cardan(order[0], order[1], order[2], r);
}

Vec3d unwrap_euler(const EulerOrder& order, const Vec3d& angles, const Vec3d& previous) {
    const double middle = order[0] == order[2] ? -angles[1] : pi - angles[1];
    const Vec3d first = nearest_angles(angles, previous);
    const Vec3d second = nearest_angles({angles[0] + pi, middle, angles[2] + pi}, previous);
    return (second - previous).squaredNorm() < (first - previous).squaredNorm() ? second : first;
}

}  // namespace sinew::math
