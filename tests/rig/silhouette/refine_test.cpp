// SPDX-License-Identifier: MIT
#include "sinew/rig/silhouette/refine.h"

#include "rig/bodies.h"
#include <gtest/gtest.h>

#include "sinew/rig/curve/skeleton_quality.h"
#include "sinew/rig/silhouette/silhouette_skeleton.h"

namespace sinew::rig {
namespace {

SilhouetteOptions along_z(RefineMode mode) {
    SilhouetteOptions options;
    options.view.mode = ViewMode::axis_z;
    options.depth = mode;
    return options;
}

TEST(Refine, HalfDiscHasItsDepthFromRays) {
    const SilhouetteResult result =
        silhouette_skeleton(test::half_disc_prism(), along_z(RefineMode::ray_midpoint));
    ASSERT_EQ(result.coarse.branches.size(), 1u);
    for (const CurveNode& node : result.coarse.branches[0].nodes) EXPECT_NEAR(node.position.z(), 0, 1e-6);
    ASSERT_EQ(result.refined.branches.size(), 1u);
    const auto& nodes = result.refined.branches[0].nodes;
    EXPECT_GT(nodes.size(), 20u);
    for (const CurveNode& node : nodes) {
        EXPECT_NEAR(node.position.z(), 0.5, 0.01);
        EXPECT_NEAR(node.position.x(), 0, 0.01);
    }
    EXPECT_EQ(result.inside_fraction, 1);
}

TEST(Refine, SlantedEllipseIsCentredBeforeAnyRefinement) {
    const geometry::Mesh tube = test::swept({[](double t) { return Vec3d(0, 8 * t - 4, 0.5); },
                                             test::ellipse(1, 0.4, math::pi / 4), Vec3d::UnitZ(), 60, 48});
    const SilhouetteResult result = silhouette_skeleton(tube, along_z(RefineMode::off));
    ASSERT_EQ(result.coarse.branches.size(), 1u);
    for (const CurveNode& node : result.coarse.branches[0].nodes) {
        EXPECT_NEAR(node.position.z(), 0.5, 0.01);
        EXPECT_NEAR(node.position.x(), 0, 0.01);
    }
}

/// A leg and a foot that points to the eye.
std::vector<test::Limb> leg_and_foot() {
    return {{{0, 0, 0}, {0, 2.4, 0}, 0.25}, {{0, 0, 0}, {0, 0, 1.4}, 0.22}};
}

TEST(Refine, BranchesAlongTheViewAreFoundFromTheSide) {
    const geometry::Mesh mesh = test::body_of(leg_and_foot(), 0.05);
    const SilhouetteResult result = silhouette_skeleton(mesh, along_z(RefineMode::ray_midpoint));
    double farthest = 0;
    for (const CurveNode& node : result.curve.nodes) farthest = std::max(farthest, node.position.z());
    EXPECT_GT(farthest, 1.2) << "the axis of the foot reaches its ball";
    const Centredness centred = centredness(result.curve, geometry::SurfaceQueries(mesh));
    EXPECT_LT(centred.limb_mean, 0.1);
    EXPECT_EQ(result.inside_fraction, 1);
    EXPECT_EQ(piece_count(result.curve), 1);
}

TEST(Refine, RaysChooseOneLimbForAWholeBranch) {
    // Two tubes one behind the other; a line drawn between them in the view goes to one of them.
    const std::vector<test::Limb> limbs{{{-3, 0, 0}, {3, 0, 0}, 0.3}, {{-3, 0, 2}, {3, 0, 2}, 0.3}};
    const geometry::Mesh mesh = test::body_of(limbs, 0.1);
    const WeldedSurface surface = welded_surface(mesh);
    const Body body(mesh, surface);
    MedialGraph graph;
    graph.branches.emplace_back();
    for (int i = 0; i <= 40; ++i) {
        graph.branches[0].nodes.push_back({Vec3d(-2.5 + i / 8.0, 0.1, 0.9 + (i % 2) * 0.2), 0.3});
    }
    refine_by_rays(graph, body, Vec3d::UnitZ());
    const double depth = graph.branches[0].nodes[0].position.z() < 1 ? 0 : 2;
    for (const CurveNode& node : graph.branches[0].nodes) {
        EXPECT_NEAR(node.position.z(), depth, 0.05);
        EXPECT_NEAR(node.position.y(), 0, 0.05);
    }
}

TEST(Refine, NodesOutsideAreMovedInside) {
    const geometry::Mesh mesh = test::body_of(test::bent_tube(), 0.05);
    const WeldedSurface surface = welded_surface(mesh);
    const Body body(mesh, surface);
    EXPECT_TRUE(body.contains(Vec3d(1, 0, 0)));
    EXPECT_FALSE(body.contains(Vec3d(0.3, 0.3, 0)));
    MedialGraph graph;
    graph.branches.emplace_back();
    for (int i = 0; i <= 10; ++i) {
        graph.branches[0].nodes.push_back({Vec3d(1 - i / 10.0, i / 10.0, 0), 0.2});  // a chord of the ring
    }
    graph.junctions.push_back({Vec3d(0.5, 0.5, 0), 0.2});
    EXPECT_EQ(pull_inside(graph, body), 0);
    for (const CurveNode& node : graph.branches[0].nodes) EXPECT_TRUE(body.contains(node.position));
    EXPECT_TRUE(body.contains(graph.junctions[0].position));
    graph.junctions[0].position = Vec3d(1, 0, 0);
    EXPECT_EQ(pull_inside(graph, body), 0);
    EXPECT_EQ(graph.junctions[0].position, Vec3d(1, 0, 0)) << "what is inside stays";
}

TEST(Refine, OpenSurfacesAreJudgedByTheirSolid) {
    const geometry::Mesh mesh = test::tube(30, 24, 0.5, 6);
    Collector collector;
    const Body body(mesh, welded_surface(mesh), collector);
    EXPECT_FALSE(body.closed());
    EXPECT_TRUE(collector.has("open-surface"));
    EXPECT_TRUE(body.contains(Vec3d(0, 3, 0)));
    EXPECT_FALSE(body.contains(Vec3d(0.8, 3, 0)));
    const auto stretches = body.inside(Vec3d(0.1, 3, 0.2), Vec3d::UnitX());
    ASSERT_EQ(stretches.size(), 1u);
    EXPECT_NEAR(0.1 + stretches[0].middle(), 0, 0.1);
}

TEST(Refine, WhatOnlyOverlapsInTheViewIsCutApart) {
    // Seen along z two crossed tubes make a junction of four; in space they pass each other.
    const std::vector<test::Limb> limbs{{{-2, 0, 0}, {2, 0, 0}, 0.2}, {{0, -2, 1.5}, {0, 2, 1.5}, 0.2}};
    const SilhouetteResult result =
        silhouette_skeleton(test::body_of(limbs, 0.06), along_z(RefineMode::ray_midpoint));
    EXPECT_EQ(result.inside_fraction, 1);
    for (const CurveNode& node : result.curve.nodes) {
        EXPECT_LT(test::axis_distance(limbs, node.position), 0.15);
    }
    EXPECT_EQ(piece_count(result.curve), 2);
}

TEST(Refine, EndsFeelTheirWayToEachOtherThroughTheBody) {
    // Half a ring of which the view showed both ends only; they do not see each other.
    const geometry::Mesh mesh =
        test::swept({[](double t) { return Vec3d(std::cos(math::pi * t), std::sin(math::pi * t), 0); },
                     test::ellipse(0.2, 0.2)});
    const WeldedSurface surface = welded_surface(mesh);
    const Body body(mesh, surface);
    MedialGraph graph;
    for (const double from : {0.05, 0.8}) {
        auto& branch = graph.branches.emplace_back();
        for (int i = 0; i <= 8; ++i) {
            const double angle = math::pi * (from + 0.15 * i / 8);
            branch.nodes.push_back({Vec3d(std::cos(angle), std::sin(angle), 0), 0.2});
        }
    }
    EXPECT_GT(
        length_outside(body, graph.branches[0].nodes.back().position, graph.branches[1].nodes[0].position),
        0.2);
    EXPECT_EQ(join_pieces(graph, body, 0), 1);
    for (const auto& branch : graph.branches) {
        for (const CurveNode& node : branch.nodes) {
            EXPECT_LT(std::hypot(node.position.head<2>().norm() - 1, node.position.z()), 0.1);
        }
    }
}

TEST(Refine, RingsAreCutOnceAndStayOnePiece) {
    const SilhouetteResult result =
        silhouette_skeleton(test::torus(60, 24), along_z(RefineMode::ray_midpoint));
    EXPECT_EQ(piece_count(result.curve), 1);
    EXPECT_EQ(result.curve.edges.size() + 1, result.curve.nodes.size()) << "a tree";
    for (const CurveNode& node : result.curve.nodes) {
        const double off = std::hypot(node.position.head<2>().norm() - 2, node.position.z());
        EXPECT_LT(off, 0.12);
    }
}

}  // namespace
}  // namespace sinew::rig
