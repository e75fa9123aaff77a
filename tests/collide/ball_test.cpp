#include <cmath>

#include "support/random.h"
#include <gtest/gtest.h>

#include "sinew/collide/miniball.h"

namespace sinew::collide {
namespace {

using test::Random;

TEST(Ball, ConvexCombinationIsABall) {
    const Ball balls[]{{Vec3d(0, 0, 0), 1}, {Vec3d(4, 0, 0), 3}};
    const double weights[]{0.25, 0.75};
    const Ball sum = combination(weights, balls);
    EXPECT_NEAR((sum.center - Vec3d(3, 0, 0)).norm(), 0, 1e-14);
    EXPECT_NEAR(sum.radius, 2.5, 1e-14);
    Random random(1);
    for (int i = 0; i < 200; ++i) {
        const Vec3d x = balls[0].center + random.uniform() * balls[0].radius * random.unit_vector();
        const Vec3d y = balls[1].center + random.uniform() * balls[1].radius * random.unit_vector();
        ASSERT_LE((0.25 * x + 0.75 * y - sum.center).norm(), sum.radius + 1e-14);
        // Every point is reached: both take the same share of their radius.
        const Vec3d offset = random.uniform() * random.unit_vector();
        const Vec3d reached = 0.25 * (balls[0].center + 1 * offset) + 0.75 * (balls[1].center + 3 * offset);
        ASSERT_NEAR((reached - (sum.center + 2.5 * offset)).norm(), 0, 1e-14);
    }
}

TEST(Ball, OfBallsContainsThem) {
    const Ball points[]{{Vec3d(-1, 0, 0), 0}, {Vec3d(1, 0, 0), 0}};
    const Ball both = ball_of_balls(points);
    EXPECT_NEAR(both.center.norm(), 0, 1e-15);
    EXPECT_NEAR(both.radius, 1, 1e-14);
    const Ball one[]{{Vec3d(1, 2, 3), 4}};
    EXPECT_EQ(ball_of_balls(one).center, one[0].center);
    EXPECT_EQ(ball_of_balls(one).radius, 4);
    Random random(2);
    for (int i = 0; i < 300; ++i) {
        std::vector<Ball> balls(static_cast<std::size_t>(random.integer(1, 9)));
        for (Ball& ball : balls) ball = {random.vector(3), random.uniform(0, 2)};
        const Ball mean = ball_of_balls(balls, Centering::mean), smaller = ball_of_balls(balls);
        ASSERT_LE(smaller.radius, mean.radius);
        for (const Ball& ball : balls) {
            ASSERT_LE((ball.center - smaller.center).norm() + ball.radius, smaller.radius);
            ASSERT_LE((ball.center - mean.center).norm() + ball.radius, mean.radius);
        }
    }
}

TEST(Ball, UnboundedAndNotANumberAreNeverDisjoint) {
    const Ball far{Vec3d(1e9, 0, 0), 1}, near{Vec3d::Zero(), 1};
    EXPECT_TRUE(disjoint(far, near));
    EXPECT_FALSE(disjoint(far, unbounded()));
    EXPECT_FALSE(disjoint(far, {Vec3d::Constant(std::nan("")), 1}));
    EXPECT_FALSE(disjoint(far, {Vec3d::Zero(), std::nan("")}));
    const Ball list[]{near, unbounded()};
    EXPECT_FALSE(ball_of_balls(list).bounded());
    EXPECT_FALSE(disjoint(far, ball_of_balls(list)));
}

TEST(Ball, TouchingIsNeverDisjoint) {
    EXPECT_FALSE(disjoint({Vec3d(0, 0, 0), 1}, {Vec3d(3, 0, 0), 2}));
    EXPECT_FALSE(disjoint({Vec3d(0, 0, 0), 0.25}, {Vec3d(0.75, 0, 1), 1}));
    EXPECT_TRUE(disjoint({Vec3d(0, 0, 0), 1}, {Vec3d(3.0001, 0, 0), 2}));
    EXPECT_FALSE(disjoint({Vec3d(0, 0, 0), 1}, {Vec3d(3.1, 0, 0), 2}, 0.1));
    EXPECT_FALSE(disjoint({Vec3d(7, 7, 7), 0}, {Vec3d(7, 7, 7), 0}));
}

TEST(Ball, StoredBallContainsTheExactOne) {
    Random random(3);
    for (int i = 0; i < 1000; ++i) {
        const Ball exact{random.vector(100), random.uniform(0, 1)};
        const Ball wide = stored(exact).widen();
        ASSERT_LE((wide.center - exact.center).norm() + exact.radius, wide.radius);
    }
    EXPECT_FALSE(stored(unbounded()).widen().bounded());
    EXPECT_FALSE(stored({Vec3d::Constant(1e300), 1}).widen().bounded());
}

TEST(Miniball, KnownBalls) {
    const double h = std::sqrt(3.0) / 2;
    std::vector<Vec3d> triangle{{0, 0, 0}, {1, 0, 0}, {0.5, h, 0}};
    EXPECT_NEAR(smallest_ball(triangle).radius, 1 / std::sqrt(3.0), 1e-12);
    std::vector<Vec3d> obtuse{{-2, 0, 0}, {2, 0, 0}, {0, 0.1, 0}};
    EXPECT_NEAR(smallest_ball(obtuse).radius, 2, 1e-12);
    EXPECT_NEAR(smallest_ball(obtuse).center.norm(), 0, 1e-12);
    std::vector<Vec3d> cube;
    for (int i = 0; i < 8; ++i) cube.emplace_back(i & 1, (i >> 1) & 1, (i >> 2) & 1);
    EXPECT_NEAR(smallest_ball(cube).radius, h, 1e-12);
    EXPECT_EQ(smallest_ball(std::vector<Vec3d>{{1, 2, 3}, {1, 2, 3}}).radius, 0);
    EXPECT_EQ(smallest_ball(std::vector<Vec3d>{}).radius, 0);
}

TEST(Miniball, ContainsAllAndCannotShrink) {
    Random random(4);
    for (int round = 0; round < 200; ++round) {
        std::vector<Vec3d> points(static_cast<std::size_t>(random.integer(1, 300)));
        const bool flat = round % 3 == 0, sphere = round % 3 == 1;
        for (Vec3d& p : points) {
            p = sphere ? Vec3d(random.unit_vector()) : random.vector(1);
            if (flat) p.z() = 0;
        }
        const Ball ball = smallest_ball(points);
        // Optimal exactly when the centre lies in the hull of the points on the boundary: no direction leads
        // away from none of them.
        for (const Vec3d& p : points) ASSERT_LE((p - ball.center).norm(), ball.radius);
        for (int i = 0; i < 100; ++i) {
            const Vec3d moved = ball.center + 1e-3 * ball.radius * random.unit_vector();
            double reach = 0;
            for (const Vec3d& p : points) reach = std::max(reach, (p - moved).norm());
            ASSERT_GE(reach, ball.radius * (1 - 1e-9)) << round;
        }
    }
}

}  // namespace
}  // namespace sinew::collide
