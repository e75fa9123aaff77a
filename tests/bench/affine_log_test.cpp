// SPDX-License-Identifier: MIT
#include "bench/study/affine_log.h"

#include "support/blends.h"
#include <gtest/gtest.h>
#include <unsupported/Eigen/MatrixFunctions>

#include "sinew/base/error.h"
#include "sinew/math/blend.h"

namespace sinew::math {
namespace {

/// Rotation, stretch along any axes, translation.
Mat4d random_affine(test::Random& random, double angle = 2.8) {
    Mat4d m = Mat4d::Identity();
    const Mat3d axes = to_matrix(random.rotation());
    const Vec3d scale(random.uniform(0.4, 2), random.uniform(0.4, 2), random.uniform(0.4, 2));
    m.topLeftCorner<3, 3>() =
        to_matrix(random.rotation(angle)) * axes * scale.asDiagonal() * axes.transpose();
    m.topRightCorner<3, 1>() = random.vector(3);
    return m;
}

TEST(AffineLog, AgreesWithEigen) {
    test::Random random;
    for (int n = 0; n < 200; ++n) {
        const Mat4d m = random_affine(random);
        const Mat4d l = log_affine(m);
        EXPECT_LT((l - Mat4d(m.log())).norm(), 1e-10);
        EXPECT_LT((exp_affine(l) - Mat4d(l.exp())).norm(), 1e-11);
        EXPECT_LT((exp_affine(l) - m).norm(), 1e-10);
    }
}

TEST(AffineLog, RigidMatricesHaveTheClosedForm) {
    test::Random random(2);
    for (int n = 0; n < 200; ++n) {
        const Rigidd m{random.rotation(3), random.vector(100)};
        const Twist l = log(m);
        const Mat4d general = log_affine(m.matrix());
        EXPECT_LT((general.topLeftCorner<3, 3>() - cross_matrix(l.rotation)).norm(), 1e-10);
        EXPECT_LT((general.topRightCorner<3, 1>() - l.translation).norm(), 1e-8);
    }
    EXPECT_EQ(log_affine(Mat4d::Identity()).norm(), 0);
}

TEST(AffineLog, BlendOfRigidMatricesIsTheRigidBlendAndOfScalesTheGeometricMean) {
    test::Random random(3);
    for (int n = 0; n < 100; ++n) {
        const std::vector<double> w = random.weights(3);
        const std::vector<Rigidd> m = test::random_rigids(random, 3, radians(100));
        std::vector<Mat4d> matrices;
        bool far = false;
        for (const Rigidd& x : m) {
            matrices.push_back(x.matrix());
            far = far || angle_between(x.rotation, Quatd(Quatd::Identity())) > 3;
        }
        if (far) continue;  // too near a half turn for the general logarithm
        const Mat4d rigid = to_rigid(blend_logs(w, dual_quaternions_of(m)).motion).matrix();
        EXPECT_LT((blend_affine_logs(w, matrices) - rigid).norm(), 1e-9);
    }
    std::vector<Mat4d> scales = {Mat4d::Identity(), Mat4d::Identity()};
    scales[1](0, 0) = 4;
    EXPECT_NEAR(blend_affine_logs(std::vector{0.5, 0.5}, scales)(0, 0), 2, 1e-12);
}

TEST(AffineLog, RefusesWhatHasNoLogarithm) {
    Mat4d mirror = Mat4d::Identity();
    mirror(0, 0) = -1;
    EXPECT_THROW(log_affine(mirror), Error);
    Mat4d flat = Mat4d::Identity();
    flat(1, 1) = 0;
    EXPECT_THROW(log_affine(flat), Error);
    EXPECT_THROW(log_affine(Rigidd{test::about_z(180), Vec3d(1, 2, 3)}.matrix()), Error);
    EXPECT_NO_THROW(log_affine(Rigidd{test::about_z(179), Vec3d(1, 2, 3)}.matrix()));
}

}  // namespace
}  // namespace sinew::math
