// SPDX-License-Identifier: MIT
#include "sinew/rig/curve/curve_skeleton.h"

#include <algorithm>
#include <cmath>

#include "rig/limbs.h"
#include <gtest/gtest.h>

#include "sinew/rig/curve/voxel_skeleton.h"

namespace sinew::rig {
namespace {

CurveSkeleton graph(int nodes, std::vector<std::array<int, 2>> edges) {
    CurveSkeleton curve;
    for (int i = 0; i < nodes; ++i) curve.nodes.push_back({Vec3d(i, 0, 0), 1});
    curve.edges = std::move(edges);
    return curve;
}

TEST(CurveSkeleton, BranchesOfAStarAndARing) {
    // 0-1-2 with 2-3, 2-4-5: three branches from the junction 2.
    const CurveSkeleton star = graph(6, {{0, 1}, {1, 2}, {2, 3}, {2, 4}, {4, 5}});
    const auto found = branches(star);
    ASSERT_EQ(found.size(), 3u);
    EXPECT_EQ(found[0].nodes, (std::vector<int>{0, 1, 2}));
    EXPECT_EQ(found[0].length, 2);
    EXPECT_EQ(degrees(star), (std::vector<int>{1, 2, 3, 1, 2, 1}));
    EXPECT_EQ(piece_count(star), 1);

    const CurveSkeleton ring = graph(4, {{0, 1}, {0, 3}, {1, 2}, {2, 3}});
    ASSERT_EQ(branches(ring).size(), 1u);
    EXPECT_EQ(branches(ring)[0].nodes.size(), 5u);
    EXPECT_EQ(branches(ring)[0].nodes.front(), branches(ring)[0].nodes.back());

    // A ring that is attached to a stem.
    const CurveSkeleton hung = graph(4, {{0, 1}, {1, 2}, {1, 3}, {2, 3}});
    EXPECT_EQ(branches(hung).size(), 2u);
}

TEST(CurveSkeleton, Pieces) {
    EXPECT_EQ(piece_count(graph(5, {{0, 1}, {2, 3}})), 3);
    EXPECT_EQ(piece_count({}), 0);
}

TEST(LimbCurve, BothSidesOfABodyThatWasCut) {
    BodyField field = body_field(test::body_of({{{0, -1, 0}, {0, 1, 0}, 0.3}}));
    for (std::size_t cell = 0; cell < field.solid.inside.size(); ++cell) {
        if (std::abs(field.center(cell).y()) > field.cell()) continue;
        field.solid.inside[cell] = 0;
        field.body[cell] = 0;
    }
    ASSERT_EQ(field.bodies, 1);
    const BodyGraph graph(field);
    std::vector<BodyTip> tips;
    for (const double side : {1.0, -1.0}) {
        const std::uint32_t node = graph.nearest(Vec3d(0, 1.2 * side, 0), 3);
        ASSERT_NE(node, BodyGraph::none);
        tips.push_back({node, 1, 1, false});
    }
    const CurveSkeleton curve = limb_curve(field, graph, tips);
    EXPECT_EQ(piece_count(curve), 2);
    EXPECT_EQ(std::ranges::count_if(curve.nodes, [](const CurveNode& n) { return n.position.y() > 0; }), 1);
}

TEST(LimbCurve, NothingIsLeftOfABodyThatACutTookAway) {
    BodyField field = body_field(test::body_of({{{0, -1, 0}, {0, 1, 0}, 0.3}}));
    std::ranges::fill(field.solid.inside, std::uint8_t{0});
    std::ranges::fill(field.body, 0u);
    const BodyGraph graph(field);
    const std::vector<BodyTip> tips = limb_tips(field, graph);
    EXPECT_TRUE(tips.empty());
    EXPECT_TRUE(limb_curve(field, graph, tips).empty());
}

}  // namespace
}  // namespace sinew::rig
