// SPDX-License-Identifier: MIT
#include <algorithm>

#include "support/random.h"
#include <gtest/gtest.h>

#include "sinew/geometry/part_shape.h"
#include "sinew/geometry/surface_queries.h"

namespace sinew::geometry {
namespace {

OrientedBox random_box(test::Random& random, double spread) {
    OrientedBox box;
    box.centre = random.vector(spread);
    box.axes = random.rotation().toRotationMatrix();
    for (int i = 0; i < 3; ++i) box.half[i] = random.uniform(0.05, 1);
    return box;
}

/// Does an edge of a pass through b? By clipping it with the three slabs of b.
bool edge_meets(const OrientedBox& a, const OrientedBox& b) {
    for (int axis = 0; axis < 3; ++axis) {
        for (int corner = 0; corner < 4; ++corner) {
            Vec3d local = a.half;
            if (corner & 1) local[(axis + 1) % 3] *= -1;
            if (corner & 2) local[(axis + 2) % 3] *= -1;
            const Vec3d end = b.axes.transpose() * (a.centre + a.axes * local - b.centre);
            const Vec3d way = b.axes.transpose() * a.axes.col(axis) * (-2 * a.half[axis]);
            double first = 0, last = 1;
            for (int i = 0; i < 3; ++i) {
                const double t = (-b.half[i] - end[i]) / way[i], u = (b.half[i] - end[i]) / way[i];
                first = std::max(first, std::min(t, u));
                last = std::min(last, std::max(t, u));
            }
            if (first <= last) return true;
        }
    }
    return false;
}

TEST(OrientedBoxOverlap, AgreesWithClippedEdges) {
    test::Random random;
    int apart = 0, together = 0;
    for (int n = 0; n < 100000; ++n) {
        const OrientedBox a = random_box(random, 1), b = random_box(random, 1);
        // Two boxes overlap when an edge of one passes through the other; one inside the other has all its
        // edges there.
        const bool expected = edge_meets(a, b) || edge_meets(b, a);
        EXPECT_EQ(overlap(a, b), expected);
        ++(expected ? together : apart);
        EXPECT_EQ(overlap(a, b), overlap(b, a));
        // The spheres hold the boxes: nothing is lost by asking them first.
        if (overlap(a, b)) {
            EXPECT_LE((a.centre - b.centre).norm(), a.radius() + b.radius());
        }
    }
    EXPECT_GT(apart, 10000);
    EXPECT_GT(together, 10000);
}

TEST(OrientedBoxOverlap, TouchingCountsAndParallelAxesAreNoTrouble) {
    OrientedBox a, b;
    a.half = b.half = Vec3d(1, 0.5, 0.25);
    b.centre = {2, 0, 0};
    EXPECT_TRUE(overlap(a, b));
    b.centre = {2.001, 0, 0};
    EXPECT_FALSE(overlap(a, b));
    b.centre = {0, 1.001, 0};
    EXPECT_FALSE(overlap(a, b));
}

TEST(TriangleCross, KnownPairs) {
    const TriangleCorners flat = {Vec3d(0, 0, 0), Vec3d(1, 0, 0), Vec3d(0, 1, 0)};
    EXPECT_TRUE(triangles_cross(flat, {Vec3d(0.2, 0.2, -1), Vec3d(0.2, 0.2, 1), Vec3d(2, 2, 1)}));
    EXPECT_FALSE(triangles_cross(flat, {Vec3d(0.2, 0.2, 0.1), Vec3d(0.2, 0.2, 1), Vec3d(2, 2, 1)}));
    EXPECT_FALSE(triangles_cross(flat, {Vec3d(0.8, 0.8, -1), Vec3d(0.8, 0.8, 1), Vec3d(2, 2, 1)}));
    EXPECT_TRUE(
        triangles_cross(flat, {Vec3d(0.5, 0.5, -1), Vec3d(0.5, 0.5, 1), Vec3d(2, 2, 1)}));  // on its side
}

TEST(TriangleCross, SweepFindsWhatAllPairsFind) {
    test::Random random;
    for (int n = 0; n < 100; ++n) {
        std::vector<TriangleCorners> a, b;
        for (int i = 0; i < 12; ++i) {
            const auto one = [&] {
                const Vec3d at = random.vector(2);
                return TriangleCorners{at, at + random.vector(0.6), at + random.vector(0.6)};
            };
            a.push_back(one());
            b.push_back(one());
        }
        const bool any = std::ranges::any_of(a, [&](const auto& s) {
            return std::ranges::any_of(b, [&](const auto& t) { return triangles_cross(s, t); });
        });
        CrossingPair pair;
        EXPECT_EQ(surfaces_cross(a, b, &pair), any);
        if (any) {
            EXPECT_TRUE(triangles_cross(a[pair.a], b[pair.b]));
        }
    }
}

}  // namespace
}  // namespace sinew::geometry
