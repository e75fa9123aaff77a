#pragma once
/// \file
/// Blending of matrix logarithms (Alexa 2002; Kavan 2007, 4.6): rigid, but a mere move of the whole
/// character through the world changes its result. Offered for comparison.

#include <span>

#include "sinew/math/dual_quaternion.h"

namespace sinew::math {

/// Logarithm on the shortest branch. A half turn has two: the axis whose first non-zero component is
/// positive is taken, and said.
struct UniqueLog {
    DualVector<double> value;
    bool half_turn = false;
};
UniqueLog log_unique(const DualQuatd& unit);

struct LogBlend {
    DualQuatd motion;
    int half_turns = 0;  ///< inputs of exactly 180 degrees, whose axis had to be chosen
};

/// exp(sum w log C): one step of the iterative blend, taken from the identity. Weights are convex.
LogBlend blend_logs(std::span<const double> weights, std::span<const DualQuatd> motions);

/// Linear blend where the joints hardly turn against each other, logarithms where they do: cross-faded by a
/// smoothstep of the largest relative rotation between these two angles.
struct HybridRange {
    double linear_below = radians(30);
    double log_above = radians(60);
};
/// The share of the logarithms.
double hybrid_share(std::span<const Quatd> rotations, const HybridRange& range = {});
Mat4d blend_hybrid(std::span<const double> weights, std::span<const Rigidd> transforms,
                   const HybridRange& range = {});

}  // namespace sinew::math
