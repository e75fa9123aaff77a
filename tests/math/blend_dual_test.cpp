// SPDX-License-Identifier: MIT
#include "support/blends.h"
#include <gtest/gtest.h>

#include "sinew/math/blend.h"

namespace sinew::math {
namespace {

using test::about_z;
using test::distance;

constexpr IterationLimits tight{1e-14, 1e-14, 1, 200};

std::vector<DualQuatd> random_motions(test::Random& random, std::span<const double> weights,
                                      double spread = radians(150)) {
    const std::vector<Rigidd> m = test::random_rigids(random, static_cast<int>(weights.size()), spread);
    return dual_quaternions_of(with_signs(m, heaviest_signs(weights, rotations_of(m))));
}

// Skinning T13.
TEST(BlendDual, LinearBlendIsTheScrewHalfway) {
    test::Random random(13);
    for (int n = 0; n < 1000; ++n) {
        const std::vector<double> half = {0.5, 0.5};
        const std::vector<DualQuatd> q = random_motions(random, half);
        EXPECT_LT(distance(blend_dual_linear(half, q), sclerp(0.5, q[0], q[1])), 1e-12);
    }
}

// Skinning T14: after one update.
TEST(BlendDual, IterationOfTwoArrivesAtOnce) {
    test::Random random(14);
    for (int n = 0; n < 1000; ++n) {
        const double t = random.uniform();
        const std::vector<double> w = {1 - t, t};
        const std::vector<DualQuatd> q = random_motions(random, w);
        IterationLimits one;
        one.max_iterations = 1;
        EXPECT_LT(distance(blend_dual_iterative(w, q, one).motion, sclerp(t, q[0], q[1])), 1e-11);
        const IterativeBlend whole = blend_dual_iterative(w, q);
        EXPECT_TRUE(whole.converged);
        EXPECT_LE(whole.iterations, 2);
    }
}

// Skinning T15.
TEST(BlendDual, ThreeTurnsAboutOneAxis) {
    const std::vector<DualQuatd> q = {{about_z(0)}, {about_z(60)}, {about_z(120)}};
    const std::vector<double> w = {0.5, 0.25, 0.25};
    EXPECT_NEAR(degrees(angle_between(blend_dual_iterative(w, q, tight).motion.real, about_z(0))), 45, 1e-9);
    EXPECT_NEAR(degrees(angle_between(blend_dual_linear(w, q).real, about_z(0))), 44.177326, 1e-6);
}

// Skinning T12, the linear blend of it.
TEST(BlendDual, ScrewExample) {
    const Vec3d point(1, 0, 0);
    const DualQuatd q = from_screw(Screw<double>{Vec3d::UnitZ(), point.cross(Vec3d::UnitZ()), pi / 2, 2});
    const std::vector<DualQuatd> pair = {DualQuatd{}, q};
    const Vec3d moved = transform(blend_dual_linear(std::vector{0.75, 0.25}, pair), Vec3d(2, 0, 0));
    EXPECT_LT((moved - Vec3d(1.9297883, 0.3680947, 0.4383064)).norm(), 1e-7);
    const Vec3d even = transform(blend_dual_iterative(std::vector{0.75, 0.25}, pair).motion, Vec3d(2, 0, 0));
    EXPECT_LT((even - Vec3d(1.9238795, 0.3826834, 0.5)).norm(), 1e-7);
}

// Skinning T28: rotation first, then one linear system.
TEST(BlendDual, SplitSolveEqualsTheIteration) {
    test::Random random(28);
    for (int n = 0; n < 1000; ++n) {
        const std::vector<double> w = random.weights(random.integer(1, 6));
        const std::vector<DualQuatd> q = random_motions(random, w);
        const IterativeBlend full = blend_dual_iterative(w, q, tight), split = blend_dual_split(w, q, tight);
        EXPECT_LT(distance(full.motion, split.motion), 1e-11);
    }
}

// sum w log(b* q) = 0 in both parts, and few steps at the usual tolerance.
TEST(BlendDual, BarycentreBalances) {
    test::Random random(29);
    int largest = 0;
    for (int n = 0; n < 500; ++n) {
        const std::vector<double> w = random.weights(4);
        const std::vector<DualQuatd> q = random_motions(random, w, 1.2);
        const IterativeBlend blend = blend_dual_iterative(w, q, tight);
        ASSERT_TRUE(blend.unique);
        DualVector<double> rest;
        for (std::size_t i = 0; i < q.size(); ++i)
            rest = rest + log_shortest(conjugate(blend.motion) * q[i]) * w[i];
        EXPECT_LT(rest.real.norm() + rest.dual.norm(), 1e-12);
        largest = std::max(largest, blend_dual_iterative(w, q).iterations);
    }
    EXPECT_LE(largest, 4) << "as the source saw";
}

TEST(BlendDual, LimitsAreSeparateAndTheCapHolds) {
    test::Random random(30);
    const std::vector<double> w = {0.4, 0.3, 0.3};
    const std::vector<DualQuatd> q = random_motions(random, w);
    IterationLimits limits;
    limits.max_iterations = 1;
    EXPECT_FALSE(blend_dual_iterative(w, q, limits).converged);
    EXPECT_EQ(blend_dual_iterative(w, q, limits).iterations, 1);
    IterationLimits rotation_only;
    rotation_only.translation = 1e9;
    IterationLimits translation_only;
    translation_only.rotation = 1e9;
    IterationLimits both;
    both.rotation = both.translation = 1e-13;
    EXPECT_LT(blend_dual_iterative(w, q, rotation_only).iterations,
              blend_dual_iterative(w, q, both).iterations);
    EXPECT_LT(blend_dual_iterative(w, q, translation_only).iterations,
              blend_dual_iterative(w, q, both).iterations);
    // Pure translations: the rotation part is at rest from the start.
    const std::vector<DualQuatd> slides = {to_dual_quaternion(Rigidd{Quatd::Identity(), Vec3d(1, 0, 0)}),
                                           to_dual_quaternion(Rigidd{Quatd::Identity(), Vec3d(0, 4, 0)})};
    const IterativeBlend mean = blend_dual_iterative(std::vector{0.5, 0.5}, slides);
    EXPECT_TRUE(mean.converged);
    EXPECT_LT((translation(mean.motion) - Vec3d(0.5, 2, 0)).norm(), 1e-14);
}

TEST(BlendDual, RealFactorOfAllInputsDoesNotMatter) {
    test::Random random(31);
    const std::vector<double> w = random.weights(3);
    std::vector<DualQuatd> q = random_motions(random, w), scaled;
    for (const DualQuatd& x : q) scaled.push_back(x * 3.5);
    EXPECT_LT(distance(blend_dual_linear(w, q), blend_dual_linear(w, scaled)), 1e-13);
}

// Skinning T35, and sums that cancel.
TEST(BlendDual, HardInputsStayRigid) {
    test::Random random(35);
    for (int n = 0; n < 300; ++n) {
        const auto [w, m] = test::random_half_turns(random);
        std::vector<DualQuatd> q;
        for (const Rigidd& motion : m) q.push_back(to_dual_quaternion(motion));
        for (const DualQuatd& result :
             {blend_dual_linear(w, q), blend_dual_iterative(w, q).motion, blend_dual_split(w, q).motion,
              successive_sclerp(w, q), blend_screw_parameters(w, q)}) {
            ASSERT_TRUE(result.real.coeffs().allFinite() && result.dual.coeffs().allFinite());
            ASSERT_NEAR(result.real.norm(), 1, 1e-9);
        }
    }
    const std::vector<DualQuatd> cancel = {{about_z(0)}, -DualQuatd{about_z(0)}};
    EXPECT_LT(distance(blend_dual_linear(std::vector{0.5, 0.5}, cancel), DualQuatd{}), 1e-15);
}

}  // namespace
}  // namespace sinew::math
