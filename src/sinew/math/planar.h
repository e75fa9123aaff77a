// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Planes, lines and circles.
///
/// \code
/// const math::PrincipalFrame frame = math::principal_frame(points);
/// const math::Plane plane = math::fit_plane(points);
/// \endcode

#include <optional>
#include <span>
#include <vector>

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

/// c(t) = ((1-t)^2 C + 2 t (1-t) W + t^2 D) / ((1-t)^2 + 2 w t (1-t) + t^2), with W = w B for a control point
/// B in finite distance. A weight of 0 is the case of parallel tangents, where W is a direction.
struct RationalQuadratic {
    Vec3d start = Vec3d::Zero();
    Vec3d middle = Vec3d::Zero();  ///< W
    Vec3d end = Vec3d::Zero();
    double weight = 1;

    Vec3d at(double t) const;
};

/// The curve with control point B and weight w.
RationalQuadratic conic_of_control(const Vec3d& start, const Vec3d& control, const Vec3d& end, double weight);

/// The weight at which the curve is an arc of a circle when both legs are equally long: the sine of half the
/// angle at the control point.
double circular_weight(const Vec3d& start, const Vec3d& control, const Vec3d& end);

/// The weight whose shoulder lies at M + sharpness (B - M), M the middle of the chord: k / (1 - k).
double weight_of_sharpness(double sharpness);

/// The conic through P that leaves C along v and arrives at D along u, all in one plane; the tangents may be
/// parallel. A `u` that points back is reversed, because it would give the complementary arc. None when
/// no arc of a conic does it: P on the wrong side of a tangent, points on one line, or w <= -1.
std::optional<RationalQuadratic> conic_through(const Vec3d& start, const Vec3d& leaving, const Vec3d& end,
                                               const Vec3d& arriving, const Vec3d& through);

/// Points of the curve at even steps of t, ends included.
std::vector<Vec3d> sample(const RationalQuadratic& curve, int pieces);

double length(std::span<const Vec3d> line);

/// The same path in `pieces` steps of equal length, ends included and exact.
std::vector<Vec3d> resample_uniform(std::span<const Vec3d> line, int pieces);

/// Pieces of about `spacing` that a path is cut into: at least 1.
int pieces_of(double length, double spacing);

}  // namespace sinew::math
