// SPDX-License-Identifier: MIT
#include "sinew/math/planar.h"

#include <vector>

#include "support/random.h"
#include <gtest/gtest.h>

namespace sinew::math {
namespace {

TEST(Planar, VerticalLinesCross) {
    const auto crossing = cross_lines({0, 0}, {0, 2}, {-3, 1}, {1, 0});
    ASSERT_TRUE(crossing);
    EXPECT_NEAR(crossing->t1, 0.5, 1e-15);
    EXPECT_NEAR(crossing->t2, 3, 1e-15);
    EXPECT_FALSE(cross_lines({0, 0}, {1, 1}, {5, 0}, {-2, -2}));
}

TEST(Planar, LinesMeetWhereBothSay) {
    test::Random random;
    for (int n = 0; n < 200; ++n) {
        const Vec3d a = random.vector(), b = random.vector(), c = random.vector(), d = random.vector();
        const auto crossing = cross_lines(a.head<2>(), b.head<2>(), c.head<2>(), d.head<2>());
        ASSERT_TRUE(crossing);
        const Vec2d first = a.head<2>() + crossing->t1 * b.head<2>();
        const Vec2d second = c.head<2>() + crossing->t2 * d.head<2>();
        EXPECT_LT((first - second).norm(), 1e-9 * (1 + first.norm()));
    }
}

TEST(Planar, CircleThroughThreePoints) {
    test::Random random;
    for (int n = 0; n < 100; ++n) {
        const Vec3d centre = random.vector(), axis = random.unit_vector();
        const Quatd rotation = Quatd::FromTwoVectors(Vec3d::UnitZ(), axis);
        const auto at = [&](double angle) {
            return Vec3d(centre + rotation * Vec3d(2 * std::cos(angle), 2 * std::sin(angle), 0));
        };
        const auto circle = circle_through(at(0.2), at(1.4), at(3.1));
        ASSERT_TRUE(circle);
        EXPECT_LT((circle->centre - centre).norm(), 1e-12);
        EXPECT_NEAR(circle->radius, 2, 1e-12);
        EXPECT_LT((circle->at(1.2) - at(1.4)).norm(), 1e-12);
    }
    EXPECT_FALSE(circle_through({0, 0, 0}, {1, 1, 1}, {2, 2, 2}));
}

TEST(Planar, PrincipalFrameAndPlaneOfPoints) {
    test::Random random;
    const Quatd rotation = random.rotation();
    const Vec3d position = random.vector();
    std::vector<Vec3d> points;
    for (const double x : {-3.0, 3.0})
        for (const double y : {-2.0, 2.0})
            for (const double z : {-1.0, 1.0}) points.push_back(position + rotation * Vec3d(x, y, z));
    const PrincipalFrame frame = principal_frame(points);
    EXPECT_LT((frame.mean - position).norm(), 1e-14);
    EXPECT_LT((frame.variances - Vec3d(9, 4, 1)).norm(), 1e-12);
    EXPECT_NEAR(frame.axes.determinant(), 1, 1e-12);
    EXPECT_NEAR(std::abs(frame.axes.col(0).dot(rotation * Vec3d::UnitX())), 1, 1e-12);
    const Plane plane = fit_plane(points);
    EXPECT_NEAR(std::abs(plane.distance(points[0])), 1, 1e-12);
    EXPECT_NEAR(plane.distance(plane.project(points[0])), 0, 1e-14);
}

}  // namespace
}  // namespace sinew::math
