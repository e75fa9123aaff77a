#pragma once
/// \file
/// Blends of any number of rigid transformations by dual quaternions (Kavan 2007, chapter 4). Of two at
/// constant speed: `sclerp` in dual_quaternion.h. Weights are convex, signs are the caller's.

#include <span>

#include "sinew/math/dual_quaternion.h"

namespace sinew::math {

/// DLB: sum w q, made unit; the heaviest when they cancel.
DualQuatd blend_dual_linear(std::span<const double> weights, std::span<const DualQuatd> motions);

/// When an iteration has arrived: its last step turned by less than `rotation` radians and moved by less
/// than `translation` times `size`.
struct IterationLimits {
    double rotation = 1e-6;
    double translation = 1e-6;
    double size = 1;
    int max_iterations = 16;
};

struct IterativeBlend {
    DualQuatd motion;
    int iterations = 0;
    bool converged = false;
    bool unique = false;  ///< all rotations lie within a quarter turn of the result: there is no other
};

/// DIB: the motion b with sum w log(b* q) = 0, the barycentre of SE(3) (Kavan 2007, 4.4; Pennec and Arsigny
/// 2012). Starts from DLB. For two inputs the first step already is ScLERP.
IterativeBlend blend_dual_iterative(std::span<const double> weights, std::span<const DualQuatd> motions,
                                    const IterationLimits& limits = {});

/// The same barycentre in two parts: the mean of the rotations, which no translation can alter, then one 3x3
/// system, (sum w V_i^-1) R^T t = sum w V_i^-1 R^T t_i with V_i of the rotation from the mean R to R_i.
IterativeBlend blend_dual_split(std::span<const double> weights, std::span<const DualQuatd> motions,
                                const IterationLimits& limits = {});

/// One ScLERP after the other: a negative control that depends on the order.
DualQuatd successive_sclerp(std::span<const double> weights, std::span<const DualQuatd> motions);

/// Axis, moment, angle and pitch, each blended linearly: a negative control, not right-invariant.
DualQuatd blend_screw_parameters(std::span<const double> weights, std::span<const DualQuatd> motions);

}  // namespace sinew::math
