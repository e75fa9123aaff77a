// SPDX-License-Identifier: MIT
#include "sinew/math/transform.h"

#include "support/random.h"
#include <gtest/gtest.h>

namespace sinew::math {
namespace {

Transform random_transform(test::Random& random, const Vec3d& scale) {
    return {random.vector(5), random.rotation(), scale};
}

TEST(Transform, MatrixScalesThenTurnsThenMoves) {
    const Transform t{Vec3d(10, 0, 0), axis_angle<double>(Vec3d::UnitZ(), pi / 2), Vec3d(2, 3, 4)};
    EXPECT_LT((transform_point(t.matrix(), Vec3d(1, 0, 0)) - Vec3d(10, 2, 0)).norm(), 1e-15);
    EXPECT_LT((transform_point(t.matrix(), Vec3d(0, 1, 0)) - Vec3d(7, 0, 0)).norm(), 1e-15);
}

TEST(Transform, DecomposeGivesBackPositiveScale) {
    test::Random random;
    for (int n = 0; n < 1000; ++n) {
        const Vec3d scale(random.uniform(0.01, 20), random.uniform(0.01, 20), random.uniform(0.01, 20));
        const Transform t = random_transform(random, scale);
        const Decomposition d = decompose(t.matrix());
        EXPECT_LT((d.transform.scale - scale).norm(), 1e-12);
        EXPECT_LT(angle_between(d.transform.rotation, t.rotation), 1e-11);
        EXPECT_EQ(d.transform.translation, t.translation);
        EXPECT_EQ(d.shear, 0);
    }
}

TEST(Transform, DecomposeReproducesReflectionsAndFlatScales) {
    test::Random random;
    for (const Vec3d& scale :
         {Vec3d(-1, 1, 1), Vec3d(1, -2, 3), Vec3d(-1, -1, -1), Vec3d(-2, 3, -4), Vec3d(0, 1, 2),
          Vec3d(1, 0, -1), Vec3d(0, 0, 3), Vec3d(0, 0, 0), Vec3d(1e-7, 1, 1)}) {
        for (int n = 0; n < 50; ++n) {
            const Mat4d m = random_transform(random, scale).matrix();
            const Decomposition d = decompose(m);
            EXPECT_NEAR(d.transform.rotation.norm(), 1, 1e-12);
            EXPECT_LT((d.transform.matrix() - m).norm(), 1e-12) << scale.transpose();
            EXPECT_LT(d.shear, 1e-12) << scale.transpose();
        }
    }
}

TEST(Transform, DecomposeReportsShear) {
    Mat4d m = Mat4d::Identity();
    m(0, 1) = 0.5;
    const Decomposition d = decompose(m);
    EXPECT_GT(d.shear, 0.1);
    // The remainder is what the transform cannot hold: M = R P with P = scale + shear off the diagonal.
    const Mat3d stretch = to_matrix(d.transform.rotation).transpose() * m.topLeftCorner<3, 3>();
    EXPECT_LT((stretch - stretch.transpose()).norm(), 1e-12);
    EXPECT_LT((stretch.diagonal() - d.transform.scale).norm(), 1e-12);
    EXPECT_NEAR(stretch(0, 1), d.shear, 1e-12);
}

TEST(Transform, NearestRotationIsARotationAndTheNearest) {
    test::Random random;
    for (int n = 0; n < 200; ++n) {
        Mat3d m;
        for (int i = 0; i < 9; ++i) m(i / 3, i % 3) = random.normal();
        const Mat3d r = nearest_rotation(m);
        EXPECT_LT((r.transpose() * r - Mat3d::Identity()).norm(), 1e-12);
        EXPECT_GT(r.determinant(), 0);
        for (int k = 0; k < 20; ++k) {
            const Mat3d other = to_matrix(Quatd(from_matrix(r) * random.rotation(0.2)));
            EXPECT_LE((m - r).norm(), (m - other).norm() + 1e-12);
        }
    }
}

TEST(Transform, IsRigidAndInverse) {
    test::Random random;
    for (int n = 0; n < 200; ++n) {
        const Transform t = random_transform(random, Vec3d::Ones());
        EXPECT_TRUE(is_rigid(t.matrix(), 1e-12));
        EXPECT_LT((inverse_affine(t.matrix()) * t.matrix() - Mat4d::Identity()).norm(), 1e-12);
        const Transform scaled = random_transform(random, Vec3d(1, 1.1, 1));
        EXPECT_FALSE(is_rigid(scaled.matrix()));
        EXPECT_LT((inverse_affine(scaled.matrix()) * scaled.matrix() - Mat4d::Identity()).norm(), 1e-12);
    }
    EXPECT_FALSE(is_rigid(Transform{{}, Quatd::Identity(), Vec3d(-1, 1, 1)}.matrix()));
}

}  // namespace
}  // namespace sinew::math
