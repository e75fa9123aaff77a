// SPDX-License-Identifier: MIT
#include "sinew/collide/tree/sphere.h"

#include <cmath>

#include "support/random.h"
#include <gtest/gtest.h>

namespace sinew::collide {
namespace {

using test::Random;

TEST(Sphere, OfSpheresContainsThem) {
    const Sphere points[]{{Vec3d(-1, 0, 0), 0}, {Vec3d(1, 0, 0), 0}};
    const Sphere both = sphere_of_spheres(points);
    EXPECT_NEAR(both.center.norm(), 0, 1e-15);
    EXPECT_NEAR(both.radius, 1, 1e-14);
    const Sphere one[]{{Vec3d(1, 2, 3), 4}};
    EXPECT_EQ(sphere_of_spheres(one).center, one[0].center);
    EXPECT_EQ(sphere_of_spheres(one).radius, 4);
    Random random(2);
    for (int i = 0; i < 300; ++i) {
        std::vector<Sphere> spheres(static_cast<std::size_t>(random.integer(1, 9)));
        for (Sphere& sphere : spheres) sphere = {random.vector(3), random.uniform(0, 2)};
        const Sphere around = sphere_of_spheres(spheres);
        for (const Sphere& sphere : spheres) {
            ASSERT_LE((sphere.center - around.center).norm() + sphere.radius, around.radius);
        }
    }
}

TEST(Sphere, UnboundedAndNotANumberAreNeverDisjoint) {
    const Sphere far{Vec3d(1e9, 0, 0), 1}, near{Vec3d::Zero(), 1};
    EXPECT_TRUE(disjoint(far, near));
    EXPECT_FALSE(disjoint(far, unbounded()));
    EXPECT_FALSE(disjoint(far, {Vec3d::Constant(std::nan("")), 1}));
    EXPECT_FALSE(disjoint(far, {Vec3d::Zero(), std::nan("")}));
    const Sphere list[]{near, unbounded()};
    EXPECT_FALSE(sphere_of_spheres(list).bounded());
    EXPECT_FALSE(disjoint(far, sphere_of_spheres(list)));
}

TEST(Sphere, TouchingIsNeverDisjoint) {
    EXPECT_FALSE(disjoint({Vec3d(0, 0, 0), 1}, {Vec3d(3, 0, 0), 2}));
    EXPECT_FALSE(disjoint({Vec3d(0, 0, 0), 0.25}, {Vec3d(0.75, 0, 1), 1}));
    EXPECT_TRUE(disjoint({Vec3d(0, 0, 0), 1}, {Vec3d(3.0001, 0, 0), 2}));
    EXPECT_FALSE(disjoint({Vec3d(0, 0, 0), 1}, {Vec3d(3.1, 0, 0), 2}, 0.1));
    EXPECT_FALSE(disjoint({Vec3d(7, 7, 7), 0}, {Vec3d(7, 7, 7), 0}));
}

TEST(Sphere, StoredSphereContainsTheExactOne) {
    Random random(3);
    for (int i = 0; i < 1000; ++i) {
        const Sphere exact{random.vector(100), random.uniform(0, 1)};
        const Sphere wide = stored(exact).widen();
        ASSERT_LE((wide.center - exact.center).norm() + exact.radius, wide.radius);
    }
    EXPECT_FALSE(stored(unbounded()).widen().bounded());
    EXPECT_FALSE(stored({Vec3d::Constant(1e300), 1}).widen().bounded());
}

TEST(SmallestSphere, KnownSpheres) {
    const double h = std::sqrt(3.0) / 2;
    std::vector<Vec3d> triangle{{0, 0, 0}, {1, 0, 0}, {0.5, h, 0}};
    EXPECT_NEAR(smallest_sphere(triangle).radius, 1 / std::sqrt(3.0), 1e-12);
    std::vector<Vec3d> obtuse{{-2, 0, 0}, {2, 0, 0}, {0, 0.1, 0}};
    EXPECT_NEAR(smallest_sphere(obtuse).radius, 2, 1e-12);
    EXPECT_NEAR(smallest_sphere(obtuse).center.norm(), 0, 1e-12);
    std::vector<Vec3d> cube;
    for (int i = 0; i < 8; ++i) cube.emplace_back(i & 1, (i >> 1) & 1, (i >> 2) & 1);
    EXPECT_NEAR(smallest_sphere(cube).radius, h, 1e-12);
    EXPECT_EQ(smallest_sphere(std::vector<Vec3d>{{1, 2, 3}, {1, 2, 3}}).radius, 0);
    EXPECT_EQ(smallest_sphere(std::vector<Vec3d>{}).radius, 0);
}

TEST(SmallestSphere, ContainsAllAndCannotShrink) {
    Random random(4);
    for (int round = 0; round < 200; ++round) {
        std::vector<Vec3d> points(static_cast<std::size_t>(random.integer(1, 300)));
        const bool flat = round % 3 == 0, round_points = round % 3 == 1;
        for (Vec3d& p : points) {
            p = round_points ? Vec3d(random.unit_vector()) : random.vector(1);
            if (flat) p.z() = 0;
        }
        const Sphere sphere = smallest_sphere(points);
        // Optimal exactly when the centre lies in the hull of the points on the boundary: no direction leads
        // away from none of them.
        for (const Vec3d& p : points) ASSERT_LE((p - sphere.center).norm(), sphere.radius);
        for (int i = 0; i < 100; ++i) {
            const Vec3d moved = sphere.center + 1e-3 * sphere.radius * random.unit_vector();
            double reach = 0;
            for (const Vec3d& p : points) reach = std::max(reach, (p - moved).norm());
            ASSERT_GE(reach, sphere.radius * (1 - 1e-9)) << round;
        }
    }
}

}  // namespace
}  // namespace sinew::collide
