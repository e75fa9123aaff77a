#pragma once
/// \file
/// Blends of any number of rotations. The linear blend is `blend_linear`, the blend of two at constant speed
/// `slerp`, both in quaternion.h. Weights are convex.

#include <span>

#include "sinew/math/quaternion.h"

namespace sinew::math {

struct SphericalMean {
    Quatd rotation = Quatd::Identity();
    int iterations = 0;
    bool converged = false;
    bool unique = false;  ///< all inputs lie within a quarter turn of the mean: there is no other
};

/// Spherical weighted average (Buss and Fillmore 2001): the rotation b with sum w log(b* q) = 0. Starts from
/// the linear blend, so the caller aligns the signs; stops when a step turns by less than `tolerance`.
SphericalMean spherical_mean(std::span<const double> weights, std::span<const Quatd> quaternions,
                             double tolerance = 1e-6, int max_iterations = 16);

/// The rotation closest to the weighted sum of the matrices (Belta and Kumar 2002). Needs no signs.
Quatd closest_rotation(std::span<const double> weights, std::span<const Quatd> quaternions);

/// One slerp after the other, each with its share of the weight so far. A negative control: the result
/// depends on the order.
Quatd successive_slerp(std::span<const double> weights, std::span<const Quatd> quaternions);

/// Axis and angle of two rotations interpolated apart: the axis turns from that of a to that of b through the
/// plane of both, the angle grows evenly. Of the two ways to write b (axis and angle, or both negated) the
/// one whose axis is nearer is taken, so the mean of a turn and its opposite is none; a rotation by 0 has the
/// axis of the other. Not slerp: it depends on the frame that angles are counted from.
Quatd blend_axis_angle(double t, const Quatd& a, const Quatd& b);

/// Largest angle between any two, in [0, pi].
double largest_angle(std::span<const Quatd> quaternions);

}  // namespace sinew::math
