// SPDX-License-Identifier: MIT
#include "bench/study/blend_curves.h"

#include <array>

#include "support/blends.h"
#include <gtest/gtest.h>

#include "sinew/math/blend.h"

namespace sinew::math {
namespace {

// Skinning T9, T10: the worst cases of the linear blends.
TEST(BlendCurves, WorstCases) {
    EXPECT_NEAR(std::abs(linear_blend_angle(0.238638, pi) - 0.238638 * pi), 0.1422293, 1e-6);
    EXPECT_NEAR(std::abs(linear_blend_pitch(0.257066, pi) - 0.257066), 0.1501416, 1e-6);
    EXPECT_NEAR(degrees(max_deviation(angle_curve(pi, 20001))), 8.14914, 1e-5);
    EXPECT_NEAR(100 * max_deviation(pitch_curve(pi, 1, 20001)), 15.01416, 1e-5);
}

// Skinning T11: the table of the bounds.
TEST(BlendCurves, TableOfDeviations) {
    const std::array<double, 6> angles = {30, 60, 90, 120, 150, 180};
    const std::array<double, 6> degree_errors = {0.03309, 0.26748, 0.91882, 2.23397, 4.51401, 8.14914};
    const std::array<double, 6> pitch_errors = {0.003317, 0.013499, 0.031293, 0.058108, 0.096356, 0.150142};
    for (std::size_t i = 0; i < angles.size(); ++i) {
        EXPECT_NEAR(degrees(max_deviation(angle_curve(radians(angles[i]), 4001))), degree_errors[i], 1e-5);
        EXPECT_NEAR(max_deviation(pitch_curve(radians(angles[i]), 1, 4001)), pitch_errors[i], 1e-6);
        EXPECT_NEAR(max_deviation(pitch_curve(radians(angles[i]), -3, 4001)), 3 * pitch_errors[i], 3e-6);
    }
}

TEST(BlendCurves, NoSampleLeavesTheBounds) {
    for (double angle = 0.01; angle <= pi; angle += 0.01) {
        EXPECT_LT(max_deviation(angle_curve(angle)), 0.14223);
        EXPECT_LT(max_deviation(pitch_curve(angle)), 0.15015);
    }
}

// The curves are those of the blends, and the closed forms describe them.
TEST(BlendCurves, ClosedFormsDescribeTheBlends) {
    for (const double angle : {0.3, 1.7, 3.0}) {
        for (const CurvePoint& p : angle_curve(angle, 51)) {
            EXPECT_NEAR(p.value, linear_blend_angle(p.t, angle), 1e-12);
            EXPECT_NEAR(p.reference, p.t * angle, 1e-12);
        }
        for (const CurvePoint& p : pitch_curve(angle, 2.5, 51)) {
            EXPECT_NEAR(p.value, 2.5 * linear_blend_pitch(p.t, angle), 1e-12);
            EXPECT_NEAR(p.reference, 2.5 * p.t, 1e-12);
        }
    }
}

// Skinning T16: 1 rad about x to sqrt 2 rad about (1,1,0).
TEST(BlendCurves, LogSpeedOfTheSourcesExample) {
    const Vec3d a(1, 0, 0), b(1, 1, 0);
    const Curve curve = log_speed_curve(a, b, 3);
    const std::array<double, 3> expected = {0.9588511, 0.9591989, 0.9602230};
    for (std::size_t k = 0; k < 3; ++k) {
        const double t = curve[k].t, s = t * t;
        EXPECT_NEAR(curve[k].value, expected[k], 1e-6);
        EXPECT_NEAR(log_blend_speed(t, a, b), expected[k], 1e-7);
        EXPECT_NEAR(log_blend_speed(t, a, b),
                    std::sqrt(s * s + s + 2 - 2 * std::cos(std::sqrt(1 + s))) / (1 + s), 1e-14);
    }
    EXPECT_NEAR(log_blend_length(a, b), 0.959312, 1e-6);
    EXPECT_NEAR(curve[0].reference, 0.958211, 1e-6);
}

// Skinning T16: R^-1 R' of the implemented blend is antisymmetric, and its length the speed.
TEST(BlendCurves, AngularVelocityOfTheLogBlend) {
    const Vec3d a(1, 0, 0), b(1, 1, 0);
    const auto rotation = [&](double t) {
        const std::array weights = {1 - t, t};
        const std::array motions = {DualQuatd{from_rotation_vector(a)}, DualQuatd{from_rotation_vector(b)}};
        return to_matrix(blend_logs(weights, motions).motion.real);
    };
    for (const double t : {0.1, 0.5, 0.9}) {
        const Mat3d derivative = (rotation(t + 1e-5) - rotation(t - 1e-5)) / 2e-5;
        const Mat3d velocity = rotation(t).transpose() * derivative;
        EXPECT_LT((velocity + velocity.transpose()).norm(), 1e-9);
        const Vec3d w(velocity(2, 1), velocity(0, 2), velocity(1, 0));
        EXPECT_NEAR(w.norm(), log_blend_speed(t, a, b), 1e-6);
    }
}

// In general: the speed stays within [2/pi, 1] of |a'| for angles up to half a turn.
TEST(BlendCurves, LogSpeedIsBounded) {
    test::Random random;
    for (int n = 0; n < 300; ++n) {
        const Vec3d a = random.uniform(0.1, pi) * random.unit_vector(),
                    b = random.uniform(0.1, pi) * random.unit_vector();
        const double speed = (b - a).norm();
        for (const CurvePoint& p : log_speed_curve(a, b, 7)) {
            if (p.t == 0 || p.t == 1) continue;  // differences reach over the ends, beyond half a turn
            EXPECT_NEAR(p.value, log_blend_speed(p.t, a, b), 1e-6 * speed);
            EXPECT_LE(p.value, speed * (1 + 1e-6));
            EXPECT_GE(p.value, speed * 2 / pi * (1 - 1e-6));
        }
        EXPECT_GE(log_blend_length(a, b),
                  angle_between(from_rotation_vector(a), from_rotation_vector(b)) - 1e-9);
    }
}

}  // namespace
}  // namespace sinew::math
