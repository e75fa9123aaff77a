#include "sinew/math/blend_rotations.h"

#include <algorithm>

#include "sinew/math/transform.h"

namespace sinew::math {

SphericalMean spherical_mean(std::span<const double> weights, std::span<const Quatd> quaternions,
                             double tolerance, int max_iterations) {
    SphericalMean mean;
    mean.rotation = blend_linear<double>(weights, quaternions);
    while (!mean.converged && mean.iterations < max_iterations) {
        Vec3d step = Vec3d::Zero();
        for (std::size_t i = 0; i < weights.size(); ++i) {
            step += weights[i] * log_shortest(Quatd(mean.rotation.conjugate() * quaternions[i]));
        }
        mean.rotation = (mean.rotation * exp(step)).normalized();
        mean.converged = 2 * step.norm() < tolerance;
        ++mean.iterations;
    }
    mean.unique = std::ranges::all_of(
        quaternions, [&](const Quatd& q) { return angle_between(mean.rotation, q) < pi / 2; });
    return mean;
}

Quatd closest_rotation(std::span<const double> weights, std::span<const Quatd> quaternions) {
    Mat3d sum = Mat3d::Zero();
    for (std::size_t i = 0; i < weights.size(); ++i) sum += weights[i] * to_matrix(quaternions[i]);
    return from_matrix(nearest_rotation(sum));
}

Quatd successive_slerp(std::span<const double> weights, std::span<const Quatd> quaternions) {
    Quatd result = quaternions.front();
    double total = weights.front();
    for (std::size_t i = 1; i < weights.size(); ++i) {
        total += weights[i];
        if (total > 0) result = slerp(weights[i] / total, result, quaternions[i]);
    }
    return result;
}

double largest_angle(std::span<const Quatd> quaternions) {
    double largest = 0;
    for (std::size_t a = 0; a < quaternions.size(); ++a) {
        for (std::size_t b = a + 1; b < quaternions.size(); ++b)
            largest = std::max(largest, angle_between(quaternions[a], quaternions[b]));
    }
    return largest;
}

}  // namespace sinew::math
