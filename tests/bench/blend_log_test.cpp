// SPDX-License-Identifier: MIT
#include "bench/study/blend_rigid.h"
#include "support/blends.h"
#include <gtest/gtest.h>

#include "sinew/math/blend.h"

namespace sinew::math {
namespace {

using test::about_z;

TEST(RigidLog, ExpUndoesLogAtEveryAngle) {
    test::Random random;
    for (const double angle : {0.0, 1e-9, 1e-5, 1e-3, 0.0099, 0.0101, 0.5, 2.0, 3.0, pi - 1e-6}) {
        for (int n = 0; n < 50; ++n) {
            const Rigidd m{axis_angle(random.unit_vector(), angle), random.vector()};
            const Twist l = log(m);
            EXPECT_LT(test::distance(exp(l), m), 1e-12) << angle;
            EXPECT_LT(
                (translation_factor(l.rotation) * translation_factor_inverse(l.rotation) - Mat3d::Identity())
                    .norm(),
                1e-12)
                << angle;
            // Twice the logarithm of the dual quaternion.
            const DualVector<double> half = log_shortest(to_dual_quaternion(m));
            EXPECT_LT((l.rotation - 2 * half.real).norm(), 1e-12);
            EXPECT_LT((l.translation - 2 * half.dual).norm(), 1e-9);
        }
    }
}

// V is the integral of the rotation: the translation of exp is the sum of small steps.
TEST(RigidLog, TranslationFactorIsTheIntegral) {
    const Vec3d w(0.4, -1.1, 0.7);
    Mat3d sum = Mat3d::Zero();
    const int steps = 2000;
    for (int k = 0; k < steps; ++k)
        sum += to_matrix(from_rotation_vector<double>((k + 0.5) / steps * w)) / steps;
    EXPECT_LT((sum - translation_factor(w)).norm(), 1e-6);
}

TEST(BlendLog, IsOneStepOfTheIterationFromTheIdentity) {
    test::Random random(2);
    for (int n = 0; n < 300; ++n) {
        const std::vector<double> w = random.weights(4);
        const std::vector<Rigidd> m = test::random_rigids(random, 4);
        DualVector<double> step;
        for (std::size_t i = 0; i < 4; ++i) step = step + log_shortest(to_dual_quaternion(m[i])) * w[i];
        EXPECT_LT(test::distance(blend_logs(w, dual_quaternions_of(m)).motion, exp(step)), 1e-13);
        Twist sum;
        for (std::size_t i = 0; i < 4; ++i) {
            const Twist l = log(m[i]);
            sum.rotation += w[i] * l.rotation;
            sum.translation += w[i] * l.translation;
        }
        EXPECT_LT(test::distance(to_rigid(blend_logs(w, dual_quaternions_of(m)).motion), exp(sum)), 1e-10);
    }
}

// Skinning T17: a move of the whole character changes the blend.
TEST(BlendLog, DependsOnThePlaceInTheWorld) {
    const Rigidd move{Quatd::Identity(), Vec3d(10, 0, 0)};
    const std::vector<double> half = {0.5, 0.5};
    for (const auto& [angle, expected] : {std::pair(90.0, Vec3d(9.5015816, -0.2064517, 0)),
                                          std::pair(170.0, Vec3d(8.3575148, -1.5050604, 0))}) {
        const std::vector<Rigidd> m = {move, move * Rigidd{about_z(angle), Vec3d::Zero()}};
        const auto q = dual_quaternions_of(m);
        EXPECT_LT((translation(blend_logs(half, q).motion) - expected).norm(), 1e-7);
        EXPECT_LT((translation(blend_dual_linear(half, q)) - Vec3d(10, 0, 0)).norm(), 1e-12);
    }
}

TEST(BlendLog, HalfTurnsTakeOneAxisAndAreCounted) {
    test::Random random(3);
    for (int n = 0; n < 100; ++n) {
        const Vec3d axis = random.unit_vector();
        const DualQuatd q =
            to_dual_quaternion(Rigidd{Quatd(0, axis.x(), axis.y(), axis.z()), random.vector()});
        const UniqueLog a = log_unique(q), b = log_unique(-q);
        EXPECT_TRUE(a.half_turn);
        EXPECT_LT((a.value.real - b.value.real).norm(), 1e-12);
        EXPECT_GT(a.value.real.x(), 0);
        EXPECT_LT(test::distance(exp(a.value), q), 1e-12);
    }
    EXPECT_GT(log_unique({Quatd(0, 0, -1, 0)}).value.real.y(), 0);
    EXPECT_GT(log_unique({Quatd(0, 0, 0, -1)}).value.real.z(), 0);
    EXPECT_FALSE(log_unique({about_z(179.9)}).half_turn);
    const std::vector<DualQuatd> two = {{about_z(180)}, {about_z(10)}};
    EXPECT_EQ(blend_logs(std::vector{0.5, 0.5}, two).half_turns, 1);
}

TEST(BlendLog, HybridFadesBetweenLinearAndLog) {
    const std::vector<double> w = {0.5, 0.5};
    const auto at = [](double angle) {
        return std::vector<Rigidd>{{Quatd::Identity(), Vec3d(1, 0, 0)}, {about_z(angle), Vec3d(0, 1, 0)}};
    };
    const auto logs = [&](double angle) {
        return to_rigid(blend_logs(w, dual_quaternions_of(at(angle))).motion).matrix();
    };
    EXPECT_LT((blend_hybrid(w, at(29)) - blend_matrices(w, at(29))).norm(), 1e-15);
    EXPECT_LT((blend_hybrid(w, at(61)) - logs(61)).norm(), 1e-15);
    EXPECT_LT((blend_hybrid(w, at(45)) - 0.5 * (blend_matrices(w, at(45)) + logs(45))).norm(), 1e-12);
    EXPECT_LT((blend_hybrid(w, at(30.01)) - blend_hybrid(w, at(29.99))).norm(), 1e-3)
        << "no jump at the ends";
    EXPECT_LT((blend_hybrid(w, at(60.01)) - blend_hybrid(w, at(59.99))).norm(), 1e-3);
}

}  // namespace
}  // namespace sinew::math
