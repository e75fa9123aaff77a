// SPDX-License-Identifier: MIT
#include "sinew/collide/triangle/orientation.h"

#include <array>
#include <cmath>

namespace sinew::collide {
namespace {

struct Two {
    double high, low;
};

/// high + low = a + b exactly (Knuth).
Two two_sum(double a, double b) {
    const double high = a + b;
    const double b_part = high - a;
    return {high, (a - (high - b_part)) + (b - b_part)};
}

/// high + low = a * b exactly (Dekker; there may be no fused multiply-add).
Two two_product(double a, double b) {
    constexpr double splitter = 0x1p27 + 1;
    const auto split = [](double x) {
        const double big = splitter * x;
        const double high = big - (big - x);
        return Two{high, x - high};
    };
    const double high = a * b;
    const Two x = split(a), y = split(b);
    return {high, x.low * y.low - (((high - x.high * y.high) - x.low * y.high) - x.high * y.low)};
}

/// A sum of doubles that do not overlap, smallest first: exact.
class Expansion {
  public:
    void add(double value) {
        std::size_t kept = 0;
        for (std::size_t i = 0; i < count_; ++i) {
            const Two sum = two_sum(value, terms_[i]);
            value = sum.high;
            if (sum.low != 0) terms_[kept++] = sum.low;
        }
        if (value != 0) terms_[kept++] = value;
        count_ = kept;
    }
    int sign() const {
        if (count_ == 0) return 0;
        return terms_[count_ - 1] > 0 ? 1 : -1;
    }

  private:
    std::array<double, 256> terms_;
    std::size_t count_ = 0;
};

Two difference(double a, double b) {
    return two_sum(a, -b);
}

void add_product(Expansion& sum, double a, double b, double c) {
    if (a == 0 || b == 0 || c == 0) return;
    const Two ab = two_product(a, b);
    for (const double part : {ab.high, ab.low}) {
        const Two abc = two_product(part, c);
        sum.add(abc.low);
        sum.add(abc.high);
    }
}

void add_product(Expansion& sum, double sign, const Two& a, const Two& b, const Two& c) {
    for (const double x : {a.high, a.low}) {
        for (const double y : {b.high, b.low}) {
            for (const double z : {c.high, c.low}) add_product(sum, sign * x, y, z);
        }
    }
}

int exact_orient3d(const Vec3d& a, const Vec3d& b, const Vec3d& c, const Vec3d& d) {
    std::array<std::array<Two, 3>, 3> m;
    const std::array<const Vec3d*, 3> rows{&a, &b, &c};
    for (std::size_t r = 0; r < 3; ++r) {
        for (std::size_t k = 0; k < 3; ++k) {
            const auto axis = static_cast<Eigen::Index>(k);
            m[r][k] = difference((*rows[r])[axis], d[axis]);
        }
    }
    Expansion sum;
    for (std::size_t k = 0; k < 3; ++k) {
        add_product(sum, 1, m[0][k], m[1][(k + 1) % 3], m[2][(k + 2) % 3]);
        add_product(sum, -1, m[0][k], m[1][(k + 2) % 3], m[2][(k + 1) % 3]);
    }
    return sum.sign();
}

int sign_of(double value) {
    return (value > 0) - (value < 0);
}

}  // namespace

int orient3d(const Vec3d& a, const Vec3d& b, const Vec3d& c, const Vec3d& d) {
    const Vec3d x = a - d, y = b - d, z = c - d;
    const double yz = y[1] * z[2], zy = y[2] * z[1], zx = z[1] * x[2], xz = z[2] * x[1], xy = x[1] * y[2],
                 yx = x[2] * y[1];
    const double determinant = x[0] * (yz - zy) + y[0] * (zx - xz) + z[0] * (xy - yx);
    const double permanent = (std::abs(yz) + std::abs(zy)) * std::abs(x[0]) +
                             (std::abs(zx) + std::abs(xz)) * std::abs(y[0]) +
                             (std::abs(xy) + std::abs(yx)) * std::abs(z[0]);
    constexpr double bound = (7 + 56 * 0x1p-53) * 0x1p-53;
    if (std::abs(determinant) > bound * permanent) return sign_of(determinant);
    if (permanent == 0 && (x.isZero(0) || y.isZero(0) || z.isZero(0))) return 0;
    return exact_orient3d(a, b, c, d);
}

int orient2d(const Vec3d& a, const Vec3d& b, const Vec3d& c, int axis) {
    const int u = (axis + 1) % 3, v = (axis + 2) % 3;
    const double left = (a[u] - c[u]) * (b[v] - c[v]), right = (a[v] - c[v]) * (b[u] - c[u]);
    const double determinant = left - right;
    constexpr double bound = (3 + 16 * 0x1p-53) * 0x1p-53;
    if (std::abs(determinant) > bound * (std::abs(left) + std::abs(right))) return sign_of(determinant);
    Expansion sum;
    const Two au = difference(a[u], c[u]), bv = difference(b[v], c[v]);
    const Two av = difference(a[v], c[v]), bu = difference(b[u], c[u]);
    add_product(sum, 1, au, bv, {1, 0});
    add_product(sum, -1, av, bu, {1, 0});
    return sum.sign();
}

}  // namespace sinew::collide
