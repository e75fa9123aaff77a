#include <cmath>

#include "scenes.h"
#include <gtest/gtest.h>

#include "sinew/base/error.h"
#include "sinew/deform/reference/reference.h"
#include "sinew/deform/skinner.h"

namespace sinew::collide {
namespace body_test {

using deform::Method;
using test::Random;

constexpr Method all_methods[]{Method::lbs, Method::sbs, Method::dqs};
constexpr Refit all_refits[]{Refit::automatic, Refit::plain_hull, Refit::weighted_hull, Refit::records};

std::vector<Vec3d> exact(const model::Character& character, std::span<const Mat34f> palette, Method method) {
    const auto sets = model::group_by_influences(character.skin, &character.skeleton);
    std::vector<Mat4d> matrices;
    for (const Mat34f& m : palette) matrices.push_back(deform::to_mat4(m));
    return deform::deform<double>(character.mesh, character.skin, sets, matrices, method).positions;
}

/// Zero tolerance: every vertex of every node lies in its ball.
template <class Vertices>
void expect_contained(Body& body, const Vertices& vertices, QueryScratch& room, std::size_t& checks) {
    const SphereTree& tree = body.tree();
    for (std::uint32_t n = 0; n < tree.nodes.size(); ++n) {
        const Node& node = tree.nodes[n];
        const Ball ball = body.ball(n, room);
        for (std::uint32_t t = node.first_triangle; t < node.first_triangle + node.triangle_count; ++t) {
            for (const std::uint32_t v : tree.triangles[t]) {
                const Vec3d p = vertices[tree.vertex_ids[v]].template cast<double>();
                ASSERT_LE((p - ball.center).norm(), ball.radius)
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
        QueryScratch room;
        const auto reference = exact(horse.character, palette, method);
        const auto kernel = played(skinner, palette, method);
        for (std::uint32_t v = 0; v < horse.tree.positions.size(); ++v) {
            const Vec3d p = body.vertex(v, room).cast<double>();
            ASSERT_LE((p - reference[horse.tree.vertex_ids[v]]).norm(), 2e-6) << deform::name(method);
            ASSERT_LE((p - kernel[horse.tree.vertex_ids[v]].cast<double>()).norm(), 1e-5);
        }
    }
}

TEST(Body, BallsContainEveryVertexOfAnyPoseInAllBlendings) {
    BuildOptions with_leaves;
    with_leaves.leaf_records = true;
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
                for (const Refit refit : all_refits) {
                    Body body(actor.tree, method, refit);
                    body.set_pose(palette);
                    QueryScratch room;
                    expect_contained(body, reference, room, checks);
                    expect_contained(body, kernel, room, checks);
                }
            }
        }
    }
    EXPECT_GT(checks, 1000000u);
}

TEST(Body, BallsContainVerticesUnderScaleAndShear) {
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
            QueryScratch room;
            expect_contained(body, exact(hand.character, palette, method), room, checks);
        }
    }
    EXPECT_GT(checks, 10000u);
}

TEST(Body, RestPoseKeepsTheBalls) {
    BuildOptions options;
    options.leaf_records = true;
    options.max_leaf_triangles = 2;
    const Actor horse("horse", 1000, options);
    for (const Method method : all_methods) {
        Body body(horse.tree, method, Refit::records);
        QueryScratch room;
        int alone = 0;
        for (std::uint32_t n = 0; n < horse.tree.nodes.size(); ++n) {
            const Node& node = horse.tree.nodes[n];
            if (node.record_count != 1) continue;
            ++alone;
            const Ball rest = node.ball.widen(), ball = body.ball(n, room);
            ASSERT_NEAR((ball.center - rest.center).norm(), 0, 1e-6);
            ASSERT_NEAR(ball.radius, rest.radius, 1e-4 * horse.tree.reach);
        }
        EXPECT_GT(alone, 10);
    }
}

TEST(Body, ScaleOfTheOnlyJointScalesTheBall) {
    const auto horse = test::sample("horse", 1000);
    const SphereTree tree = build_tree(horse.mesh, {}, nullptr);
    Mat34f twice;
    for (int k = 0; k < 3; ++k) twice.rows[k][k] = 2;
    BuildOptions options;
    options.leaf_records = true;
    const SphereTree solid = build_tree(horse.mesh, {}, nullptr, options);
    Body body(solid);
    body.set_rigid_pose(twice);
    QueryScratch room;
    const Ball ball = body.ball(0, room), rest = solid.nodes[0].ball.widen();
    EXPECT_NEAR(ball.radius, 2 * rest.radius, 1e-4);
    EXPECT_NEAR((ball.center - 2 * rest.center).norm(), 0, 1e-6);
}

