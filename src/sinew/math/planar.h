// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Planes, lines, circles and conics; polylines.
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
    Vec3d normal = Vec3d::UnitZ();  ///< unit length

    double distance(const Vec3d& p) const { return normal.dot(p - point); }  ///< signed
    Vec3d project(const Vec3d& p) const { return p - distance(p) * normal; }
};

/// Mean and principal directions of points (PCA, C = 1/N sum (p - m)(p - m)^T).
struct PrincipalFrame {
    Vec3d mean = Vec3d::Zero();
    Mat3d axes = Mat3d::Identity();  ///< columns by decreasing variance, right-handed
    Vec3d variances = Vec3d::Zero();
};
PrincipalFrame principal_frame(std::span<const Vec3d> points);

/// Plane through the mean of the points, normal to the direction of smallest variance; normal z for no
/// points.
Plane fit_plane(std::span<const Vec3d> points);

/// Parameters of the intersection, o1 + t1 d1 = o2 + t2 d2.
struct LineCrossing {
    double t1 = 0;
    double t2 = 0;
};
/// Empty for parallel lines, |d1 x d2| < 1e-9 |d1| |d2|.
std::optional<LineCrossing> cross_lines(const Vec2d& o1, const Vec2d& d1, const Vec2d& o2, const Vec2d& d2);

/// C + R cos(a) U + R sin(a) V with V = N x U.
struct Circle {
    Vec3d centre = Vec3d::Zero();
    Vec3d normal = Vec3d::UnitZ();
    Vec3d u = Vec3d::UnitX();
    double radius = 0;

    Vec3d at(double angle) const;
};
/// Empty for collinear points. Angle 0 is the first point; the second and third follow counter-clockwise.
std::optional<Circle> circle_through(const Vec3d& p1, const Vec3d& p2, const Vec3d& p3);

/// c(t) = ((1-t)^2 C + 2 t (1-t) W + t^2 D) / ((1-t)^2 + 2 w t (1-t) + t^2) with W = w B for a finite control
/// point B. Weight 0 means parallel end tangents; W is then a direction.
struct RationalQuadratic {
    Vec3d start = Vec3d::Zero();
    Vec3d middle = Vec3d::Zero();  ///< W
    Vec3d end = Vec3d::Zero();
    double weight = 1;

    Vec3d at(double t) const;
};

/// The curve with control point B and weight w.
RationalQuadratic conic_of_control(const Vec3d& start, const Vec3d& control, const Vec3d& end, double weight);

/// The weight for which the curve is a circular arc when both legs have the same length: the sine of half the
/// angle at the control point.
double circular_weight(const Vec3d& start, const Vec3d& control, const Vec3d& end);

/// The weight for which the shoulder point lies at M + sharpness (B - M), M the midpoint of the chord: k / (1
/// - k).
double weight_of_sharpness(double sharpness);

/// The conic through P that starts at C with tangent v and ends at D with tangent u, all in one plane; the
/// tangents may be parallel. If `arriving` points backwards it is reversed, because otherwise the
/// complementary arc would result. Empty when no conic arc exists: P on the wrong side of a tangent,
/// collinear points, or w <= -1.
std::optional<RationalQuadratic> conic_through(const Vec3d& start, const Vec3d& leaving, const Vec3d& end,
                                               const Vec3d& arriving, const Vec3d& through);

/// Points of the curve at equal steps of t, ends included.
std::vector<Vec3d> sample(const RationalQuadratic& curve, int pieces);

double length(std::span<const Vec3d> line);

/// Resamples a polyline into `pieces` steps of equal length; the end points are kept exactly.
std::vector<Vec3d> resample_uniform(std::span<const Vec3d> line, int pieces);

/// Number of pieces of about `spacing` for a length; at least 1.
int pieces_of(double length, double spacing);

}  // namespace sinew::math
