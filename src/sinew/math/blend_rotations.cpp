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

Quatd blend_axis_angle(double t, const Quatd& a, const Quatd& b) {
    const Vec3d from = rotation_vector(a), to = rotation_vector(b);
    const double start = from.norm();
    double end = to.norm();
    if (start == 0 || end == 0) return from_rotation_vector(Vec3d((1 - t) * from + t * to));
    const Vec3d axis = from / start;
    Vec3d end_axis = to / end;
    if (axis.dot(end_axis) < 0) {
        end_axis = -end_axis;
        end = -end;
    }
    const Quatd turn = pow(rotation_between(axis, end_axis), t);
    return from_rotation_vector(Vec3d(((1 - t) * start + t * end) * (turn * axis)));
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
