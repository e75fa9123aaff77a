// SPDX-License-Identifier: MIT
// What is kept from one frame to the next must not change an answer.

#include "scenes.h"
#include "support/shapes.h"
#include <gtest/gtest.h>

#include "sinew/collide/query.h"

namespace sinew::collide {
namespace reuse_test {

using deform::Method;
using test::Random;

void make_all_spheres(Body& body, QueryScratch& scratch) {
    for (std::uint32_t n = 0; n < body.tree().data().nodes.size(); ++n) body.sphere(n, scratch);
}

Rigidd random_motion(Random& random) {
    return {random.rotation(), random.vector(2)};
}

/// Every vertex of the body and of skinning lies in the spheres of the nodes that hold it.
void expect_inside(Body& body, const Actor& actor, std::span<const Mat34f> palette, QueryScratch& scratch) {
    static const deform::Skinner skinner(actor.character.mesh, actor.character.skin,
                                         &actor.character.skeleton);
    const std::vector<Vec3f> skinned = played(skinner, palette, Method::lbs);
    const SphereTree& tree = actor.tree;
    for (std::uint32_t n = 0; n < tree.data().nodes.size(); ++n) {
        const Sphere sphere = body.sphere(n, scratch);
        const Node& node = tree.data().nodes[n];
        for (std::uint32_t v = node.first_vertex; v < node.first_vertex + node.vertex_count; ++v) {
            ASSERT_LE((body.vertex(v, scratch).cast<double>() - sphere.center).norm(), sphere.radius) << n;
            ASSERT_LE((skinned[tree.data().vertex_ids[v]].cast<double>() - sphere.center).norm(),
                      sphere.radius)
                << n;
        }
    }
}

TEST(SphereReuse, BodiesThatMoveAsAWholeKeepSpheresAroundTheirVertices) {
    const Actor horse("horse", 1000, {.max_leaf_triangles = 16});
    Random random(81);
    Body body(horse.tree);
    QueryScratch scratch;
    body.set_pose(horse.pose(0.3));
    make_all_spheres(body, scratch);
    const std::size_t nodes = horse.tree.data().nodes.size();
    EXPECT_EQ(scratch.counts().refits, nodes);
    std::vector<double> radii;
    for (std::uint32_t n = 0; n < nodes; ++n) radii.push_back(body.sphere(n, scratch).radius);
    double grown = 0;
    std::size_t anew = 0;
    for (int step = 0; step < 40; ++step) {
        scratch.counts() = {};
        const auto palette = horse.pose(0.3, random_motion(random));
        body.set_pose(palette);
        expect_inside(body, horse, palette, scratch);
        EXPECT_EQ(scratch.counts().reused + scratch.counts().refits, nodes);
        anew += scratch.counts().refits > 0;
        if (anew > 0) continue;
        for (std::uint32_t n = 0; n < nodes; ++n)
            grown = std::max(grown, body.sphere(n, scratch).radius - radii[n]);
    }
    EXPECT_EQ(anew, 1u) << "once in a while all are made anew, because they grow";
    EXPECT_GT(grown, 0);
    EXPECT_LT(grown, 2e-3 * horse.tree.data().reach);
}

TEST(SphereReuse, OnlyOfPosesThatAreTheLastMovedAsAWhole) {
    const Actor horse("horse", 1000);
    Random random(82);
    QueryScratch scratch;
    const auto reused_after = [&](Body& body, const std::vector<Mat34f>& first,
                                  const std::vector<Mat34f>& second,
                                  const Displacements& displacements = {}) {
        body.set_pose(first);
        make_all_spheres(body, scratch);
        scratch.counts() = {};
        body.set_pose(second, displacements);
        make_all_spheres(body, scratch);
        return scratch.counts().reused;
    };
    Body body(horse.tree);
    const auto start = horse.pose(0.3), whole = horse.pose(0.3, random_motion(random));
    EXPECT_EQ(reused_after(body, start, whole), horse.tree.data().nodes.size());
    EXPECT_EQ(reused_after(body, start, horse.pose(0.31)), 0u);
    for (std::size_t j = 0; j < start.size(); ++j) {
        auto nearly = whole;
        nearly[j].rows[1][3] += 1e-3f;
        EXPECT_EQ(reused_after(body, start, nearly), 0u) << "joint " << j << " moved by itself";
        nearly = whole;
        nearly[j].rows[0][0] += 1e-3f;
        EXPECT_EQ(reused_after(body, start, nearly), 0u) << "joint " << j << " changed its shape";
    }
    const std::vector<Vec3f> offsets(horse.tree.data().mesh_vertices, Vec3f(0.01f, 0, 0));
    EXPECT_EQ(reused_after(body, start, whole, {offsets, 0.02}), 0u);
    for (const Method method : {Method::sbs, Method::dqs}) {
        Body other(horse.tree, method);
        EXPECT_EQ(reused_after(other, start, whole), 0u);
    }
    body.reuse_spheres(false);
    EXPECT_EQ(reused_after(body, start, whole), 0u);
}

TEST(SphereReuse, SpheresOfAPoseBeforeTheLastAreNotTaken) {
    const Actor horse("horse", 1000);
    Body body(horse.tree);
    QueryScratch scratch;
    body.set_pose(horse.pose(0.3));
    make_all_spheres(body, scratch);
    body.set_pose(horse.pose(0.3, moved(1, 0, 0)));
    body.sphere(0, scratch);
    body.set_pose(horse.pose(0.3, moved(2, 0, 0)));
    scratch.counts() = {};
    make_all_spheres(body, scratch);
    EXPECT_EQ(scratch.counts().reused, 1u);
    const auto palette = horse.pose(0.3, moved(2, 0, 0));
    expect_inside(body, horse, palette, scratch);
}

TEST(SphereReuse, ContactsAreThoseOfBodiesWithoutIt) {
    const Actor horse("horse", 1000);
    Random random(83);
    Body a(horse.tree), b(horse.tree), plain_a(horse.tree), plain_b(horse.tree);
    plain_a.reuse_spheres(false);
    plain_b.reuse_spheres(false);
    QueryScratch scratch, plain;
    std::vector<Contact> out, expected;
    std::size_t contacts = 0;
    for (int step = 0; step < 60; ++step) {
        const auto pose_a = horse.pose(0.2, moved(0, 0, 0.01 * step)),
                   pose_b = horse.pose(0.6, moved(0.3, 0, 1.2 - 0.03 * step, 0.05 * step));
        for (Body* body : {&a, &plain_a}) body->set_pose(pose_a);
        for (Body* body : {&b, &plain_b}) body->set_pose(pose_b);
        find_contacts(a, b, out, scratch);
        find_contacts(plain_a, plain_b, expected, plain);
        ASSERT_EQ(out, expected) << step;
        contacts += out.size();
    }
    EXPECT_GT(contacts, 100u);
    EXPECT_EQ(plain.counts().reused, 0u);
    EXPECT_LT(3 * scratch.counts().refits, plain.counts().refits);
}

TEST(SphereReuse, CrowdsOnThreadsFindTheSame) {
    const Actor horse("horse", 1000);
    std::vector<Body> kept, plain;
    for (int i = 0; i < 12; ++i) {
        kept.emplace_back(horse.tree);
        plain.emplace_back(horse.tree).reuse_spheres(false);
    }
    CrowdScratch scratch, other;
    std::vector<BodyContact> out, expected;
    for (int step = 0; step < 6; ++step) {
        for (std::size_t i = 0; i < kept.size(); ++i) {
            const auto n = static_cast<double>(i);
            const auto palette =
                horse.pose(0.1 * n, moved(0.4 * n + 0.02 * step, 0, 0.1 * step, n + 0.1 * step));
            kept[i].set_pose(palette);
            plain[i].set_pose(palette);
        }
        find_crowd_contacts(kept, out, scratch);
        find_crowd_contacts(plain, expected, other, {.threads = false});
        ASSERT_EQ(out, expected) << step;
        ASSERT_GT(out.size(), 20u);
    }
    EXPECT_GT(scratch.counts().reused, 100u);
}

TEST(TouchMemory, AnswersAreThoseWithoutIt) {
    const Actor horse("horse", 1000), tube("tube", 0);
    for (const Method method : {Method::lbs, Method::dqs}) {
        Body a(horse.tree, method), b(horse.tree, method), c(tube.tree, method);
        QueryScratch scratch, plain;
        TouchMemory memory;
        int touched = 0;
        constexpr int frames = 120;
        for (int f = 0; f < frames; ++f) {
            a.set_pose(horse.pose(0.01 * f));
            b.set_pose(horse.pose(0.5 + 0.01 * f, moved(0.1, 0, 2.6 - 0.04 * f, math::pi)));
            const bool with = touching(a, b, scratch, memory);
            a.set_pose(horse.pose(0.01 * f));
            b.set_pose(horse.pose(0.5 + 0.01 * f, moved(0.1, 0, 2.6 - 0.04 * f, math::pi)));
            ASSERT_EQ(with, touching(a, b, plain)) << f;
            touched += with;
        }
        EXPECT_GT(touched, 20);
        EXPECT_LT(touched, frames - 20);
        EXPECT_LT(scratch.counts().refits, plain.counts().refits);
        // What it knows of other bodies does not count.
        a.set_pose(horse.pose(0));
        c.set_pose(tube.pose(0, moved(9, 0, 0)));
        memory = {{&horse.tree.data(), &horse.tree.data()}, {0, 0}};
        EXPECT_FALSE(touching(a, c, scratch, memory));
        EXPECT_EQ(memory.trees[0], nullptr);
    }
}

}  // namespace reuse_test
}  // namespace sinew::collide
