#include "sinew/math/blend.h"

#include <algorithm>

#include "sinew/math/blend_rigid.h"
#include "sinew/math/blend_rotations.h"

namespace sinew::math {

UniqueLog log_unique(const DualQuatd& unit) {
    constexpr double rounding = 1e-12;
    if (std::abs(unit.real.w()) > rounding) return {log_shortest(unit), false};
    const Vec3d axis = unit.real.vec();
    const int first = std::abs(axis.x()) > rounding ? 0 : std::abs(axis.y()) > rounding ? 1 : 2;
    return {log(axis[first] < 0 ? -unit : unit), true};
}

LogBlend blend_logs(std::span<const double> weights, std::span<const DualQuatd> motions) {
    LogBlend blend;
    DualVector<double> sum;
    for (std::size_t i = 0; i < weights.size(); ++i) {
        const UniqueLog l = log_unique(motions[i]);
        sum = sum + l.value * weights[i];
        blend.half_turns += l.half_turn ? 1 : 0;
    }
    blend.motion = exp(sum);
    return blend;
}

double hybrid_share(std::span<const Quatd> rotations, const HybridRange& range) {
    const double x = (largest_angle(rotations) - range.linear_below) / (range.log_above - range.linear_below);
    const double t = std::clamp(x, 0.0, 1.0);
    return t * t * (3 - 2 * t);
}

Mat4d blend_hybrid(std::span<const double> weights, std::span<const Rigidd> transforms,
                   const HybridRange& range) {
    const double share = hybrid_share(rotations_of(transforms), range);
    const DualQuatd logs = blend_logs(weights, dual_quaternions_of(transforms)).motion;
    return (1 - share) * blend_matrices(weights, transforms) + share * to_rigid(logs).matrix();
}

}  // namespace sinew::math
