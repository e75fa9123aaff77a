// SPDX-License-Identifier: MIT
#include "sinew/collide/triangle/triangle_pair.h"

#include <algorithm>

#include "support/random.h"
#include <gtest/gtest.h>

#include "sinew/collide/triangle/orientation.h"

namespace sinew::collide {
namespace {

using test::Random;

Corners flat(double z = 0) {
    return {Vec3d(0, 0, z), Vec3d(4, 0, z), Vec3d(0, 4, z)};
}

bool meet(const Corners& a, const Corners& b) {
    const bool answer = triangles_meet(a, b);
    EXPECT_EQ(answer, triangles_meet_reference(a, b));
    EXPECT_EQ(answer, triangles_meet(b, a));
    return answer;
}

Corners lattice(Random& random, int size) {
    Corners t;
    for (Vec3d& p : t) {
        for (int k = 0; k < 3; ++k) p[k] = random.integer(0, size);
    }
    return t;
}

TEST(Orientation, SignOfTheUnitCorner) {
    const Vec3d o(0, 0, 0), x(1, 0, 0), y(0, 1, 0), z(0, 0, 1);
    EXPECT_EQ(orient3d(x, y, z, o), 1);
    EXPECT_EQ(orient3d(y, x, z, o), -1);
    EXPECT_EQ(orient3d(x, y, o, o), 0);
    EXPECT_EQ(orient2d(o, x, y, 2), 1);
    EXPECT_EQ(orient2d(o, y, x, 2), -1);
}

TEST(Orientation, DecidesWhereDoublesCannot) {
    // The smallest step of a float off a plane far away.
    const auto up = [](float v) { return static_cast<double>(std::nextafter(v, 1e9f)); };
    const Vec3d a(1e6f, 0, 1e-6f), b(0, 1e6f, 1e-6f), c(-1e6f, -1e6f, 1e-6f);
    EXPECT_EQ(orient3d(a, b, c, Vec3d(12345, 54321, 1e-6f)), 0);
    EXPECT_EQ(orient3d(a, b, c, Vec3d(12345, 54321, up(1e-6f))), -1);
    const Vec3d p(0.1f, 0.1f, 0), q(0.3f, 0.3f, 0);
    EXPECT_EQ(orient2d(p, q, Vec3d(0.2f, 0.2f, 0), 2), 0);
    EXPECT_EQ(orient2d(p, q, Vec3d(0.2f, up(0.2f), 0), 2), 1);
}

TEST(TrianglePair, KnownCases) {
    const Corners base = flat();
    EXPECT_TRUE(meet(base, {Vec3d(1, 1, -1), Vec3d(1, 1, 1), Vec3d(2, 1, 1)})) << "crosses";
    EXPECT_FALSE(meet(base, {Vec3d(3, 3, -1), Vec3d(3, 3, 1), Vec3d(4, 3, 1)})) << "beside";
    EXPECT_FALSE(meet(base, flat(1e-30)));
    EXPECT_TRUE(meet(base, base));
    EXPECT_TRUE(meet(base, {Vec3d(4, 0, 0), Vec3d(0, 4, 0), Vec3d(4, 4, 3)})) << "shared edge";
    EXPECT_TRUE(meet(base, {Vec3d(4, 0, 0), Vec3d(5, 0, 1), Vec3d(5, 1, 1)})) << "shared corner";
    EXPECT_TRUE(meet(base, {Vec3d(1, 1, 0), Vec3d(5, 0, 1), Vec3d(5, 1, 1)})) << "corner on the face";
    EXPECT_TRUE(meet(base, {Vec3d(2, 0, -1), Vec3d(2, 0, 1), Vec3d(2, -3, 0)})) << "edge crosses edge";
    EXPECT_TRUE(meet(base, {Vec3d(.5, .5, 0), Vec3d(1, .5, 0), Vec3d(.5, 1, 0)})) << "contained";
    EXPECT_TRUE(meet(base, {Vec3d(3, -1, 0), Vec3d(3, 3, 0), Vec3d(9, 0, 0)})) << "coplanar overlap";
    EXPECT_FALSE(meet(base, {Vec3d(5, 0, 0), Vec3d(9, 0, 0), Vec3d(9, 4, 0)})) << "coplanar apart";
}

TEST(TrianglePair, TrianglesWithoutAreaAreSegmentsAndPoints) {
    const Corners base = flat();
    const auto point = [](const Vec3d& p) { return Corners{p, p, p}; };
    EXPECT_TRUE(meet(base, point({1, 1, 0})));
    EXPECT_TRUE(meet(base, point({2, 2, 0})));
    EXPECT_FALSE(meet(base, point({3, 3, 0})));
    EXPECT_FALSE(meet(base, point({1, 1, 1})));
    EXPECT_TRUE(meet(point({1, 2, 3}), point({1, 2, 3})));
    EXPECT_FALSE(meet(point({1, 2, 3}), point({1, 2, 4})));
    const Corners needle{Vec3d(1, 1, -1), Vec3d(1, 1, 3), Vec3d(1, 1, 1)};
    EXPECT_TRUE(meet(base, needle));
    EXPECT_FALSE(meet(flat(4), needle));
    EXPECT_TRUE(meet(needle, {Vec3d(0, 1, 2), Vec3d(2, 1, 2), Vec3d(1, 1, 2)})) << "needles cross";
    EXPECT_FALSE(meet(needle, {Vec3d(0, 2, 2), Vec3d(2, 2, 2), Vec3d(1, 2, 2)}));
    EXPECT_TRUE(meet(needle, {Vec3d(1, 1, 3), Vec3d(1, 1, 9), Vec3d(1, 1, 5)})) << "end to end";
    EXPECT_FALSE(meet(needle, {Vec3d(1, 1, 4), Vec3d(1, 1, 9), Vec3d(1, 1, 5)})) << "on one line";
}

TEST(TrianglePair, FastAnswerIsTheReferencesOnLatticesAndInSpace) {
    Random random(7);
    int touching = 0;
    for (int i = 0; i < 60000; ++i) {
        const Corners a = lattice(random, 3), b = lattice(random, 3);
        touching += triangles_meet(a, b);
        ASSERT_EQ(triangles_meet(a, b), triangles_meet_reference(a, b)) << i;
    }
    EXPECT_GT(touching, 10000);
    touching = 0;
    for (int i = 0; i < 60000; ++i) {
        Corners a, b;
        for (std::size_t k = 0; k < 3; ++k) {
            a[k] = random.vector(1).cast<float>().cast<double>();
            b[k] = random.vector(1).cast<float>().cast<double>();
        }
        touching += triangles_meet(a, b);
        ASSERT_EQ(triangles_meet(a, b), triangles_meet_reference(a, b)) << i;
    }
    EXPECT_GT(touching, 3000);
}

TEST(TrianglePair, OrderOfCornersDoesNotMatter) {
    Random random(8);
    for (int i = 0; i < 3000; ++i) {
        const Corners a = lattice(random, 3);
        Corners b = lattice(random, 3);
        const bool answer = triangles_meet(a, b);
        for (int rotation = 0; rotation < 6; ++rotation) {
            std::rotate(b.begin(), b.begin() + 1, b.end());
            if (rotation == 3) std::swap(b[0], b[1]);
            ASSERT_EQ(triangles_meet(a, b), answer);
            ASSERT_EQ(triangles_meet(b, a), answer);
        }
    }
}

TEST(TrianglePair, DistanceOfKnownPairs) {
    EXPECT_DOUBLE_EQ(squared_distance(flat(), flat(3)), 9);
    EXPECT_EQ(squared_distance(flat(), {Vec3d(1, 1, -1), Vec3d(1, 1, 1), Vec3d(2, 1, 1)}), 0);
    const Corners right{Vec3d(6, 0, 0), Vec3d(6, 1, 0), Vec3d(7, 0, 0)};
    EXPECT_DOUBLE_EQ(squared_distance(flat(), right), 4);
    const Corners over{Vec3d(1, -1, 2), Vec3d(1, 9, 2), Vec3d(1, 4, 9)};
    EXPECT_DOUBLE_EQ(squared_distance(flat(), over), 4) << "edge above the face";
}

TEST(TrianglePair, DistanceIsNoMoreThanThatOfSampledPoints) {
    Random random(9);
    for (int i = 0; i < 300; ++i) {
        Corners a, b;
        for (std::size_t k = 0; k < 3; ++k) {
            a[k] = random.vector(1);
            b[k] = random.vector(1) + Vec3d(2.5, 0, 0);
        }
        double best = 1e9;
        for (int s = 0; s < 400; ++s) {
            const auto u = random.weights(3), v = random.weights(3);
            const Vec3d p = u[0] * a[0] + u[1] * a[1] + u[2] * a[2];
            const Vec3d q = v[0] * b[0] + v[1] * b[1] + v[2] * b[2];
            best = std::min(best, (p - q).norm());
        }
        const double distance = std::sqrt(squared_distance(a, b));
        ASSERT_LE(distance, best + 1e-12);
        ASSERT_GE(distance, best - 1) << "samples come near";
    }
}

}  // namespace
}  // namespace sinew::collide
