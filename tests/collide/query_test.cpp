// SPDX-License-Identifier: MIT
#include <cmath>

#include "reference/collide/brute_force.h"
#include "reference/collide/subdivide.h"
#include "scenes.h"
#include "support/shapes.h"
#include <gtest/gtest.h>

#include "sinew/base/parallel.h"
#include "sinew/collide/body/posed_body.h"
#include "sinew/collide/query/search_scratch.h"

namespace sinew::collide {
namespace query_test {

using deform::Method;
using test::Random;

constexpr Method all_methods[]{Method::lbs, Method::sbs, Method::dqs};

std::vector<Contact> contacts_of(Body& a, Body& b, QueryScratch& scratch, double tolerance = 0) {
    std::vector<Contact> out;
    find_contacts(a, b, out, scratch, tolerance);
    return out;
}

TEST(Query, PairsAreThoseOfBruteForceOnEveryFrameAndInEveryBlending) {
    const Actor horse("horse", 1000), hand("hand", 1000, {.max_leaf_triangles = 8});
    std::size_t found = 0;
    for (const Method method : all_methods) {
        {
            Body a(horse.tree, method), b(hand.tree, method);
            QueryScratch scratch;
            for (int frame = 0; frame < 6; ++frame) {
                const double time = 0.1 * frame;
                a.set_pose(horse.pose(time));
                b.set_pose(hand.pose(time, moved(0.3 - 0.06 * frame, 1.2, 0.1, 0.4)));
                const auto expected = brute_force_contacts(a, b);
                // Spheres of either serve the other.
                if (frame % 2 == 0) {
                    ASSERT_EQ(touching(a, b, scratch), !expected.empty());
                }
                ASSERT_EQ(contacts_of(a, b, scratch), expected) << frame;
                ASSERT_EQ(touching(a, b, scratch), !expected.empty());
                found += expected.size();
            }
        }
    }
    EXPECT_GT(found, 150u);
}

TEST(Query, TheFirstContactEndsAQueryOfYesOrNo) {
    const Actor horse("horse", 4000, {.max_leaf_triangles = 4});
    for (const Method method : all_methods) {
        const auto counts = [&](bool first_only) {
            Body a(horse.tree, method), b(horse.tree, method);
            a.set_pose(horse.pose(0.1));
            b.set_pose(horse.pose(0.5, moved(0.05, 0, 0.05, 1.5)));
            QueryScratch scratch;
            if (first_only) {
                EXPECT_TRUE(touching(a, b, scratch));
            } else {
                EXPECT_GT(contacts_of(a, b, scratch).size(), 50u);
            }
            return scratch.counts();
        };
        const QueryCounts all = counts(false), one = counts(true);
        EXPECT_LT(4 * one.sphere_tests, all.sphere_tests);
        EXPECT_LT(4 * one.triangle_tests, all.triangle_tests);
        EXPECT_LT(2 * one.vertices, all.vertices);
    }
}

TEST(Query, WorkGrowsWithTheContactsNotWithTheMesh) {
    const Actor coarse("horse", 2000);
    model::Character horse = coarse.character;
    double contacts_before = 0, work_before = 0, refits_before = 0;
    for (int level = 0; level < 4; ++level) {
        const SphereTree tree = build_tree(horse, {.max_leaf_triangles = 4});
        Body a(tree), b(tree);
        a.set_pose(coarse.pose(0.1));
        b.set_pose(coarse.pose(0.5, moved(0.3, 0, 0, 0.3)));
        QueryScratch scratch;
        const auto contacts = static_cast<double>(contacts_of(a, b, scratch).size());
        const QueryCounts counts = scratch.counts();
        const auto work = static_cast<double>(counts.sphere_tests + counts.refits + counts.vertices +
                                              counts.triangle_tests);
        QueryScratch all;
        a.refit_bottom_up(all);
        const auto refits = static_cast<double>(all.counts().refits);
        EXPECT_GT(contacts, 20);
        RecordProperty("contacts" + std::to_string(level), std::to_string(contacts));
        RecordProperty("work" + std::to_string(level), std::to_string(work));
        if (level > 0) {  // four times the triangles: contacts lie along curves and about double
            EXPECT_NEAR(refits / refits_before, 4, 0.4);
            EXPECT_NEAR(contacts / contacts_before, 2, 0.8);
            EXPECT_LT(work / work_before, 2.6);
        }
        contacts_before = contacts;
        work_before = work;
        refits_before = refits;
        if (level < 3) horse = subdivided(horse);
    }
}

TEST(Query, RandomPosesOfHandsAndTubesMatchBruteForce) {
    const Actor hand("hand", 1000), tube("tube", 0);
    Random random(41);
    std::size_t found = 0;
    for (int round = 0; round < 60; ++round) {
        const Method method = all_methods[round % 3];
        Body a(hand.tree, method), b(tube.tree, method);
        a.set_pose(random_palette(hand.tree, random, round % 2 ? 0.7 : 3.1, 0.02));
        b.set_pose(random_palette(tube.tree, random, 0.5, 0.1));
        QueryScratch scratch;
        const auto expected = brute_force_contacts(a, b);
        ASSERT_EQ(contacts_of(a, b, scratch), expected);
        auto rotated4 = contacts_of(b, a, scratch);
        for (Contact& c : rotated4) std::swap(c.a, c.b);
        std::ranges::sort(rotated4);
        ASSERT_EQ(rotated4, expected) << "the order of the bodies does not matter";
        found += expected.size();
    }
    EXPECT_GT(found, 100u);
}

TEST(Query, BaselinesFindTheSamePairs) {
    const Actor horse("horse", 1000);
    Body a(horse.tree), b(horse.tree);
    a.set_pose(horse.pose(0.1));
    b.set_pose(horse.pose(0.5, moved(0.15, 0, 0.1, 2)));
    QueryScratch scratch;
    const auto expected = contacts_of(a, b, scratch);
    EXPECT_FALSE(expected.empty());
    a.set_pose(horse.pose(0.1));
    b.set_pose(horse.pose(0.5, moved(0.15, 0, 0.1, 2)));
    a.refit_bottom_up(scratch);
    b.refit_bottom_up(scratch);
    EXPECT_EQ(contacts_of(a, b, scratch), expected);
    a.posed().refit_best(scratch.buffers().refit);
    b.posed().refit_best(scratch.buffers().refit);
    EXPECT_EQ(contacts_of(a, b, scratch), expected);
    // A fresh tree over the deformed meshes.
    geometry::Mesh meshes[2];
    Body* const bodies[]{&a, &b};
    for (int k = 0; k < 2; ++k) {
        meshes[k].triangles = horse.character.mesh.triangles;
        meshes[k].positions.resize(horse.character.mesh.positions.size());
        for (std::uint32_t v = 0; v < horse.tree.data().positions.size(); ++v)
            meshes[k].positions[horse.tree.data().vertex_ids[v]] = bodies[k]->vertex(v, scratch);
    }
    const SphereTree fresh_a = build_tree(meshes[0], {}, nullptr),
                     fresh_b = build_tree(meshes[1], {}, nullptr);
    Body rigid_a(fresh_a), rigid_b(fresh_b);
    EXPECT_EQ(contacts_of(rigid_a, rigid_b, scratch), expected);
}

TEST(Query, FarApartRefitsTheRootsAndDeformsNothing) {
    const Actor horse("horse", 1000);
    for (const Method method : all_methods) {
        Body a(horse.tree, method), b(horse.tree, method);
        a.set_pose(horse.pose(0));
        b.set_pose(horse.pose(0, moved(10, 0, 0)));
        QueryScratch scratch;
        EXPECT_FALSE(touching(a, b, scratch));
        EXPECT_EQ(scratch.counts(), (QueryCounts{1, 2, 0, 0, 0}));
        EXPECT_FALSE(touching(a, b, scratch));
        EXPECT_EQ(scratch.counts(), (QueryCounts{2, 2, 0, 0, 0})) << "the same pose costs no refit";
        a.set_pose(horse.pose(0.1));
        EXPECT_FALSE(touching(a, b, scratch));
        EXPECT_EQ(scratch.counts(), (QueryCounts{3, 3, 0, 0, 0})) << "a new pose of one costs one";
        EXPECT_TRUE(a.refitted(0));
        EXPECT_FALSE(a.refitted(1));
    }
}

TEST(Query, RefitsAreAtMostTwiceTheSphereTests) {
    const Actor horse("horse", 1000, {.max_leaf_triangles = 4});
    Body a(horse.tree), b(horse.tree);
    a.set_pose(horse.pose(0));
    b.set_pose(horse.pose(0.4, moved(0.35, 0, 0)));
    QueryScratch scratch;
    const auto found = contacts_of(a, b, scratch);
    EXPECT_FALSE(found.empty());
    EXPECT_LE(scratch.counts().refits, 2 * scratch.counts().sphere_tests);
    EXPECT_LT(scratch.counts().refits, 2 * horse.tree.data().nodes.size());
    EXPECT_LT(scratch.counts().vertices, horse.tree.data().positions.size());
}

TEST(Query, RigidPropsMeetCharactersInTheSameQuery) {
    const Actor horse("horse", 1000);
    const geometry::Mesh box = test::cube(Vec3f::Zero(), 0.3f);
    const SphereTree prop_tree = build_tree(box, {}, nullptr);
    Body body(horse.tree, Method::dqs), prop(prop_tree, Method::dqs);
    body.set_pose(horse.pose(0.2));
    QueryScratch scratch;
    std::size_t found = 0;
    for (int step = 0; step < 20; ++step) {
        prop.set_rigid_pose(deform::to_mat34(moved(0.9 - 0.1 * step, 1.1, 0, 0.3 * step).matrix()));
        const auto expected = brute_force_contacts(body, prop);
        ASSERT_EQ(contacts_of(body, prop, scratch), expected);
        found += expected.size();
    }
    EXPECT_GT(found, 10u);
}

TEST(Query, TouchingCubesTouch) {
    const SphereTree cube = build_tree(test::cube(), {}, nullptr);
    Body a(cube), b(cube);
    QueryScratch scratch;
    const auto location = [&](float x) {
        Mat34f m;
        m.rows[0][3] = x;
        b.set_rigid_pose(m);
    };
    location(1);
    EXPECT_TRUE(touching(a, b, scratch)) << "face on face";
    location(std::nextafter(1.0f, 2.0f));
    EXPECT_FALSE(touching(a, b, scratch));
    location(1.25f);
    EXPECT_FALSE(touching(a, b, scratch, 0.24));
    EXPECT_TRUE(touching(a, b, scratch, 0.25));
    EXPECT_DOUBLE_EQ(find_nearest(a, b, scratch).distance, 0.25);
    location(0);
    EXPECT_EQ(find_nearest(a, b, scratch).distance, 0);
}

TEST(Query, ToleranceAndDistanceMatchBruteForce) {
    const Actor hand("hand", 1000);
    const SphereTree torus = build_tree(test::torus(), {}, nullptr, {.max_leaf_triangles = 4});
    QueryScratch scratch;
    for (int step = 0; step < 4; ++step) {
        Body a(hand.tree, Method::dqs), b(torus, Method::dqs);
        a.set_pose(hand.pose(0.1 * step));
        b.set_rigid_pose(deform::to_mat34(moved(2.7 + 0.1 * step, 0, 0, 1).matrix()));
        const Nearest nearest = find_nearest(a, b, scratch);
        double expected = 1e9;
        std::vector<Corners> all;
        for (std::uint32_t k = 0; k < torus.data().triangles.size(); ++k)
            all.push_back(b.corners(k, scratch));
        for (std::uint32_t i = 0; i < hand.tree.data().triangles.size(); ++i) {
            const Corners one = a.corners(i, scratch);
            for (const Corners& other : all) expected = std::min(expected, squared_distance(one, other));
        }
        ASSERT_DOUBLE_EQ(nearest.distance, std::sqrt(expected));
        const double tolerance = nearest.distance * 1.1 + 0.02;
        const auto near = contacts_of(a, b, scratch, tolerance);
        ASSERT_EQ(near, brute_force_contacts(a, b, tolerance));
        ASSERT_FALSE(near.empty());
    }
}

TEST(Query, EmptyAndDegenerateMeshes) {
    const SphereTree nothing = build_tree(geometry::Mesh{}, {}, nullptr);
    const SphereTree cube = build_tree(test::cube(), {}, nullptr);
    Body empty(nothing), solid(cube);
    QueryScratch scratch;
    EXPECT_FALSE(touching(empty, solid, scratch));
    EXPECT_FALSE(touching(solid, empty, scratch));
    EXPECT_TRUE(contacts_of(empty, empty, scratch).empty());
    EXPECT_TRUE(std::isinf(find_nearest(empty, solid, scratch).distance));
    geometry::Mesh specks;
    specks.positions = {Vec3f(0.5f, 0, 0), Vec3f(5, 5, 5), Vec3f(6, 5, 5)};
    specks.triangles = {{0, 0, 0}, {1, 2, 1}};
    const SphereTree dust = build_tree(specks, {}, nullptr);
    Body points(dust);
    EXPECT_EQ(contacts_of(points, solid, scratch), brute_force_contacts(points, solid));
    EXPECT_FALSE(contacts_of(points, solid, scratch).empty()) << "a point on a face touches it";
}

std::vector<Body> make_crowd(const Actor& horse, const Actor& hand, std::size_t count) {
    std::vector<Body> bodies;
    Random random(51);
    for (std::size_t i = 0; i < count; ++i) {
        const Actor& actor = i % 2 == 0 ? horse : hand;
        bodies.emplace_back(actor.tree, all_methods[i % 3]);
        bodies.back().set_pose(
            actor.pose(0.07 * static_cast<double>(i),
                       moved(random.uniform(-1.5, 1.5), 0, random.uniform(-1.5, 1.5), random.uniform(0, 6))));
    }
    return bodies;
}

TEST(Crowd, FindsThePairsOfAllBodiesWhateverTheThreads) {
    const Actor horse("horse", 1000), hand("hand", 1000, {.max_leaf_triangles = 8});
    std::vector<BodyContact> expected;
    {
        auto bodies = make_crowd(horse, hand, 10);
        for (std::uint32_t i = 0; i < bodies.size(); ++i) {
            for (std::uint32_t k = i + 1; k < bodies.size(); ++k) {
                for (const Contact& c : brute_force_contacts(bodies[i], bodies[k]))
                    expected.push_back({i, k, c});
            }
        }
    }
    EXPECT_GT(expected.size(), 50u);
    for (const int threads : {1, 8}) {
        set_thread_count(threads);
        auto bodies = make_crowd(horse, hand, 10);
        CrowdScratch scratch;
        std::vector<BodyContact> found;
        find_crowd_contacts(bodies, found, scratch);
        EXPECT_EQ(found, expected) << threads;
        std::vector<BodyContact> pairs;
        find_crowd_contacts(bodies, pairs, scratch, {.first_only = true});
        std::size_t distinct = 0;
        for (std::size_t i = 0; i < expected.size(); ++i) {
            distinct += i == 0 || expected[i].body_a != expected[i - 1].body_a ||
                        expected[i].body_b != expected[i - 1].body_b;
        }
        EXPECT_EQ(pairs.size(), distinct);
    }
    set_thread_count(0);
}

TEST(SelfQuery, FoldedStripTouchesItself) {
    // Two sheets at right angles hinged on a line, folded until they cross.
    geometry::Mesh mesh = test::sheet(9, 3);
    model::Skin skin;
    skin.joints.resize(2);
    skin.joints[1].joint = 1;
    for (const Vec3f& p : mesh.positions) {
        const model::Influence left{0, 1}, right{1, 1};
        skin.push_vertex({p.x() <= 4 ? &left : &right, 1});
    }
    const SphereTree tree = build_tree(mesh, skin, nullptr);
    Body body(tree);
    QueryScratch scratch;
    std::vector<Contact> found;
    find_self_contacts(body, found, scratch);
    EXPECT_TRUE(found.empty());
    // The right half turns back by 200 degrees about x = 4, z = 0.5: it passes through the left.
    const Rigidd fold = math::rotation_about<double>(Vec3d(4, 0, 0.5), Vec3d::UnitY(), math::radians(-200));
    std::vector<Mat34f> palette(2);
    palette[1] = deform::to_mat34(fold.matrix());
    body.set_pose(palette);
    find_self_contacts(body, found, scratch);
    EXPECT_EQ(found, brute_force_self_contacts(body));
    EXPECT_FALSE(found.empty());
}

TEST(SelfQuery, CharactersMatchBruteForce) {
    const Actor horse("horse", 1000);
    for (const Method method : all_methods) {
        Body body(horse.tree, method);
        QueryScratch scratch;
        std::vector<Contact> found;
        for (int frame = 0; frame < 3; ++frame) {
            Random random(static_cast<unsigned>(frame));
            body.set_pose(random_palette(horse.tree, random, 1, 0.02));
            find_self_contacts(body, found, scratch);
            ASSERT_EQ(found, brute_force_self_contacts(body));
        }
        EXPECT_FALSE(found.empty());
    }
}

}  // namespace query_test
}  // namespace sinew::collide
