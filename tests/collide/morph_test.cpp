// SPDX-License-Identifier: MIT
// Bodies whose rest shape changes before skinning.

#include "reference/collide/brute_force.h"
#include "reference/deform/reference.h"
#include "scenes.h"
#include "support/shapes.h"
#include <gtest/gtest.h>

#include "sinew/base/error.h"
#include "sinew/collide/body/posed_body.h"

namespace sinew::collide {
namespace {

using deform::Method;
using test::Random;

/// A horse with a belly that swells, one half that shifts, and one that wrinkles everywhere.
model::Character morphing() {
    model::Character character = test::sample("horse", 1000);
    geometry::Mesh& mesh = character.mesh;
    Random random(91);
    const auto count = mesh.positions.size();
    geometry::Morph swell{"swell", 0, {}, {}, 0},
        shift{"shift", static_cast<std::uint32_t>(count / 2), {}, {}, 0}, wrinkle{"wrinkle", 0, {}, {}, 0};
    for (std::size_t v = 0; v < count; ++v) {
        const Vec3f p = mesh.positions[v];
        swell.positions.push_back(std::abs(p.z()) < 0.3f ? Vec3f(0.5f * p.x(), 0, 0) : Vec3f::Zero());
        if (v >= count / 2) shift.positions.emplace_back(0.05f, 0.02f, -0.1f);
        wrinkle.positions.push_back(random.vector(0.02).cast<float>());
    }
    mesh.morphs = {swell, shift, wrinkle};
    return character;
}

std::vector<float> random_weights(Random& random) {
    std::vector<float> weights;
    for (int k = 0; k < 3; ++k)
        weights.push_back(random.integer(0, 2) == 0 ? 0.0f : static_cast<float>(random.uniform(-1.5, 1.5)));
    return weights;
}

/// Vertices by the reference of skinning, in mesh order.
std::vector<Vec3d> exact(const model::Character& character, std::span<const float> weights,
                         std::span<const Mat34f> palette, Method method) {
    std::vector<Mat4d> wide;
    for (const Mat34f& m : palette) wide.push_back(deform::to_mat4(m));
    const auto sets = model::group_by_influences(character.skin, &character.skeleton);
    return deform::deform<double>(deform::morphed<double>(character.mesh, weights), character.skin, sets,
                                  wide, method)
        .positions;
}

TEST(MorphedTree, SpheresContainTheVerticesOfEveryShapeAndPose) {
    const model::Character character = morphing();
    Random random(92);
    for (const bool small : {false, true}) {
        TreeLimits options;
        if (small) options = {.max_leaf_triangles = 8, .leaf_set_bounds = true, .joint_hull_above = 10};
        const SphereTree tree = limited_tree(character, options);
        const MorphBounds bounds(tree, character.mesh);
        ASSERT_FALSE(bounds.empty());
        for (const Method method : {Method::lbs, Method::sbs, Method::dqs}) {
            Body body(tree, bounds, method);
            QueryScratch scratch;
            for (int round = 0; round < 4; ++round) {
                const auto weights = random_weights(random);
                const auto palette = random_palette(tree, random, 0.8, 0.1);
                body.set_morph_weights(weights);
                body.set_pose(palette);
                const auto vertices = exact(character, weights, palette, method);
                for (std::uint32_t v = 0; v < tree.data().positions.size(); v += 7) {
                    const Vec3d off =
                        vertices[tree.data().vertex_ids[v]] - body.vertex(v, scratch).cast<double>();
                    ASSERT_LE(off.norm(), 1e-4) << name(method);
                }
                for (std::uint32_t n = 0; n < tree.data().nodes.size(); ++n) {
                    const Node& node = tree.data().nodes[n];
                    const Sphere sphere = body.sphere(n, scratch);
                    for (std::uint32_t v = node.first_vertex; v < node.first_vertex + node.vertex_count;
                         ++v) {
                        const Vec3d& p = vertices[tree.data().vertex_ids[v]];
                        ASSERT_LE((p - sphere.center).norm(), sphere.radius) << name(method) << " node " << n;
                    }
                }
            }
        }
    }
}

TEST(MorphedTree, RestShapeHasTheSpheresOfTheTreeAndOneWeightMovesThem) {
    model::Character character = morphing();
    const auto all = static_cast<std::ptrdiff_t>(character.mesh.positions.size());
    character.mesh.morphs = {
        {"up", 0, std::vector<Vec3f>(static_cast<std::size_t>(all), Vec3f(0, 2, 0)), {}, 0}};
    const SphereTree tree = build_tree(character);
    const MorphBounds bounds(tree, character.mesh);
    Body body(tree, bounds), plain(tree);
    QueryScratch scratch;
    const std::vector<Mat34f> rest(tree.data().palette_size);
    for (const float weight : {0.0f, 0.5f, 0.0f, -1.0f}) {
        body.set_morph_weights(std::vector{weight});
        body.set_pose(rest);
        for (std::uint32_t n = 0; n < tree.data().nodes.size(); ++n) {
            const Sphere sphere = body.sphere(n, scratch), before = plain.sphere(n, scratch);
            EXPECT_LT((sphere.center - before.center - Vec3d(0, 2.0 * static_cast<double>(weight), 0)).norm(),
                      1e-4);
            EXPECT_NEAR(sphere.radius, before.radius, 1e-4) << "all move alike";
        }
    }
}

TEST(MorphedTree, ContactsAreThoseOfTheMorphedMesh) {
    const model::Character character = morphing();
    const SphereTree tree = build_tree(character);
    const MorphBounds bounds(tree, character.mesh);
    Random random(93);
    const Actor horse("horse", 1000);
    std::size_t different = 0;
    for (const Method method : {Method::lbs, Method::dqs}) {
        Body a(tree, bounds, method), b(horse.tree, method), rest(tree, method);
        QueryScratch scratch;
        std::vector<Contact> out, without;
        for (int round = 0; round < 8; ++round) {
            const auto weights = random_weights(random);
            a.set_morph_weights(weights);
            const auto pose_a = horse.pose(0.1 * round), pose_b = horse.pose(0.3, moved(0.35, 0, 0.1, 2.5));
            a.set_pose(pose_a);
            rest.set_pose(pose_a);
            b.set_pose(pose_b);
            find_contacts(a, b, out, scratch);
            // A tree built anew on the morphed mesh.
            model::Character fixed = character;
            fixed.mesh.positions = deform::morphed<float>(character.mesh, weights).positions;
            const SphereTree fresh = build_tree(fixed);
            Body c(fresh, method);
            c.set_pose(pose_a);
            ASSERT_EQ(out, brute_force_contacts(c, b)) << round;
            find_contacts(rest, b, without, scratch);
            different += out != without;
        }
    }
    EXPECT_GT(different, 8u);
}

TEST(MorphedTree, OnlyWhatIsAskedForIsMovedAndNonsenseIsAnError) {
    model::Character character = morphing();
    const SphereTree tree = build_tree(character, {.max_leaf_triangles = 8});
    const MorphBounds bounds(tree, character.mesh);
    Body body(tree, bounds);
    const Vec3f before = body.posed().tree().positions[5];
    body.set_morph_weights(std::vector{0.0f, 0.0f, 1.0f});
    EXPECT_EQ(body.posed().tree().positions[5], before);
    body.set_pose(std::vector<Mat34f>(tree.data().palette_size));
    QueryScratch scratch;
    EXPECT_NE(body.vertex(5, scratch), before);
    EXPECT_THROW(body.set_morph_weights(std::vector{1.0f}), Error);
    EXPECT_THROW(Body(tree).set_morph_weights(std::vector{1.0f}), Error);
    EXPECT_THROW(body.set_morph_weights(std::vector{1.0f, 0.0f, std::numeric_limits<float>::infinity()}),
                 Error);
    EXPECT_THROW(MorphBounds(tree, test::cube()), Error);
    character.mesh.morphs[1].first += 1;
    EXPECT_THROW(MorphBounds(tree, character.mesh), Error);
}

}  // namespace
}  // namespace sinew::collide
