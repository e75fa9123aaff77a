// SPDX-License-Identifier: MIT
#include <array>

#include "support/random.h"
#include <gtest/gtest.h>

#include "sinew/math/planar.h"

namespace sinew::math {
namespace {

const double r = std::sqrt(0.5);

TEST(Conic, QuarterCircle) {
    for (const double sign : {1.0, -1.0}) {  // a tangent that points back is reversed
        const auto arc = conic_through({1, 0, 0}, {0, 1, 0}, {0, 1, 0}, {-sign, 0, 0}, {r, r, 0});
        ASSERT_TRUE(arc);
        EXPECT_NEAR(arc->weight, r, 1e-12);
        EXPECT_LT((arc->middle - Vec3d(r, r, 0)).norm(), 1e-12);
        for (const Vec3d& p : sample(*arc, 20)) EXPECT_NEAR(p.norm(), 1, 1e-12);
        EXPECT_GT(arc->at(0.3).x(), 0);
    }
}

TEST(Conic, ParallelTangentsGiveHalfACircle) {
    const auto arc = conic_through({1, 0, 0}, {0, 1, 0}, {-1, 0, 0}, {0, -1, 0}, {0, 1, 0});
    ASSERT_TRUE(arc);
    EXPECT_NEAR(arc->weight, 0, 1e-12);
    EXPECT_LT((arc->middle - Vec3d(0, 1, 0)).norm(), 1e-12);
    for (const Vec3d& p : sample(*arc, 20)) {
        EXPECT_NEAR(p.norm(), 1, 1e-12);
        EXPECT_GE(p.y(), -1e-12);
    }
}

TEST(Conic, KnownWeightOfAnObliqueApex) {
    const Vec3d c(2, 0, 0), d(0, 2, 0), b(0.5, 0.5, 0), p(0.8, 0.8, 0);
    const auto arc = conic_through(c, b - c, d, d - b, p);
    ASSERT_TRUE(arc);
    EXPECT_NEAR(arc->weight, 2.0 / 3, 1e-12);
    EXPECT_LT((arc->at(0.5) - p).norm(), 1e-12);
    EXPECT_LT((arc->middle - arc->weight * b).norm(), 1e-12);
}

TEST(Conic, EveryPointInTheTriangleIsReachedInAnyPlane) {
    test::Random random;
    for (int n = 0; n < 500; ++n) {
        const Vec3d c = random.vector(), b = random.vector(), d = random.vector();
        if ((c - b).cross(d - b).norm() < 0.05) continue;
        const std::vector<double> g = random.weights(3);
        if (std::min({g[0], g[1], g[2]}) < 0.02) continue;
        const Vec3d p = g[0] * c + g[1] * b + g[2] * d;
        const auto arc = conic_through(c, b - c, d, d - b, p);
        ASSERT_TRUE(arc);
        EXPECT_NEAR(arc->weight, g[1] / (2 * std::sqrt(g[0] * g[2])), 1e-7 * (1 + arc->weight));
        double nearest = 1e9;
        for (const Vec3d& s : sample(*arc, 4000)) nearest = std::min(nearest, (s - p).norm());
        EXPECT_LT(nearest, 2e-2);
    }
}

TEST(Conic, NothingThroughAPointBehindATangent) {
    EXPECT_FALSE(conic_through({1, 0, 0}, {0, 1, 0}, {0, 1, 0}, {-1, 0, 0}, {1.5, 0.5, 0}));
    EXPECT_FALSE(conic_through({1, 0, 0}, {0, 1, 0}, {0, 1, 0}, {-1, 0, 0}, {0.5, 0.5, 0}));  // on the chord
}

TEST(Conic, CircularWeightAndSharpness) {
    const Vec3d c(1, 0, 0), b(1, 1, 0), d(0, 1, 0);
    EXPECT_NEAR(circular_weight(c, b, d), r, 1e-15);
    const RationalQuadratic half = conic_of_control(c, b, d, weight_of_sharpness(0.5));
    EXPECT_LT((half.at(0.5) - Vec3d(0.75, 0.75, 0)).norm(), 1e-15);  // the shoulder halfway to the control
}

TEST(Conic, ResamplingHasEqualSteps) {
    const RationalQuadratic arc = conic_of_control({1, 0, 0}, {1, 1, 0}, {0, 1, 0}, 12);
    const std::vector<Vec3d> dense = sample(arc, 2000), even = resample_uniform(dense, 7);
    ASSERT_EQ(even.size(), 8u);
    EXPECT_EQ(even.front(), dense.front());
    EXPECT_EQ(even.back(), dense.back());
    EXPECT_EQ(pieces_of(length(dense), length(dense) / 6.8), 7);
    EXPECT_EQ(pieces_of(0, 1), 1);
    // A polygon with corners: equal ways along it, which chords only shorten.
    const std::vector<Vec3d> bent = {{0, 0, 0}, {1, 0, 0}, {1, 2, 0}};
    const std::vector<Vec3d> points = resample_uniform(bent, 3);
    EXPECT_LT((points[1] - Vec3d(1, 0, 0)).norm(), 1e-14);
    EXPECT_LT((points[2] - Vec3d(1, 1, 0)).norm(), 1e-14);
}

}  // namespace
}  // namespace sinew::math
