// SPDX-License-Identifier: MIT
#include "sinew/rig/curve/curve_skeleton.h"

#include <gtest/gtest.h>

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

    // A ring that hangs on a stem.
    const CurveSkeleton hung = graph(4, {{0, 1}, {1, 2}, {1, 3}, {2, 3}});
    EXPECT_EQ(branches(hung).size(), 2u);
}

TEST(CurveSkeleton, Pieces) {
    EXPECT_EQ(piece_count(graph(5, {{0, 1}, {2, 3}})), 3);
    EXPECT_EQ(piece_count({}), 0);
}

}  // namespace
}  // namespace sinew::rig