TEST(Body, RigidMotionMovesTheBallsAndKeepsTheirRadii) {
    const Actor horse("horse", 1000, {.max_leaf_triangles = 8});
    Random random(33);
    const Rigidd world{random.rotation(), Vec3d(0.4, -0.2, 0.7)};
    const auto palette = random_palette(horse.tree, random, 0.8, 0.02);
    auto placed = palette;
    for (Mat34f& m : placed) m = deform::to_mat34(Mat4d(world.matrix() * deform::to_mat4(m)));
    for (const Method method : all_methods) {
        Body body(horse.tree, method), other(horse.tree, method);
        body.set_pose(palette);
        other.set_pose(placed);
        QueryScratch room;
        int bounded = 0;
        for (std::uint32_t n = 0; n < horse.tree.nodes.size(); ++n) {
            const Ball a = body.ball(n, room), b = other.ball(n, room);
            ASSERT_EQ(a.bounded(), b.bounded());
            if (!a.bounded()) continue;
            ++bounded;
            // The spherical centre is the one of least norm, which rests with the rest pose; the choice of a
            // centre for a ball depends on the axes.
            ASSERT_NEAR(a.radius, b.radius, 0.15 * a.radius + 2e-4) << deform::name(method);
        }
        EXPECT_GT(bounded, 50);
    }
}

TEST(Body, TighterVariantsAreTighter) {
    const Actor horse("horse", 1000, {.max_leaf_triangles = 4});
    const auto palette = horse.pose(0.25);
    QueryScratch room;
    for (const Method method : all_methods) {
        Body plain(horse.tree, method, Refit::plain_hull), weighted(horse.tree, method, Refit::weighted_hull),
            records(horse.tree, method, Refit::records), automatic(horse.tree, method),
            best(horse.tree, method);
        Body* const bodies[]{&plain, &weighted, &records, &automatic, &best};
        for (Body* body : bodies) body->set_pose(palette);
        best.fill_best(room);
        double sums[5]{}, fewer = 0;
        for (std::uint32_t n = 0; n < horse.tree.nodes.size(); ++n) {
            if (horse.tree.nodes[n].leaf()) continue;
            for (std::size_t k = 0; k < 5; ++k) sums[k] += bodies[k]->ball(n, room).radius;
            fewer += std::min(weighted.ball(n, room).radius, records.ball(n, room).radius);
        }
        if (method == Method::lbs) {
            EXPECT_LT(sums[1], sums[0]);
        }
        EXPECT_LE(sums[3], 1.02 * fewer) << "each set by the better of both";
        EXPECT_LE(sums[4], sums[3]);
        EXPECT_LT(sums[3], 1.1 * sums[4]) << deform::name(method);
    }
}

TEST(Body, CancellingRotationsGiveUnboundedNodesNotWrongOnes) {
    const Actor tube("tube", 0);
    auto palette = std::vector<Mat34f>(tube.tree.palette_size);
    Random random(34);
    std::size_t unbounded_nodes = 0, checks = 0;
    for (int round = 0; round < 30; ++round) {
        for (Mat34f& m : palette) m = deform::to_mat34(Rigidd{random.rotation(), random.vector(1)}.matrix());
        Body body(tube.tree, Method::dqs);
        body.set_pose(palette);
        QueryScratch room;
        for (std::uint32_t n = 0; n < tube.tree.nodes.size(); ++n)
            unbounded_nodes += !body.ball(n, room).bounded();
        std::vector<Vec3d> own(tube.character.mesh.positions.size());
        for (std::uint32_t v = 0; v < tube.tree.positions.size(); ++v)
            own[tube.tree.vertex_ids[v]] = body.vertex(v, room).cast<double>();
        expect_contained(body, own, room, checks);
    }
    SUCCEED() << unbounded_nodes;
}

TEST(Body, WrongPalettesAndMethodsAreErrors) {
    const Actor tube("tube", 0);
    Body body(tube.tree);
    std::vector<Mat34f> palette(tube.tree.palette_size);
    EXPECT_THROW(body.set_pose(std::span(palette).first(palette.size() - 1)), Error);
    palette[0].rows[1][2] = std::nanf("");
    EXPECT_THROW(body.set_pose(palette), Error);
    EXPECT_THROW(Body(tube.tree, Method::log), Error);
}

TEST(Body, DisplacedVerticesStayInTheirBalls) {
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
        QueryScratch room;
        std::size_t checks = 0;
        expect_contained(body, vertices, room, checks);
        body.set_pose(palette, {offsets, 0.001});
        EXPECT_THROW(for (std::uint32_t v = 0; v < horse.tree.positions.size(); ++v) body.vertex(v, room),
                     Error);
    }
}

}  // namespace body_test
}  // namespace sinew::collide
