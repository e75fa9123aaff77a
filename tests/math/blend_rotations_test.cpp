// SPDX-License-Identifier: MIT
#include "support/blends.h"
#include <gtest/gtest.h>

#include "sinew/math/blend.h"

namespace sinew::math {
namespace {

using test::about_z;

// Skinning T15.
TEST(BlendRotations, ThreeTurnsAboutOneAxis) {
    const std::vector<Quatd> q = {about_z(0), about_z(60), about_z(120)};
    const std::vector<double> w = {0.5, 0.25, 0.25};
    const SphericalMean mean = spherical_mean(w, q, 1e-12);
    EXPECT_TRUE(mean.converged);
    EXPECT_TRUE(mean.unique);
    EXPECT_NEAR(degrees(angle_between(mean.rotation, about_z(0))), 45, 1e-9);
    EXPECT_NEAR(degrees(angle_between(blend_linear<double>(w, q), about_z(0))), 44.177326, 1e-6);
}

TEST(BlendRotations, SphericalMeanOfTwoIsSlerp) {
    test::Random random;
    for (int n = 0; n < 500; ++n) {
        const Quatd a = random.rotation(), b = aligned(Quatd(random.rotation()), a);
        const double t = random.uniform();
        const SphericalMean mean = spherical_mean(std::vector{1 - t, t}, std::vector{a, b});
        EXPECT_LT(angle_between(mean.rotation, slerp(t, a, b)), 1e-9);
        EXPECT_LE(mean.iterations, 2) << "the first step arrives, the second sees it";
    }
}

TEST(BlendRotations, SphericalMeanBalancesItsInputs) {
    test::Random random(2);
    for (int n = 0; n < 300; ++n) {
        const int count = random.integer(1, 6);
        const std::vector<double> w = random.weights(count);
        std::vector<Quatd> q;
        const Quatd middle = random.rotation();
        for (int i = 0; i < count; ++i) q.push_back(middle * random.rotation(1.2));
        const SphericalMean mean = spherical_mean(w, q, 1e-12, 100);
        ASSERT_TRUE(mean.converged);
        Vec3d rest = Vec3d::Zero();
        for (std::size_t i = 0; i < q.size(); ++i)
            rest += w[i] * rotation_vector(Quatd(mean.rotation.conjugate() * q[i]));
        EXPECT_LT(rest.norm(), 1e-11);
        EXPECT_LE(spherical_mean(w, q).iterations, 8);
    }
}

TEST(BlendRotations, SpreadBeyondAQuarterTurnIsNotGuaranteed) {
    const std::vector<Quatd> q = {about_z(-100), about_z(100)};
    const SphericalMean mean = spherical_mean(std::vector{0.5, 0.5}, q);
    EXPECT_TRUE(mean.rotation.coeffs().allFinite());
    EXPECT_TRUE(spherical_mean(std::vector{0.5, 0.5}, std::vector{about_z(-80), about_z(80)}).unique);
    const std::vector<Quatd> wide = {about_z(0), about_z(120), about_z(-120)};
    EXPECT_FALSE(spherical_mean(std::vector{0.4, 0.3, 0.3}, wide).unique);
}

TEST(BlendRotations, ClosestRotationNeedsNoSignsAndIsTheMiddleOfTwo) {
    test::Random random(3);
    for (int n = 0; n < 200; ++n) {
        const Quatd a = random.rotation(), b = a * random.rotation(2.5);
        const Quatd half = closest_rotation(std::vector{0.5, 0.5}, std::vector{a, negated(b)});
        EXPECT_LT(angle_between(half, slerp(0.5, a, b)), 1e-9);
    }
}

TEST(BlendRotations, AxisAndAngleApart) {
    // The source's own example: the mean of 40 degrees one way and the other is none.
    EXPECT_LT(angle_between(blend_axis_angle(0.5, about_z(40), about_z(-40)), about_z(0)), 1e-12);
    EXPECT_LT(angle_between(blend_axis_angle(0.25, about_z(20), about_z(100)), about_z(40)), 1e-12);
    EXPECT_LT(angle_between(blend_axis_angle(0.3, about_z(0), about_z(50)), about_z(15)), 1e-12);
    // Quarter turns about x and z: halfway a quarter turn about their middle, where slerp turns by 70.5
    // degrees.
    const Quatd x = axis_angle<double>(Vec3d::UnitX(), pi / 2), z = about_z(90);
    const Quatd half = blend_axis_angle(0.5, x, z);
    EXPECT_LT(angle_between(half, axis_angle<double>(Vec3d(1, 0, 1).normalized(), pi / 2)), 1e-12);
    EXPECT_NEAR(degrees(angle_between(slerp(0.5, x, z), about_z(0))), 70.528779, 1e-6);
}

TEST(BlendRotations, AxisAndAngleEndWhereTheyShould) {
    test::Random random(9);
    for (int n = 0; n < 200; ++n) {
        const Quatd a = random.rotation(), b = random.rotation();
        EXPECT_LT(angle_between(blend_axis_angle(0, a, b), a), 1e-9);
        EXPECT_LT(angle_between(blend_axis_angle(1, a, b), b), 1e-9);
        EXPECT_LT(angle_between(blend_axis_angle(0.3, a, b), blend_axis_angle(0.7, b, a)), 1e-9);
        EXPECT_LT(angle_between(blend_axis_angle(0.3, a, b), blend_axis_angle(0.3, negated(a), b)), 1e-9);
    }
}

TEST(BlendRotations, LargestAngle) {
    EXPECT_EQ(largest_angle(std::vector{about_z(3)}), 0);
    EXPECT_NEAR(largest_angle(std::vector{about_z(3), about_z(50), negated(about_z(20))}), radians(47),
                1e-12);
}

}  // namespace
}  // namespace sinew::math
