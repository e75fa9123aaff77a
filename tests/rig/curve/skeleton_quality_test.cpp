// SPDX-License-Identifier: MIT
#include "sinew/rig/curve/skeleton_quality.h"

#include <cmath>

#include "rig/limbs.h"
#include "support/shapes.h"
#include <gtest/gtest.h>

namespace sinew {
namespace {

using rig::CurveSkeleton;

/// Nodes along y from 0.2 to 1.8 of a long tube, moved sideways.
CurveSkeleton straight(double offset) {
    CurveSkeleton curve;
    for (int i = 0; i < 9; ++i) curve.nodes.push_back({{offset, 0.2 + 0.2 * i, 0}, 0.5});
    for (int i = 0; i + 1 < 9; ++i) curve.edges.push_back({i, i + 1});
    return curve;
}

CurveSkeleton tree(std::size_t nodes, std::vector<std::array<int, 2>> edges) {
    CurveSkeleton curve;
    for (std::size_t n = 0; n < nodes; ++n) {
        const auto at = static_cast<double>(n);
        curve.nodes.push_back({{std::cos(at), std::sin(2 * at), at}, 0.1});
    }
    curve.edges = std::move(edges);
    return curve;
}

TEST(Centredness, TheAxisOfATubeIsInTheMiddle) {
    const geometry::SurfaceQueries tube(test::tube(41, 256, 0.5, 2));
    const rig::Centredness result = rig::centredness(straight(0), tube);
    EXPECT_EQ(result.nodes, 9u);
    EXPECT_LT(result.max, 1e-3);
    EXPECT_LE(result.mean, result.p95);
    EXPECT_LE(result.p95, result.max);
}

TEST(Centredness, AnOffsetOfAFifthOfTheRadiusMeasuresATenth) {
    // r(t) = -d cos t + sqrt(R^2 - d^2 sin^2 t): its first moment is -d / 2, its mean R (1 - d^2 / 4 R^2
    // ...).
    const geometry::SurfaceQueries tube(test::tube(41, 256, 0.5, 2));
    const rig::Centredness result = rig::centredness(straight(0.1), tube);
    EXPECT_NEAR(result.mean, 0.1 / (1 - 0.04 / 4), 2e-3);
    EXPECT_NEAR(result.limb_mean, result.mean, 1e-12) << "there is no junction";
}

TEST(Centredness, MissedRaysAndJunctionsAreNotMeasured) {
    const geometry::SurfaceQueries tube(test::tube(41, 64, 0.5, 2));
    CurveSkeleton curve = straight(0);
    curve.nodes.push_back({{5, 1, 0}, 0.1});  // outside: most rays meet nothing
    curve.edges.push_back({4, 9});            // makes node 4 a junction
    const rig::Centredness result = rig::centredness(curve, tube);
    EXPECT_EQ(result.of_node[4], -1);
    EXPECT_EQ(result.of_node[9], -1);
    EXPECT_EQ(result.nodes, 8u);
}

TEST(Centredness, AnEmptyCurveHasNothingToMeasure) {
    const geometry::SurfaceQueries tube(test::tube(3, 8, 0.5, 2));
    EXPECT_EQ(rig::centredness({}, tube).nodes, 0u);
}

TEST(SkeletonQuality, CountsEndsJunctionsBranchesAndRings) {
    const rig::CurveTopology y = rig::topology_of(tree(7, {{0, 1}, {1, 2}, {2, 3}, {2, 5}, {3, 4}, {5, 6}}));
    EXPECT_EQ(y.ends, 3);
    EXPECT_EQ(y.junctions, 1);
    EXPECT_EQ(y.branches, 3);
    EXPECT_EQ(y.pieces, 1);
    EXPECT_EQ(y.rings, 0);
    const rig::CurveTopology ring = rig::topology_of(tree(4, {{0, 1}, {0, 2}, {1, 2}, {2, 3}}));
    EXPECT_EQ(ring.rings, 1);
    EXPECT_TRUE(ring.shape.empty());
}

TEST(SkeletonQuality, ShapesAreEqualWhenTreesAreTheSameUpToNumbering) {
    const auto shape = [](const CurveSkeleton& curve) { return rig::topology_of(curve).shape; };
    const auto h = shape(tree(6, {{0, 1}, {0, 2}, {0, 3}, {3, 4}, {3, 5}}));
    const auto h_again = shape(tree(8, {{0, 7}, {1, 7}, {2, 7}, {2, 3}, {3, 4}, {4, 5}, {4, 6}}));
    const auto star = shape(tree(5, {{0, 1}, {0, 2}, {0, 3}, {0, 4}}));
    EXPECT_EQ(h, h_again);
    EXPECT_NE(h, star);
    EXPECT_NE(shape(tree(2, {{0, 1}})), shape(tree(4, {{0, 1}, {2, 3}}))) << "two pieces are not one";
}

TEST(SkeletonQuality, InsideFractionCountsNodesInTheSolid) {
    const geometry::Mesh capsule = test::body_of(test::capsule());
    CurveSkeleton curve = tree(4, {{0, 1}, {1, 2}, {2, 3}});
    curve.nodes[0].position = {0, -0.9, 0};
    curve.nodes[1].position = {0, 0, 0};
    curve.nodes[2].position = {0.1, 0.9, 0};
    curve.nodes[3].position = {0.5, 0.9, 0};
    const rig::SkeletonQuality quality = rig::skeleton_quality(curve, capsule);
    EXPECT_DOUBLE_EQ(quality.inside_fraction, 0.75);
    EXPECT_GT(quality.turning, 0.1);
    EXPECT_EQ(quality.topology.ends, 2);
}

TEST(SkeletonQuality, InnerShellsDoNotStopTheRays) {
    geometry::Mesh mesh = test::body_of(test::capsule());
    geometry::append(mesh, test::cube({0.1f, 0.5f, 0}, 0.1f));
    CurveSkeleton curve;
    for (int i = 0; i < 5; ++i) curve.nodes.push_back({{0, -0.5 + 0.25 * i, 0}, 0.25});
    curve.edges = {{0, 1}, {1, 2}, {2, 3}, {3, 4}};
    EXPECT_LT(rig::skeleton_quality(curve, mesh).centredness.max, 0.05);
}

}  // namespace
}  // namespace sinew
