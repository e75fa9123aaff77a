// SPDX-License-Identifier: MIT
#include "sinew/collide/body/blend_bounds.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace sinew::collide {
namespace {

Quatd pure(const Vec3d& v) {
    return Quatd(0, v.x(), v.y(), v.z());
}

double dot(const Quatd& a, const Quatd& b) {
    return a.coeffs().dot(b.coeffs());
}

Vec3d quotient(const Quatd& e, const Quatd& b) {
    return (e * b.conjugate()).vec() / b.squaredNorm();
}

/// Mean direction of the corners and the smallest dot product with it.
struct Direction {
    Quatd s = Quatd::Identity();
    double min_length = 0;
};

template <class Corner, class Get>
Direction direction_of(std::span<const Corner> corners, const Get& get) {
    Quatd sum(0, 0, 0, 0);
    for (const Corner& corner : corners) sum.coeffs() += get(corner).coeffs();
    Direction direction;
    const double length = sum.norm();
    if (!(length > 1e-9)) return direction;
    direction.s.coeffs() = sum.coeffs() / length;
    direction.min_length = std::numeric_limits<double>::infinity();
    for (const Corner& corner : corners)
        direction.min_length = std::min(direction.min_length, dot(get(corner), direction.s));
    return direction;
}

Sphere spread(std::span<const SphericalCorner> corners, const Vec3d& mean) {
    double radius = 0;
    for (const SphericalCorner& corner : corners) radius = std::max(radius, (corner.l - mean).norm());
    return {mean, radius};
}

/// Rotation in the cap of the normalised corners, translation in its own sphere.
Sphere cap_and_spread(std::span<const SphericalCorner> corners, const Vec3d& g, const Vec3d& mean,
                      const Direction& direction) {
    Sphere cap{Vec3d::Zero(), g.norm()};
    double h = 0;
    for (const SphericalCorner& corner : corners) {
        const double length = corner.q.norm();
        h = std::max(h, (corner.q.coeffs() / length - direction.s.coeffs()).norm());
    }
    h += 16 * 0x1p-53;
    if (direction.min_length > min_blend && h * h < 2 - std::numbers::sqrt2) {
        const double cos_half = 1 - h * h / 2, sin_half = h * std::sqrt(1 - h * h / 4);
        cap = {(1 - 2 * sin_half * sin_half) * rotated(direction.s, g), 2 * sin_half * cos_half * g.norm()};
    }
    const Sphere linear = spread(corners, mean);
    return {linear.center + cap.center, linear.radius + cap.radius};
}

/// Two corners: the blend moves along a circular arc of at most 180 degrees, inside the sphere on its chord.
Sphere chord(std::span<const SphericalCorner> corners, const Vec3d& g) {
    const Vec3d a = rotated(corners[0].q, g), b = rotated(corners[1].q, g);
    const double radius = (a - b).norm() / 2 + (corners[0].l - corners[1].l).norm() / 2;
    return {(a + b + corners[0].l + corners[1].l) / 2, radius};
}

/// y - (g' + L') = (b g - g' b + dL b' + dL (b - b')) b^-1, bounded term by term as a quotient.
Sphere coupled(std::span<const SphericalCorner> corners, const Vec3d& g, const Vec3d& mean,
               const Direction& direction) {
    Quatd middle(0, 0, 0, 0);
    for (const SphericalCorner& corner : corners) middle.coeffs() += corner.q.coeffs();
    middle.coeffs() /= static_cast<double>(corners.size());
    const Vec3d rotated4 = rotated(middle, g);
    double away = 0, radius = 0;
    for (const SphericalCorner& corner : corners)
        away = std::max(away, (corner.q.coeffs() - middle.coeffs()).norm());
    for (const SphericalCorner& corner : corners) {
        const Vec3d off = corner.l - mean;
        const Quatd a = corner.q * pure(g), b = pure(rotated4) * corner.q, c = pure(off) * middle;
        const double numerator = (a.coeffs() - b.coeffs() + c.coeffs()).norm() + away * off.norm();
        radius = std::max(radius, numerator / dot(corner.q, direction.s));
    }
    return {rotated4 + mean, radius};
}

}  // namespace

Vec3d rotated(const Quatd& q, const Vec3d& g) {
    const Vec3d v = q.vec();
    const double w = q.w();
    return ((w * w - v.squaredNorm()) * g + 2 * v.dot(g) * v + 2 * w * v.cross(g)) / q.squaredNorm();
}

double quotient_bound(std::span<const QuotientTerm> terms, const Quatd& s, const Quatd& h) {
    double bound = 0;
    for (const QuotientTerm& term : terms) {
        const double beta = dot(term.b, s);
        if (!(beta > 0)) return std::numeric_limits<double>::infinity();
        bound = std::max(bound, (term.e.coeffs() - (h * term.b).coeffs()).norm() / beta);
    }
    return bound;
}

Sphere spherical_bound(std::span<const SphericalCorner> corners, const Vec3d& g, double& min_length) {
    const Direction direction = direction_of(corners, [](const SphericalCorner& c) { return c.q; });
    Vec3d mean = Vec3d::Zero();
    for (const SphericalCorner& corner : corners) mean += corner.l;
    mean /= static_cast<double>(corners.size());
    min_length = direction.min_length > min_blend ? direction.min_length : 1;
    if (direction.min_length <= min_blend) return cap_and_spread(corners, g, mean, direction);
    Sphere best = coupled(corners, g, mean, direction);
    const auto take = [&](const Sphere& other) {
        if (other.radius < best.radius) best = other;
    };
    if (corners.size() == 1) return best;
    if (corners.size() == 2 && dot(corners[0].q, corners[1].q) >= 0) take(chord(corners, g));
    take(cap_and_spread(corners, g, mean, direction));
    return best;
}

Sphere dual_bound(std::span<const DualCorner> corners, bool two_joints, double& min_length) {
    if (corners.size() == 1) {
        min_length = corners[0].b.norm();
        if (!(min_length >= min_blend)) return unbounded();
        return {quotient(corners[0].e, corners[0].b), 0};
    }
    Quatd b(0, 0, 0, 0), e(0, 0, 0, 0);
    for (const DualCorner& corner : corners) {
        const double length = std::max(1e-9, corner.b.norm());
        b.coeffs() += corner.b.coeffs() / length;
        e.coeffs() += corner.e.coeffs() / length;
    }
    Quatd s = b;
    s.coeffs() /= std::max(1e-9, b.norm());
    min_length = std::numeric_limits<double>::infinity();
    for (const DualCorner& corner : corners) min_length = std::min(min_length, dot(corner.b, s));
    if (!(min_length >= min_blend)) return unbounded();
    if (two_joints && corners.size() == 2) {
        // Angle and translation of the screw both grow with the weight: the chord is a diameter.
        const Vec3d y0 = quotient(corners[0].e, corners[0].b), y1 = quotient(corners[1].e, corners[1].b);
        return {(y0 + y1) / 2, (y0 - y1).norm() / 2};
    }
    Quatd h = e * b.conjugate();
    h.coeffs() /= b.squaredNorm();
    return {h.vec(), quotient_bound(corners, s, h)};
}

}  // namespace sinew::collide
