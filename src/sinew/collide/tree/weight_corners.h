// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// The weights that occur in a group of vertices, enclosed by few corners: every weight vector of the group
/// is a convex combination of them.

#include <cstddef>
#include <span>
#include <vector>

namespace sinew::collide {

/// Weight vectors, `joints` numbers each, one after the other.
struct WeightCorners {
    std::size_t joints = 0;
    std::vector<double> values;

    std::size_t count() const { return joints == 0 ? 0 : values.size() / joints; }
    std::span<const double> corner(std::size_t k) const { return {values.data() + k * joints, joints}; }
};

/// Corners of { w : low_i <= w_i <= high_i, sum w_i = 1 }: one weight is free, the others are at a bound.
WeightCorners interval_corners(std::span<const double> low, std::span<const double> high);

/// Corners l + (1 - sum l) e_k or h - (sum h - 1) e_k, whichever simplex is smaller; a component may be
/// negative.
WeightCorners simplex_corners(std::span<const double> low, std::span<const double> high);

/// Corners for a group of weight vectors, `joints` numbers each: the actual weights when they are few,
/// otherwise intervals (Kavan 2007, 5.2), or a simplex when the intervals have many corners.
WeightCorners weight_corners(std::span<const float> weights, std::size_t joints);

}  // namespace sinew::collide
