// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// How far the fast blends are from constant speed (Kavan 2007, 4.5 and appendix B), as curves to plot and
/// as closed forms to check them with.

#include <vector>

#include "sinew/math/types.h"

namespace sinew::math {

struct CurvePoint {
    double t = 0;
    double value = 0;      ///< of the blend
    double reference = 0;  ///< of the blend at constant speed
};
using Curve = std::vector<CurvePoint>;

/// Largest |value - reference|.
double max_deviation(const Curve& curve);

/// Angle of the linear blend of two rotations that are `angle` apart, against slerp. Dual quaternions have
/// the same angle. At half a turn the deviation reaches 0.1422293 rad.
Curve angle_curve(double angle, int samples = 101);

/// Pitch of the dual quaternion linear blend of two motions that differ by a screw of `angle` and `pitch`,
/// against ScLERP. At half a turn the deviation reaches 0.1501416 of the pitch.
Curve pitch_curve(double angle, double pitch = 1, int samples = 101);

/// Angular speed of the log-matrix blend between the rotation vectors a and b, by differences of the blend
/// itself, against the mean speed of the shortest way.
Curve log_speed_curve(const Vec3d& a, const Vec3d& b, int samples = 101);

/// Angle of the linear blend in closed form: 2 atan2(t S, 1 - t + t C) with C + i S of half the angle.
double linear_blend_angle(double t, double angle);

/// Pitch of DLB in closed form, as a fraction of the whole: t((1-t) C + t) / (1 - 2t(1-t)(1-C)).
double linear_blend_pitch(double t, double angle);

/// Speed of the log-matrix blend in closed form: |w|^2 = |a'_along|^2 + |a'_across|^2 (2 sin(p/2)/p)^2 with
/// a(t) = (1-t) a + t b and p = |a(t)|.
double log_blend_speed(double t, const Vec3d& a, const Vec3d& b);

/// Length of the way that the log-matrix blend takes; the shortest is the angle between the two rotations.
double log_blend_length(const Vec3d& a, const Vec3d& b, int steps = 1000);

}  // namespace sinew::math
