#pragma once
/// \file
/// Planes, lines and circles.

#include <optional>
#include <span>

#include "sinew/math/types.h"

namespace sinew::math {

using Vec2d = Vec2<double>;

struct Plane {
    Vec3d point = Vec3d::Zero();
    Vec3d normal = Vec3d::UnitZ();  ///< unit

    double distance(const Vec3d& p) const { return normal.dot(p - point); }  ///< signed
    Vec3d project(const Vec3d& p) const { return p - distance(p) * normal; }
};

/// Mean and principal directions of points (PCA, C = 1/N sum (p - m)(p - m)^T).
struct PrincipalFrame {
    Vec3d mean = Vec3d::Zero();
    Mat3d axes = Mat3d::Identity();  ///< columns by falling variance, right-handed
    Vec3d variances = Vec3d::Zero();
};
PrincipalFrame principal_frame(std::span<const Vec3d> points);

/// Through the mean, across the direction of least variance; z for no points.
Plane fit_plane(std::span<const Vec3d> points);

/// Where o1 + t1 d1 = o2 + t2 d2.
struct LineCrossing {
    double t1 = 0;
    double t2 = 0;
};
/// None when |d1 x d2| < 1e-9 |d1| |d2|: parallel.
std::optional<LineCrossing> cross_lines(const Vec2d& o1, const Vec2d& d1, const Vec2d& o2, const Vec2d& d2);

/// C + R cos(a) U + R sin(a) V, V = N x U.
struct Circle {
    Vec3d centre = Vec3d::Zero();
    Vec3d normal = Vec3d::UnitZ();
    Vec3d u = Vec3d::UnitX();
    double radius = 0;

    Vec3d at(double angle) const;
};
/// None for points on one line. Angle 0 is the first point; the second and third follow counter-clockwise.
std::optional<Circle> circle_through(const Vec3d& p1, const Vec3d& p2, const Vec3d& p3);

}  // namespace sinew::math
