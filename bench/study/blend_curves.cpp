// SPDX-License-Identifier: MIT
#include "bench/study/blend_curves.h"

#include <algorithm>
#include <array>

#include "sinew/math/blend.h"

namespace sinew::math {
namespace {

template <class Sample>
Curve sampled(int samples, const Sample& sample) {
    Curve curve;
    for (int k = 0; k < samples; ++k) {
        const double t = samples > 1 ? static_cast<double>(k) / (samples - 1) : 0;
        curve.push_back(sample(t));
    }
    return curve;
}

Quatd log_blend(double t, const Vec3d& a, const Vec3d& b) {
    const std::array weights = {1 - t, t};
    const std::array motions = {DualQuatd{from_rotation_vector(a)}, DualQuatd{from_rotation_vector(b)}};
    return blend_logs(weights, motions).motion.real;
}

}  // namespace

double max_deviation(const Curve& curve) {
    double largest = 0;
    for (const CurvePoint& p : curve) largest = std::max(largest, std::abs(p.value - p.reference));
    return largest;
}

Curve angle_curve(double angle, int samples) {
    const Quatd start = Quatd::Identity(), end = axis_angle<double>(Vec3d::UnitZ(), angle);
    return sampled(samples, [&](double t) {
        return CurvePoint{t, angle_between(start, nlerp(t, start, end)),
                          angle_between(start, slerp(t, start, end))};
    });
}

Curve pitch_curve(double angle, double pitch, int samples) {
    const DualQuatd start, end = from_screw(Screw<double>{Vec3d::UnitZ(), Vec3d::Zero(), angle, pitch});
    return sampled(samples, [&](double t) {
        const std::array weights = {1 - t, t};
        const std::array motions = {start, end};
        const auto slide = [](const DualQuatd& q) { return translation(q).z(); };
        return CurvePoint{t, slide(blend_dual_linear(weights, motions)), slide(sclerp(t, start, end))};
    });
}

Curve log_speed_curve(const Vec3d& a, const Vec3d& b, int samples) {
    constexpr double h = 1e-4;
    const double mean = angle_between(from_rotation_vector(a), from_rotation_vector(b));
    return sampled(samples, [&](double t) {
        // Fourth order central differences of the angle about t; the blend may be continued beyond its ends.
        const auto gap = [&](double s) {
            return angle_between(log_blend(t - s, a, b), log_blend(t + s, a, b));
        };
        return CurvePoint{t, (8 * gap(h) - gap(2 * h)) / (12 * h), mean};
    });
}

double linear_blend_angle(double t, double angle) {
    return 2 * std::atan2(t * std::sin(angle / 2), 1 - t + t * std::cos(angle / 2));
}

double linear_blend_pitch(double t, double angle) {
    const double c = std::cos(angle / 2);
    return t * ((1 - t) * c + t) / (1 - 2 * t * (1 - t) * (1 - c));
}

double log_blend_speed(double t, const Vec3d& a, const Vec3d& b) {
    const Vec3d at = (1 - t) * a + t * b, speed = b - a;
    const double angle = at.norm();
    if (angle < 1e-9) return speed.norm();
    const double along = speed.dot(at) / angle;
    const double across = (speed - along / angle * at).norm() * 2 * std::sin(angle / 2) / angle;
    return std::hypot(along, across);
}

double log_blend_length(const Vec3d& a, const Vec3d& b, int steps) {
    // Simpson's rule; the speed is smooth.
    const int n = 2 * std::max(steps, 1);
    double sum = 0;
    for (int k = 0; k <= n; ++k) {
        const double factor = k == 0 || k == n ? 1 : (k % 2 == 1 ? 4 : 2);
        sum += factor * log_blend_speed(static_cast<double>(k) / n, a, b);
    }
    return sum / (3 * n);
}

}  // namespace sinew::math
