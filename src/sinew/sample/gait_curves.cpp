#include "sinew/sample/bodies/man.h"

#include <array>
#include <cmath>

#include "sinew/math/types.h"

namespace sinew::sample {
namespace {

using Curve = std::array<double, 20>;  // at 0, 5, ..., 95 % of the cycle

constexpr Curve hip{25,  24,  21.5, 17, 12, 7,  1.5, -4, -9.5, -14.5,
                    -18, -17, -11,  0,  11, 19, 25,  28, 28.5, 27};
constexpr Curve knee{5, 11, 17, 19, 17.5, 14, 10.5, 7.5, 6, 8, 13.5, 23, 36.5, 50, 59, 60.5, 54, 41, 24, 9};
constexpr Curve ankle{0, -5, -3.5, 0, 3, 5, 6.5, 8, 9.5, 10, 7, -1, -12, -17, -11.5, -4.5, 0, 2, 2, 1};

/// Periodic cubic through the table (Catmull and Rom 1974).
double at(const Curve& curve, double phase) {
    const double x = (phase - std::floor(phase)) * static_cast<double>(curve.size());
    const std::size_t n = curve.size(), i = static_cast<std::size_t>(x) % n;
    const double t = x - std::floor(x);
    const double a = curve[(i + n - 1) % n], b = curve[i], c = curve[(i + 1) % n], d = curve[(i + 2) % n];
    return b + 0.5 * t * (c - a + t * (2 * a - 5 * b + 4 * c - d + t * (3 * (b - c) + d - a)));
}

}  // namespace

GaitAngles gait_angles(double phase) {
    const auto wave = [&](double shift) { return std::cos(2 * math::pi * (phase - shift)); };
    GaitAngles angles;
    angles.hip_flexion = at(hip, phase);
    angles.knee_flexion = at(knee, phase);
    angles.ankle_dorsiflexion = at(ankle, phase);
    // The arm is furthest back just after its own side's heel contact and bends as it comes forward.
    angles.shoulder_flexion = -3 - 19 * wave(0.02);
    angles.elbow_flexion = 24 - 12 * wave(0.07);
    angles.pelvis_forward = 4.5 * wave(0.0);
    angles.pelvis_up = 3.5 * wave(0.15);
    angles.thorax_forward = -3.5 * wave(0.02);
    return angles;
}

}  // namespace sinew::sample
