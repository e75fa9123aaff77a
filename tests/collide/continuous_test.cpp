// SPDX-License-Identifier: MIT
#include "scenes.h"
#include "support/shapes.h"
#include <gtest/gtest.h>

#include "sinew/base/error.h"
#include "sinew/collide/query/touch_search.h"

namespace sinew::collide {
namespace {

using deform::Method;
using test::Random;

TEST(FirstTouch, SpheresMeetWhenTheFormulaSays) {
    const Sphere still{Vec3d::Zero(), 1}, from{Vec3d(5, 0, 0), 1}, to{Vec3d(-3, 0, 0), 1};
    // The gap of 3 closes at a speed of 8.
    EXPECT_NEAR(*first_overlap(still, still, from, to, 1), 3.0 / 8, 1e-8);
    EXPECT_FALSE(first_overlap(still, still, from, to, 0.3));
    EXPECT_FALSE(first_overlap(still, still, to, Sphere{Vec3d(-9, 0, 0), 1}, 1)) << "leaving";
    EXPECT_EQ(first_overlap(still, still, Sphere{Vec3d(1, 0, 0), 1}, to, 1), 0.0);
    // One sphere only grows; the centres are 5 apart.
    EXPECT_FALSE(first_overlap(still, Sphere{Vec3d::Zero(), 3}, from, from, 1));
    EXPECT_NEAR(*first_overlap(still, Sphere{Vec3d::Zero(), 7}, from, from, 1), 0.5, 1e-8);
    EXPECT_EQ(first_overlap(unbounded(), still, from, to, 1), 0.0);
    Random random(61);
    for (int round = 0; round < 20000; ++round) {
        const Sphere spheres[]{{random.vector(2), random.uniform()},
                               {random.vector(2), random.uniform()},
                               {random.vector(2), random.uniform()},
                               {random.vector(2), random.uniform()}};
        const auto time = first_overlap(spheres[0], spheres[1], spheres[2], spheres[3], 1);
        for (int k = 0; k <= 20; ++k) {
            const double t = k / 20.0;
            const Vec3d off = (1 - t) * (spheres[0].center - spheres[2].center) +
                              t * (spheres[1].center - spheres[3].center);
            const double reach = (1 - t) * (spheres[0].radius + spheres[2].radius) +
                                 t * (spheres[1].radius + spheres[3].radius);
            ASSERT_TRUE(off.norm() > reach || (time && *time <= t)) << round;
            ASSERT_TRUE((time && t >= *time - 1e-6) || off.norm() > reach - 1e-9) << round;
        }
    }
}

TEST(FirstTouch, TrianglesThatApproachAtUnitSpeed) {
    const Corners floor{Vec3d(-1, -1, 0), Vec3d(1, -1, 0), Vec3d(0, 1, 0)};
    const auto above = [](double z) {
        return Corners{Vec3d(0, 0, z), Vec3d(0.2, 0, z + 1), Vec3d(0, 0.2, z + 1)};
    };
    EXPECT_NEAR(*first_touch(floor, floor, above(0.75), above(-0.25), 1, 1e-6), 0.75, 1e-5);
    EXPECT_FALSE(first_touch(floor, floor, above(0.75), above(0.25), 1, 1e-6));
    // Edge on edge, both moving.
    const auto ridge = [](double z) { return Corners{Vec3d(-1, 0, z), Vec3d(1, 0, z), Vec3d(0, 0, z - 1)}; };
    const auto roof = [](double z) { return Corners{Vec3d(0, -1, z), Vec3d(0, 1, z), Vec3d(0, 0, z + 1)}; };
    EXPECT_NEAR(*first_touch(ridge(0), ridge(1), roof(1), roof(0), 1, 1e-6), 0.5, 1e-5);
    EXPECT_EQ(first_touch(floor, floor, above(-0.5), above(-0.5), 1, 1e-6), 0.0);
}

TEST(FirstTouch, MovingSpheresContainTheVertices) {
    const Actor horse("horse", 1000, {.max_leaf_triangles = 8});
    Random random(62);
    for (const Method method : {Method::lbs, Method::sbs, Method::dqs}) {
        Body start(horse.tree, method), end(horse.tree, method);
        start.set_pose(random_palette(horse.tree, random, 0.6, 0.1));
        end.set_pose(random_palette(horse.tree, random, 0.6, 0.1));
        QueryScratch scratch;
        for (std::uint32_t n = 0; n < horse.tree.data().nodes.size(); ++n) {
            const Node& node = horse.tree.data().nodes[n];
            for (const double time : {0.0, random.uniform(), random.uniform(), 1.0}) {
                const Sphere sphere = sphere_at(start.sphere(n, scratch), end.sphere(n, scratch), time);
                for (std::uint32_t v = node.first_vertex; v < node.first_vertex + node.vertex_count; v += 3) {
                    const Vec3d p = (1 - time) * start.vertex(v, scratch).cast<double>() +
                                    time * end.vertex(v, scratch).cast<double>();
                    ASSERT_LE((p - sphere.center).norm(), sphere.radius);
                }
            }
        }
    }
}

/// Contacts of meshes whose vertices are between two poses.
bool touch_at(Body& a0, Body& a1, Body& b0, Body& b1, double time) {
    QueryScratch scratch;
    geometry::Mesh meshes[2];
    Body* const ends[2][2]{{&a0, &a1}, {&b0, &b1}};
    for (int k = 0; k < 2; ++k) {
        const SphereTree& tree = ends[k][0]->tree();
        meshes[k].triangles = tree.data().triangles;
        for (std::uint32_t v = 0; v < tree.data().positions.size(); ++v) {
            const Vec3d p = (1 - time) * ends[k][0]->vertex(v, scratch).cast<double>() +
                            time * ends[k][1]->vertex(v, scratch).cast<double>();
            meshes[k].positions.push_back(p.cast<float>());
        }
    }
    const SphereTree x = build_tree(meshes[0], {}, nullptr), y = build_tree(meshes[1], {}, nullptr);
    Body a(x), b(y);
    QueryScratch query;
    return touching(a, b, query);
}

TEST(FirstTouch, OfCharactersIsBetweenFreeAndTouching) {
    const Actor horse("horse", 1000);
    for (const Method method : {Method::lbs, Method::dqs}) {
        Body a0(horse.tree, method), a1(horse.tree, method), b0(horse.tree, method), b1(horse.tree, method);
        a0.set_pose(horse.pose(0));
        a1.set_pose(horse.pose(0.1, moved(0.4, 0, 0)));
        b0.set_pose(horse.pose(0.5, moved(1.2, 0, 0.2, 0.3)));
        b1.set_pose(horse.pose(0.6, moved(0.6, 0, 0.2, 0.4)));
        QueryScratch scratch;
        constexpr double tolerance = 1e-4;
        const FirstTouch first = find_first_touch({&a0, &a1}, {&b0, &b1}, scratch, tolerance);
        ASSERT_TRUE(first.touching);
        EXPECT_GT(first.time, 0.05);
        EXPECT_LT(first.time, 0.95);
        for (const double before : {0.0, 0.5 * first.time, first.time - 0.001})
            EXPECT_FALSE(touch_at(a0, a1, b0, b1, before)) << before;
        EXPECT_TRUE(touch_at(a0, a1, b0, b1, first.time + 0.002));
        EXPECT_LT(scratch.counts().triangle_tests,
                  horse.tree.data().triangles.size() * horse.tree.data().triangles.size() / 10);
    }
}

TEST(FirstTouch, NothingOrNonsense) {
    const SphereTree cube = build_tree(test::cube(), {}, nullptr),
                     other = build_tree(test::cube(), {}, nullptr),
                     nothing = build_tree(geometry::Mesh{}, {}, nullptr);
    Body a(cube), b(cube), c(other), empty(nothing);
    QueryScratch scratch;
    b.set_rigid_pose(deform::to_mat34(moved(9, 0, 0).matrix()));
    EXPECT_FALSE(find_first_touch({&a, &a}, {&b, &b}, scratch).touching);
    EXPECT_FALSE(find_first_touch({&a, &b}, {&empty, &empty}, scratch).touching);
    EXPECT_THROW(find_first_touch({&a, &c}, {&b, &b}, scratch), Error);
    EXPECT_THROW(find_first_touch({&a, &a}, {&b, &b}, scratch, 0), Error);
    const FirstTouch through = find_first_touch({&a, &b}, {&c, &c}, scratch);
    EXPECT_TRUE(through.touching);
    EXPECT_EQ(through.time, 0);
    // From 9 away to 9 beyond: the faces meet after 8 of 18, however thin the bodies are.
    Body beyond(cube);
    beyond.set_rigid_pose(deform::to_mat34(moved(-9, 0, 0).matrix()));
    const FirstTouch met = find_first_touch({&b, &beyond}, {&c, &c}, scratch);
    ASSERT_TRUE(met.touching);
    EXPECT_NEAR(met.time, 8.0 / 18, 1e-4);
}

}  // namespace
}  // namespace sinew::collide
