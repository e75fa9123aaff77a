#include "sinew/math/blend.h"

#include <algorithm>
#include <vector>

#include <Eigen/LU>

#include "sinew/math/blend_rotations.h"

namespace sinew::math {

DualQuatd blend_dual_linear(std::span<const double> weights, std::span<const DualQuatd> motions) {
    const DualQuatd sum = weighted_sum<double>(weights, motions);
    return normalized(sum.real.squaredNorm() < 1e-12 ? motions[heaviest_of(weights)] : sum);
}

IterativeBlend blend_dual_iterative(std::span<const double> weights, std::span<const DualQuatd> motions,
                                    const IterationLimits& limits) {
    IterativeBlend blend;
    blend.motion = blend_dual_linear(weights, motions);
    while (!blend.converged && blend.iterations < limits.max_iterations) {
        const DualQuatd back = conjugate(blend.motion);
        DualVector<double> step;
        for (std::size_t i = 0; i < weights.size(); ++i) {
            step = step + log_shortest(back * motions[i]) * weights[i];
        }
        blend.motion = normalized(blend.motion * exp(step));
        // Logarithms are half angles and half lengths.
        blend.converged =
            2 * step.real.norm() < limits.rotation && 2 * step.dual.norm() < limits.translation * limits.size;
        ++blend.iterations;
    }
    blend.unique = std::ranges::all_of(
        motions, [&](const DualQuatd& q) { return angle_between(blend.motion.real, q.real) < pi / 2; });
    return blend;
}

IterativeBlend blend_dual_split(std::span<const double> weights, std::span<const DualQuatd> motions,
                                const IterationLimits& limits) {
    std::vector<Quatd> rotations;
    for (const DualQuatd& q : motions) rotations.push_back(q.real);
    const SphericalMean mean = spherical_mean(weights, rotations, limits.rotation, limits.max_iterations);
    const Quatd back = mean.rotation.conjugate();
    Mat3d system = Mat3d::Zero();
    Vec3d right = Vec3d::Zero();
    for (std::size_t i = 0; i < weights.size(); ++i) {
        const Mat3d inverse =
            weights[i] * translation_factor_inverse(rotation_vector(Quatd(back * rotations[i])));
        system += inverse;
        right += inverse * (back * translation(motions[i]));
    }
    const Vec3d local = system.fullPivLu().solve(right);
    return {to_dual_quaternion(Rigidd{mean.rotation, mean.rotation * local}), mean.iterations, mean.converged,
            mean.unique};
}

DualQuatd successive_sclerp(std::span<const double> weights, std::span<const DualQuatd> motions) {
    DualQuatd result = motions.front();
    double total = weights.front();
    for (std::size_t i = 1; i < weights.size(); ++i) {
        total += weights[i];
        if (total > 0) result = sclerp(weights[i] / total, result, motions[i]);
    }
    return result;
}

DualQuatd blend_screw_parameters(std::span<const double> weights, std::span<const DualQuatd> motions) {
    Screw<double> sum{Vec3d::Zero(), Vec3d::Zero(), 0, 0};
    for (std::size_t i = 0; i < weights.size(); ++i) {
        const Screw<double> screw = to_screw(motions[i]);
        sum.direction += weights[i] * screw.direction;
        sum.moment += weights[i] * screw.moment;
        sum.angle += weights[i] * screw.angle;
        sum.pitch += weights[i] * screw.pitch;
    }
    if (sum.direction.norm() < 1e-9) return motions[heaviest_of(weights)];
    sum.direction.normalize();
    sum.moment -= sum.direction.dot(sum.moment) * sum.direction;
    return from_screw(sum);
}

}  // namespace sinew::math
