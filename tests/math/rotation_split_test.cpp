// SPDX-License-Identifier: MIT
#include "support/random.h"
#include <gtest/gtest.h>

#include "sinew/math/quaternion.h"

namespace sinew::math {
namespace rotation_split_test {

double distance(const Quatd& a, const Quatd& b) {
    return (a.coeffs() - b.coeffs()).norm();
}

TEST(RotationSplit, HalfOfAHundredDegreesIsFifty) {
    const Vec3d axis = Vec3d(1, 2, -2) / 3;
    const Quatd root = square_root(axis_angle<double>(axis, radians(100)));
    EXPECT_LT(distance(root, axis_angle<double>(axis, radians(50))), 1e-15);
}

TEST(RotationSplit, SquareOfTheRootIsTheRotation) {
    test::Random random;
    for (int n = 0; n < 1000; ++n) {
        const double size = random.uniform(0.1, 4);
        Quatd q = random.rotation();
        q.coeffs() *= size;
        const Quatd literal = square_root(q, RootPath::literal), shorter = square_root(q);
        EXPECT_LT(distance(literal * literal, q), 1e-14 * size);
        EXPECT_LT(distance(shorter * shorter, aligned(q, Quatd(1, 0, 0, 0))), 1e-14 * size);
        EXPECT_GE(shorter.w() * std::sqrt(2.0), std::sqrt(size) - 1e-12);  // no more than a quarter turn
    }
}

TEST(RotationSplit, LongWayHasAnAxisEvenAtAFullTurn) {
    const Quatd half = square_root(Quatd(-1, 0, 0, 0), RootPath::literal);
    EXPECT_LT(distance(half * half, Quatd(-1, 0, 0, 0)), 1e-15);
    const Quatd nearly(-1, 0, 1e-9, 0);
    const Quatd root = square_root(nearly, RootPath::literal);
    EXPECT_NEAR(root.y(), 1, 1e-15);
}

TEST(RotationSplit, SubdivisionHasEqualSteps) {
    const Quatd q = axis_angle<double>(Vec3d::UnitY(), 2.4);
    const std::vector<Quatd> steps = subdivide_rotation(q, 3);
    ASSERT_EQ(steps.size(), 9u);
    for (std::size_t i = 0; i < steps.size(); ++i)
        EXPECT_LT(distance(steps[i], axis_angle<double>(Vec3d::UnitY(), 0.3 * static_cast<double>(i))),
                  1e-14);
    const std::vector<Quatd> long_way = subdivide_rotation(negated(q), 1, RootPath::literal);
    EXPECT_LT(distance(long_way.back(), negated(q)), 1e-14);
    EXPECT_GT(angle_between(long_way[0], long_way[1]), pi / 2);
}

TEST(RotationSplit, TwoRollsTakeEveryVectorToZ) {
    test::Random random;
    std::vector<Vec3d> vectors = {Vec3d::UnitX(),  -Vec3d::UnitX(), Vec3d::UnitZ(),
                                  -Vec3d::UnitZ(), Vec3d::UnitY(),  -Vec3d::UnitY()};
    for (int n = 0; n < 10000; ++n) vectors.push_back(random.vector(5));
    for (const Vec3d& v : vectors)
        EXPECT_LT((align_to_z(v) * v.normalized() - Vec3d::UnitZ()).norm(), 1e-12) << v.transpose();
    // The first roll is about x, the second about y: what points along x stays in the plane of x and z.
    EXPECT_NEAR((align_to_z(Vec3d(0.3, 0.5, 0.7)) * Vec3d::UnitX()).y(), 0, 1e-15);
    EXPECT_EQ(distance(align_to_z(Vec3d::Zero()), Quatd::Identity()), 0);
}

}  // namespace rotation_split_test
}  // namespace sinew::math
