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

/// Largest angle between any two, in [0, pi].
double largest_angle(std::span<const Quatd> quaternions);

}  // namespace sinew::math
