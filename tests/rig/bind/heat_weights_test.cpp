// SPDX-License-Identifier: MIT
#include "rig/bind/support.h"
#include "support/shapes.h"

#include "sinew/base/parallel.h"
#include "sinew/rig/bind/methods.h"

namespace sinew::rig {
namespace {

using test::difference;
using test::expect_convex;
using test::weight;

TEST(HeatWeights, SumToOne) {
    const auto mesh = test::body_of(test::figure(), 0.06);
    const auto table = heat_weights(mesh, test::figure_skeleton());
    expect_convex(table, mesh.positions.size(), 1e-8);
}

TEST(HeatWeights, AreHalfWhereBonesMeet) {
    const auto mesh = test::body_of(test::capsule(), 0.05);
    const auto table = heat_weights(mesh, test::capsule_skeleton());
    for (std::size_t v = 0; v < table.size(); ++v) {
        const float y = mesh.positions[v].y();
        if (std::abs(y) < 0.01f) {
            EXPECT_NEAR(weight(table, v, 0), 0.5, 0.06);
        }
        if (y > 0.9f) {
            EXPECT_GT(weight(table, v, 1), 0.95);
        }
    }
}

TEST(HeatWeights, DoNotJumpBetweenLegs) {
    // The legs are nearer to each other than they are long: a leg does not see the bone of the other.
    const auto mesh = test::body_of(test::figure(), 0.06);
    const auto skeleton = test::figure_skeleton();
    const auto left_shin = [](const math::Vec3d& p) { return p.x() > 0.05 && p.y() < -0.8; };
    const int other = skeleton.find("shin_r");
    EXPECT_LT(test::max_weight(heat_weights(mesh, skeleton), mesh, other, left_shin), 1e-3);
    EXPECT_GT(test::max_weight(nearest_weights(mesh, skeleton), mesh, other, left_shin), 1e-3);
}

TEST(HeatWeights, APieceThatSeesNoBoneHasEmptyRows) {
    auto mesh = test::body_of(test::capsule(), 0.08);
    const std::size_t body = mesh.positions.size();
    geometry::append(mesh, test::cube({3, 0, 0}, 0.2f));  // its faces look at the bones, which are outside it
    const auto table = heat_weights(mesh, test::capsule_skeleton());
    for (std::size_t v = 0; v < body; ++v) EXPECT_FALSE(table[v].empty());
    for (std::size_t v = body; v < mesh.positions.size(); ++v) EXPECT_TRUE(table[v].empty());
    const model::Skin skin = make_skin(table, test::capsule_skeleton(), mesh);
    model::validate(skin, mesh.positions.size(), 2, "skin");
}

TEST(HeatWeights, TakeEdgesWithThreeTriangles) {
    auto mesh = test::body_of(test::capsule(), 0.08);
    // A fin on the side, one edge of which is an edge of the body.
    const auto edge = mesh.triangles[0];
    mesh.positions.emplace_back(2, 0, 0);
    mesh.triangles.push_back({edge[0], edge[1], static_cast<std::uint32_t>(mesh.positions.size() - 1)});
    expect_convex(heat_weights(mesh, test::capsule_skeleton()), mesh.positions.size(), 1e-7);
}

TEST(HeatWeights, DoNotDependOnScaleOrThreads) {
    const auto mesh = test::body_of(test::figure(), 0.08);
    const auto skeleton = test::figure_skeleton();
    const auto table = heat_weights(mesh, skeleton);
    // Scaling by a power of two leaves the same digits.
    const double factor = 1.0 / (1 << 20);
    EXPECT_LT(difference(table, heat_weights(test::scaled(mesh, static_cast<float>(factor)),
                                             test::scaled(skeleton, factor))),
              1e-6);
    set_thread_count(1);
    EXPECT_EQ(difference(table, heat_weights(mesh, skeleton)), 0);
    set_thread_count(0);
}

}  // namespace
}  // namespace sinew::rig
