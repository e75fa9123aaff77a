// SPDX-License-Identifier: MIT
#include <cmath>

#include "reference/collide/brute_force.h"
#include "reference/deform/reference.h"
#include "scenes.h"
#include "support/shapes.h"
#include <gtest/gtest.h>

#include "sinew/base/error.h"
#include "sinew/collide/body/posed_body.h"
#include "sinew/collide/query/search_scratch.h"
#include "sinew/deform/skinner.h"

namespace sinew::collide {
namespace body_test {

using deform::Method;
using test::Random;

constexpr Method all_methods[]{Method::lbs, Method::sbs, Method::dqs};

std::vector<Vec3d> exact(const model::Character& character, std::span<const Mat34f> palette, Method method) {
    const auto sets = model::group_by_influences(character.skin, &character.skeleton);
    std::vector<Mat4d> matrices;
    for (const Mat34f& m : palette) matrices.push_back(deform::to_mat4(m));
    return deform::deform<double>(character.mesh, character.skin, sets, matrices, method).positions;
}

/// Zero tolerance: every vertex of every node lies in its sphere.
template <class Vertices>
void expect_contained(Body& body, const Vertices& vertices, QueryScratch& scratch, std::size_t& checks) {
    const SphereTree& tree = body.tree();
    for (std::uint32_t n = 0; n < tree.data().nodes.size(); ++n) {
        const Node& node = tree.data().nodes[n];
        const Sphere sphere = body.sphere(n, scratch);
        for (std::uint32_t t = node.first_triangle; t < node.first_triangle + node.triangle_count; ++t) {
            for (const std::uint32_t v : tree.data().triangles[t]) {
                const Vec3d p = vertices[tree.data().vertex_ids[v]].template cast<double>();
                ASSERT_LE((p - sphere.center).norm(), sphere.radius)
                    << "node " << n << " vertex " << v << " " << deform::name(body.method());
                ++checks;
            }
        }
    }
}

TEST(Body, VerticesAreThoseOfSkinning) {
    const Actor horse("horse", 1000);
    const auto palette = horse.pose(0.3, moved(0.4, 0, 1, 0.7));
    const deform::Skinner skinner(horse.character.mesh, horse.character.skin, &horse.character.skeleton);
    for (const Method method : all_methods) {
        Body body(horse.tree, method);
        body.set_pose(palette);
        QueryScratch scratch;
        const auto reference = exact(horse.character, palette, method);
        const auto kernel = played(skinner, palette, method);
        for (std::uint32_t v = 0; v < horse.tree.data().positions.size(); ++v) {
            const Vec3d p = body.vertex(v, scratch).cast<double>();
            ASSERT_LE((p - reference[horse.tree.data().vertex_ids[v]]).norm(), 2e-6) << deform::name(method);
            ASSERT_LE((p - kernel[horse.tree.data().vertex_ids[v]].cast<double>()).norm(), 1e-5);
        }
    }
}

TEST(Body, SpheresContainEveryVertexOfAnyPoseInAllBlendings) {
    TreeLimits with_leaves;
    with_leaves.leaf_set_bounds = true;
    with_leaves.max_leaf_triangles = 2;
    const Actor actors[]{{"horse", 1000}, {"hand", 1000, with_leaves}};
    Random random(31);
    std::size_t checks = 0;
    for (const Actor& actor : actors) {
        const deform::Skinner skinner(actor.character.mesh, actor.character.skin, &actor.character.skeleton);
        for (int round = 0; round < 6; ++round) {
            const double angle = round % 3 == 0 ? 0.5 : round % 3 == 1 ? 1.6 : math::pi;
            auto palette = random_palette(actor.tree, random, angle, round % 2 == 0 ? 0.05 : 1.0);
            const double far = round == 5 ? 1e4 : 0;
            for (Mat34f& m : palette) m.rows[0][3] += static_cast<float>(far);
            for (const Method method : all_methods) {
                const auto reference = exact(actor.character, palette, method);
                const auto kernel = played(skinner, palette, method);
                Body body(actor.tree, method);
                body.set_pose(palette);
                QueryScratch scratch;
                expect_contained(body, reference, scratch, checks);
                expect_contained(body, kernel, scratch, checks);
            }
        }
    }
    EXPECT_GT(checks, 300000u);
}

TEST(Body, SpheresContainVerticesUnderScaleAndShear) {
    const Actor hand("hand", 1000);
    Random random(32);
    std::size_t checks = 0;
    for (int round = 0; round < 6; ++round) {
        auto palette = random_palette(hand.tree, random, 1, 0.05);
        for (Mat34f& m : palette) {
            math::Mat3d stretch = math::Mat3d::Identity();
            for (double& x : stretch.reshaped()) x += random.uniform(-0.3, 0.3);
            Mat4d matrix = deform::to_mat4(m);
            matrix.topLeftCorner<3, 3>() *= stretch;
            m = deform::to_mat34(matrix);
        }
        for (const Method method : all_methods) {
            Body body(hand.tree, method);
            body.set_pose(palette);
            QueryScratch scratch;
            expect_contained(body, exact(hand.character, palette, method), scratch, checks);
        }
    }
    EXPECT_GT(checks, 10000u);
}

TEST(Body, SpheresOfOneJointMoveWithIt) {
    TreeLimits options;
    options.leaf_set_bounds = true;
    options.max_leaf_triangles = 2;
    const Actor horse("horse", 1000, options);
    const TreeData& tree = horse.tree.data();
    Random random(36);
    const auto turned = random_palette(horse.tree, random, 2.5, 0.3);
    const double rounding = 1e-4 * tree.reach;
    for (const Method method : all_methods) {
        Body rest(horse.tree, method), body(horse.tree, method);
        body.set_pose(turned);
        QueryScratch scratch;
        int alone = 0, of_one_joint = 0;
        for (std::uint32_t n = 0; n < tree.nodes.size(); ++n) {
            const Node& node = tree.nodes[n];
            if (node.set_bound_count != 1) continue;
            ++alone;
            const Sphere own = node.sphere.widen(), still = rest.sphere(n, scratch);
            ASSERT_NEAR((still.center - own.center).norm(), 0, 1e-6);
            ASSERT_NEAR(still.radius, own.radius, rounding);
            const auto joints = tree.joints_of(tree.set_bounds_of(node)[0].set);
            if (joints.size() != 1) continue;
            ++of_one_joint;
            const Mat4d motion = deform::to_mat4(turned[joints[0]]);
            const Sphere moving = body.sphere(n, scratch);
            ASSERT_NEAR((moving.center - math::transform_point(motion, own.center)).norm(), 0, 1e-6);
            ASSERT_NEAR(moving.radius, own.radius, rounding) << deform::name(method);
        }
        EXPECT_GT(alone, 10);
        EXPECT_GT(of_one_joint, 10);
    }
}

TEST(Body, ScaleOfTheOnlyJointScalesTheSphere) {
    const auto horse = test::sample("horse", 1000);
    Mat34f twice;
    for (int k = 0; k < 3; ++k) twice.rows[k][k] = 2;
    TreeLimits options;
    options.leaf_set_bounds = true;
    const SphereTree solid(std::make_shared<TreeData>(build_tree_data(horse.mesh, {}, nullptr, options)));
    Body body(solid);
    body.set_rigid_pose(twice);
    QueryScratch scratch;
    const Sphere sphere = body.sphere(0, scratch), rest = solid.data().nodes[0].sphere.widen();
    EXPECT_NEAR(sphere.radius, 2 * rest.radius, 1e-4);
    EXPECT_NEAR((sphere.center - 2 * rest.center).norm(), 0, 1e-6);
}

TEST(Body, RigidMotionMovesTheSpheresAndKeepsTheirRadii) {
    const Actor horse("horse", 1000, {.max_leaf_triangles = 8});
    Random random(33);
    const Rigidd any{random.rotation(), Vec3d(0.4, -0.2, 0.7)};
    const auto palette = random_palette(horse.tree, random, 0.8, 0.02);
    // Centres are middles of boxes along the axes, so only quarter turns take them along exactly; after other
    // turns radii are nearly the same.
    const Rigidd quarter{math::axis_angle<double>(Vec3d::UnitZ(), math::pi / 2) *
                             math::axis_angle<double>(Vec3d::UnitX(), math::pi / 2),
                         Vec3d(0.5, -0.25, 0.75)};
    for (const bool exactly : {true, false}) {
        const Rigidd& world = exactly ? quarter : any;
        auto positioned = palette;
        for (Mat34f& m : positioned) m = deform::to_mat34(Mat4d(world.matrix() * deform::to_mat4(m)));
        for (const Method method : all_methods) {
            Body body(horse.tree, method), other(horse.tree, method);
            body.set_pose(palette);
            other.set_pose(positioned);
            QueryScratch scratch;
            int bounded = 0;
            for (std::uint32_t n = 0; n < horse.tree.data().nodes.size(); ++n) {
                const Sphere a = body.sphere(n, scratch), b = other.sphere(n, scratch);
                ASSERT_EQ(a.bounded(), b.bounded());
                if (!a.bounded()) continue;
                ++bounded;
                const double slack = exactly ? 1e-4 : 0.15;
                ASSERT_NEAR(a.radius, b.radius, slack * a.radius + 2e-4) << deform::name(method);
                if (exactly) {
                    ASSERT_NEAR((world * a.center - b.center).norm(), 0, 1e-4 * a.radius + 1e-5);
                }
            }
            EXPECT_GT(bounded, 50);
        }
    }
}

TEST(Body, RefitsAreNearlyAsTightAsTheSmallestSpheres) {
    const Actor horse("horse", 1000, {.max_leaf_triangles = 4});
    const auto palette = horse.pose(0.25);
    QueryScratch scratch;
    for (const Method method : all_methods) {
        Body refitted(horse.tree, method), best(horse.tree, method);
        for (Body* body : {&refitted, &best}) body->set_pose(palette);
        best.posed().refit_best(scratch.buffers().refit);
        double sum = 0, smallest = 0;
        for (std::uint32_t n = 0; n < horse.tree.data().nodes.size(); ++n) {
            if (horse.tree.data().nodes[n].leaf()) continue;
            sum += refitted.sphere(n, scratch).radius;
            smallest += best.sphere(n, scratch).radius;
        }
        EXPECT_LE(smallest, sum);
        EXPECT_LT(sum, 1.1 * smallest) << deform::name(method);
    }
}

TEST(Body, CancellingRotationsGiveUnboundedNodesNotWrongOnes) {
    const Actor horse("horse", 1000, {.max_leaf_triangles = 8});
    const SphereTree torus = build_tree(test::torus(), {}, nullptr, {.max_leaf_triangles = 4});
    Random random(34);
    std::size_t unbounded_nodes = 0, checks = 0, contacts = 0;
    for (int round = 0; round < 10; ++round) {
        Body body(horse.tree, Method::dqs), ring(torus, Method::dqs);
        body.set_pose(random_palette(horse.tree, random, math::pi, 0.3));
        ring.set_rigid_pose(deform::to_mat34(Rigidd{random.rotation(), random.vector(0.3)}.matrix()));
        QueryScratch scratch;
        std::vector<Contact> found;
        find_contacts(body, ring, found, scratch);
        EXPECT_EQ(found, brute_force_contacts(body, ring));
        contacts += found.size();
        for (std::uint32_t n = 0; n < horse.tree.data().nodes.size(); ++n)
            unbounded_nodes += !body.sphere(n, scratch).bounded();
        std::vector<Vec3d> own(horse.character.mesh.positions.size());
        for (std::uint32_t v = 0; v < horse.tree.data().positions.size(); ++v)
            own[horse.tree.data().vertex_ids[v]] = body.vertex(v, scratch).cast<double>();
        expect_contained(body, own, scratch, checks);
    }
    EXPECT_GT(unbounded_nodes, 20u);
    EXPECT_GT(contacts, 100u);
}

TEST(Body, WrongPalettesAndMethodsAreErrors) {
    const Actor tube("tube", 0);
    Body body(tube.tree);
    std::vector<Mat34f> palette(tube.tree.data().palette_size);
    EXPECT_THROW(body.set_pose(std::span(palette).first(palette.size() - 1)), Error);
    palette[0].rows[1][2] = std::nanf("");
    EXPECT_THROW(body.set_pose(palette), Error);
    EXPECT_THROW(Body(tube.tree, Method::log), Error);
}

TEST(Body, DisplacedVerticesStayInTheirSpheres) {
    const Actor horse("horse", 1000);
    Random random(35);
    std::vector<Vec3f> offsets;
    for (std::size_t v = 0; v < horse.character.mesh.positions.size(); ++v)
        offsets.push_back((0.03 * random.uniform() * random.unit_vector()).cast<float>());
    const auto palette = horse.pose(0.4);
    for (const Method method : all_methods) {
        Body body(horse.tree, method);
        body.set_pose(palette, {offsets, 0.031});
        auto vertices = exact(horse.character, palette, method);
        for (std::size_t v = 0; v < vertices.size(); ++v) vertices[v] += offsets[v].cast<double>();
        QueryScratch scratch;
        std::size_t checks = 0;
        expect_contained(body, vertices, scratch, checks);
        body.set_pose(palette, {offsets, 0.001});
        EXPECT_THROW(
            for (std::uint32_t v = 0; v < horse.tree.data().positions.size(); ++v) body.vertex(v, scratch),
            Error);
    }
}

}  // namespace body_test
}  // namespace sinew::collide
