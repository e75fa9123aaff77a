// SPDX-License-Identifier: MIT
#include "bench/study/blend_rigid.h"

#include "support/blends.h"
#include <gtest/gtest.h>

#include "sinew/math/blend.h"
#include "sinew/math/transform.h"

namespace sinew::math {
namespace {

using test::random_rigids;

std::vector<Rigidd> aligned_with_heaviest(std::span<const double> weights, std::span<const Rigidd> m) {
    return with_signs(m, heaviest_signs(weights, rotations_of(m)));
}

// Skinning T18: a quarter turn about (2,0,0), half way.
TEST(BlendRigid, HalfAQuarterTurnAboutAPoint) {
    const std::vector<Rigidd> m = {Rigidd{}, rotation_about<double>(Vec3d(2, 0, 0), Vec3d::UnitZ(), pi / 2)};
    const std::vector<double> half = {0.5, 0.5};
    const Vec3d v(3, 0, 0);
    EXPECT_LT((blend_spherical(half, m) * v - Vec3d(2.7071068, 0.7071068, 0)).norm(), 1e-7);
    EXPECT_LT((blend_spherical_weighted(half, m) * v - Vec3d(2.7071068, 0.7071068, 0)).norm(), 1e-7);
    const DualQuatd dual = blend_dual_linear(half, dual_quaternions_of(m));
    EXPECT_LT((transform(dual, v) - Vec3d(2.7071068, 0.7071068, 0)).norm(), 1e-7);
    EXPECT_LT((blend_direct(half, m) * v - Vec3d(3.1213203, 1.1213203, 0)).norm(), 1e-7);
    const Screw<double> wrong = to_screw(to_dual_quaternion(blend_direct(half, m)));
    const Screw<double> right = to_screw(to_dual_quaternion(blend_spherical(half, m)));
    EXPECT_LT((wrong.moment - Vec3d(0.7071068, -1.7071068, 0)).norm(), 1e-7);
    EXPECT_LT((right.moment - Vec3d(0, -2, 0)).norm(), 1e-12);
}

// Skinning T20: of two that agree on a point, spherical and dual quaternion blends are the same.
TEST(BlendRigid, SphericalEqualsDualQuaternionsAboutASharedPoint) {
    test::Random random(20);
    double apart = 0;
    for (int n = 0; n < 1000; ++n) {
        const Rigidd first = random.rigid();
        const Vec3d point = random.vector(), axis = random.unit_vector();
        const double t = random.uniform(0.05, 0.95);
        const std::vector<double> w = {1 - t, t};
        std::vector<Rigidd> m = {first,
                                 first * rotation_about<double>(point, axis, random.uniform(0.1, 2.6))};
        m = aligned_with_heaviest(w, m);
        const Rigidd dual = to_rigid(blend_dual_linear(w, dual_quaternions_of(m)));
        EXPECT_LT(test::distance(blend_spherical(w, m), dual), 1e-12);
        m[1].translation += first.rotation * axis;  // a screw: pitch is linear in one, not in the other
        const Rigidd screw = to_rigid(blend_dual_linear(w, dual_quaternions_of(m)));
        apart = std::max(apart, test::distance(blend_spherical(w, m), screw));
    }
    EXPECT_GT(apart, 1e-2);
}

TEST(BlendRigid, FormsOfTheSphericalBlendAgree) {
    test::Random random(21);
    for (int n = 0; n < 500; ++n) {
        const int count = random.integer(1, 6);
        const std::vector<double> w = random.weights(count), uniform(w.size(), 1.0 / count);
        const std::vector<Rigidd> m = aligned_with_heaviest(w, random_rigids(random, count));
        EXPECT_LT(test::distance(blend_spherical(w, m), blend_spherical_svd(w, m)), 1e-8);
        EXPECT_LT(test::distance(blend_spherical(uniform, m), blend_spherical_weighted(uniform, m)), 1e-10);
        EXPECT_LT(test::distance(blend_spherical(w, m), blend_about(w, m, rotation_center({}, m).center)),
                  1e-14);
        // The mean of the rotations instead of their linear blend: near, about the same centre.
        EXPECT_LT(test::distance(blend_spherical(w, m), blend_spherical_mean(w, m)), 0.35);
    }
}

// The fixed centre is right for the joint that two bones share, and wrong elsewhere.
TEST(BlendRigid, FixedCentre) {
    test::Random random(22);
    const Vec3d joint = random.vector();
    const Rigidd parent = random.rigid();
    std::vector<Rigidd> m = {parent, parent * rotation_about<double>(joint, random.unit_vector(), 1.5)};
    const std::vector<double> w = {0.3, 0.7};
    m = aligned_with_heaviest(w, m);
    for (int n = 0; n < 50; ++n) {
        const Vec3d v = random.vector();
        const Vec3d moved = blend_about(w, m, joint) * v;
        EXPECT_NEAR((moved - parent * joint).norm(), (v - joint).norm(), 1e-12);
    }
    EXPECT_GT(test::distance(blend_about(w, m, joint), blend_about(w, m, joint + Vec3d(1, 2, 3))), 0.1);
}

TEST(BlendRigid, LinearIsTheSumInEitherOrder) {
    test::Random random(23);
    const std::vector<Rigidd> m = random_rigids(random, 4);
    const std::vector<double> w = random.weights(4);
    std::vector<Mat4d> matrices;
    for (const Rigidd& x : m) matrices.push_back(x.matrix());
    const Vec3d v = random.vector();
    EXPECT_LT((blend_matrices(w, m) - blend_matrices(w, matrices)).norm(), 1e-15);
    EXPECT_LT((transform_point(blend_matrices(w, m), v) - blend_points(w, m, v)).norm(), 1e-15);
}

TEST(BlendRigid, ClosestRotationIsTheSphericalBlendHalfway) {
    test::Random random(24);
    for (int n = 0; n < 200; ++n) {
        const std::vector<double> half = {0.5, 0.5};
        const std::vector<Rigidd> m = aligned_with_heaviest(half, random_rigids(random, 2));
        EXPECT_LT(test::distance(blend_closest_rotation(half, m), blend_spherical(half, m)), 1e-9);
    }
}

// Skinning T35.
TEST(BlendRigid, HalfTurnsDuplicatesAndZeroWeights) {
    test::Random random(35);
    for (int n = 0; n < 300; ++n) {
        const auto [w, turns] = test::random_half_turns(random);
        const std::vector<Rigidd> m = aligned_with_heaviest(w, turns);
        for (const auto blend : {blend_direct, blend_spherical, blend_spherical_weighted, blend_spherical_svd,
                                 blend_spherical_mean, blend_closest_rotation}) {
            const Rigidd result = blend(w, m);
            ASSERT_TRUE(result.matrix().allFinite());
            ASSERT_NEAR(result.rotation.norm(), 1, 1e-12);
        }
    }
}

}  // namespace
}  // namespace sinew::math
