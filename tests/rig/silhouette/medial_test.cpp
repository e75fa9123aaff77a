// SPDX-License-Identifier: MIT
#include "sinew/rig/silhouette/medial.h"

#include "rig/bodies.h"
#include <gtest/gtest.h>

#include "sinew/rig/joints/joints.h"
#include "sinew/rig/silhouette/medial_chains.h"
#include "sinew/rig/silhouette/silhouette_skeleton.h"

namespace sinew::rig {
namespace {

/// A loop with depth z = 2 x + 1, corners as given.
SilhouetteLoop loop_of(const std::vector<Vec2d>& corners) {
    SilhouetteLoop out;
    for (const Vec2d& p : corners) out.push_back({p, 2 * p.x() + 1, -1, {}, 1});
    return out;
}

MedialAxis axis_of(const SilhouettePiece& piece, const MedialOptions& options = {}) {
    const geometry::Polygon2 polygon = polygon_of(piece);
    return medial_axis(geometry::triangulate(polygon), nodes_of(piece), geometry::PolygonIndex(polygon),
                       options);
}

SilhouettePiece rectangle(double length, double width, double spacing) {
    const double x = length / 2, y = width / 2;
    return resampled({loop_of({{-x, -y}, {x, -y}, {x, y}, {-x, y}}), {}}, spacing);
}

/// A ring: a circle in a circle, the hole off centre.
SilhouettePiece ring(double offset) {
    SilhouettePiece out;
    for (int i = 0; i < 60; ++i) {
        const double a = 2 * math::pi * i / 60;
        out.outer.push_back({2 * Vec2d(std::cos(a), std::sin(a)), 0, -1, {}, 1});
    }
    out.holes.emplace_back();
    for (int i = 0; i < 40; ++i) {
        const double a = -2 * math::pi * i / 40;
        out.holes[0].push_back({Vec2d(offset + std::cos(a), std::sin(a)), 0, -1, {}, 1});
    }
    return out;
}

CurveSkeleton curve_of_axis(const MedialAxis& axis) {
    MedialGraph graph;
    append(graph, axis, Projection{});
    return curve_of(graph);
}

TEST(Medial, StraightStripHasOneStraightBranch) {
    for (const double width : {0.5, 1.0, 2.0}) {
        MedialOptions options;
        options.spacing = 0.1;
        const MedialAxis axis = axis_of(rectangle(10, width, 0.1), options);
        ASSERT_EQ(axis.branches.size(), 1u) << width;
        EXPECT_TRUE(axis.junctions.empty());
        const auto& nodes = axis.branches[0].nodes;
        EXPECT_GT(nodes.size(), 50u);
        for (const MedialNode& node : nodes) {
            EXPECT_NEAR(node.xy.y(), 0, 1e-9);
            EXPECT_NEAR(node.radius, width / 2, 1e-9);
            EXPECT_NEAR(node.z, 2 * node.xy.x() + 1, 0.6 * width) << "depth is interpolated";
        }
        // The tips lie as far from the ends as from the sides.
        for (const MedialNode* tip : {&nodes.front(), &nodes.back()}) {
            EXPECT_NEAR(std::abs(tip->xy.x()), 5 - width / 2, 0.06 * width);
        }
        JointOptions undivided;
        undivided.longest = 100;
        const JointSet joints = place_joints(curve_of_axis(axis), undivided);
        EXPECT_EQ(joints.key_joints, 2);
        EXPECT_EQ(joints.inner_joints, 0);
    }
}

TEST(Medial, TrianglesAreClassedByTheirInternalSides) {
    // A square has two terminals; a star of three arms one junction in its middle.
    const auto square = geometry::triangulate({{Vec2d(0, 0), Vec2d(1, 0), Vec2d(1.2, 1), Vec2d(0, 1)}, {}});
    for (const TriangleClass kind : classes(square)) EXPECT_EQ(kind, TriangleClass::terminal);
    geometry::Loop2 star;
    for (int i = 0; i < 6; ++i) {
        const double a = math::pi / 3 * i, r = i % 2 == 0 ? 3 : 0.5;
        star.push_back(r * Vec2d(std::cos(a), std::sin(a)));
    }
    const auto kinds = classes(geometry::triangulate({star, {}}));
    EXPECT_EQ(std::ranges::count(kinds, TriangleClass::terminal), 3);
    EXPECT_EQ(std::ranges::count(kinds, TriangleClass::junction), 1);
    const auto one = classes(geometry::triangulate({{Vec2d(0, 0), Vec2d(1, 0), Vec2d(0, 1)}, {}}));
    EXPECT_EQ(one, std::vector{TriangleClass::isolated});
    const MedialAxis axis = axis_of({loop_of({{0, 0}, {1, 0}, {0, 1}}), {}});
    ASSERT_EQ(axis.branches.size(), 1u);
    EXPECT_LT((axis.branches[0].nodes.at(0).xy - Vec2d(1, 1) / 3).norm(), 1e-12);
}

/// A bar with a bump on its upper side.
SilhouettePiece bumped(double height) {
    const double h = height;
    return resampled(
        {loop_of({{-5, -1}, {5, -1}, {5, 1}, {0.4, 1}, {0.4, 1 + h}, {-0.4, 1 + h}, {-0.4, 1}, {-5, 1}}), {}},
        0.1);
}

TEST(Medial, BumpsAreNoBranchesAndLimbsAre) {
    MedialOptions options;
    options.spacing = 0.1;
    EXPECT_EQ(axis_of(bumped(0.1), options).branches.size(), 1u);
    EXPECT_EQ(axis_of(bumped(0.3), options).branches.size(), 1u) << "shorter than what it stands on";
    const MedialAxis limb = axis_of(bumped(3), options);
    EXPECT_EQ(limb.branches.size(), 3u);
    ASSERT_EQ(limb.junctions.size(), 1u);
    EXPECT_LT(limb.junctions[0].center.xy.norm(), 0.7);
    MedialOptions strict = options;
    strict.prune = 8;
    EXPECT_EQ(axis_of(bumped(3), strict).branches.size(), 1u);
}

TEST(Medial, BranchesEndAtTheSidesOfJunctions) {
    MedialOptions options;
    options.spacing = 0.1;
    const MedialAxis axis = axis_of(bumped(3), options);
    for (const MedialBranch& branch : axis.branches) {
        const std::size_t free = branch.ends[0] < 0 ? 0 : 1;
        EXPECT_TRUE(branch.ends[free] < 0 && branch.ends[1 - free] == 0);
        const MedialNode& root = free == 0 ? branch.nodes.back() : branch.nodes.front();
        const double away = (root.xy - axis.junctions[0].center.xy).norm();
        EXPECT_GT(away, 0.05) << "not at the middle of the triangle";
        EXPECT_LT(away, 1.5);
    }
}

TEST(Medial, JunctionsCloseToEachOtherAreOne) {
    // A cross of four arms: two junctions of three that lie together, one of four.
    geometry::Loop2 cross;
    for (int k = 0; k < 4; ++k) {
        const Eigen::Rotation2Dd turn(math::pi / 2 * k);
        for (const Vec2d& p : {Vec2d(3, -0.3), Vec2d(3, 0.31), Vec2d(0.3, 0.3)}) cross.push_back(turn * p);
    }
    const SilhouettePiece piece = resampled({loop_of(cross), {}}, 0.1);
    MedialOptions options;
    options.spacing = 0.1;
    const MedialAxis one = axis_of(piece, options);
    ASSERT_EQ(one.junctions.size(), 1u);
    EXPECT_EQ(one.branches.size(), 4u);
    EXPECT_LT(one.junctions[0].center.xy.norm(), 0.15);
}

TEST(Medial, CyclesBreakAtTheirNarrowestPlace) {
    MedialOptions options;
    options.spacing = 0.1;
    options.break_cycles = false;
    // A plain ring has no junction: its chain comes back to itself.
    const MedialAxis closed = axis_of(ring(0.4), options);
    EXPECT_EQ(closed.branches.size(), 1u);
    // With a handle on it, the ring is a cycle at a junction.
    SilhouettePiece handled = ring(0.4);
    SilhouetteLoop outer;
    for (const SilhouetteNode& node : handled.outer) {
        const double turn = std::atan2(node.xy.y(), node.xy.x());
        if (std::abs(turn - math::pi / 2) > 0.2) outer.push_back(node);
        if (outer.size() > 1 && std::abs(turn - math::pi / 2) <= 0.2 && outer.back().xy.y() < 4) {
            outer.push_back({Vec2d(0.4, 2), 0, -1, {}, 1});
            outer.push_back({Vec2d(0.4, 5), 0, -1, {}, 1});
            outer.push_back({Vec2d(-0.4, 5), 0, -1, {}, 1});
        }
    }
    handled.outer = outer;
    handled = resampled(handled, 0.1);
    const auto rings = [](const MedialAxis& axis) {
        const CurveSkeleton curve = curve_of_axis(axis);
        return static_cast<int>(curve.edges.size()) - static_cast<int>(curve.nodes.size()) +
               piece_count(curve);
    };
    EXPECT_EQ(rings(axis_of(handled, options)), 1);
    options.break_cycles = true;
    const MedialAxis broken = axis_of(handled, options);
    EXPECT_EQ(rings(broken), 0);
    // The hole lies to the right, so that the ring is narrowest there, and no node of the tree is.
    for (const MedialBranch& branch : broken.branches) {
        for (const MedialNode& node : branch.nodes) EXPECT_GT(node.radius, 0.28);
    }
}

TEST(Medial, NodesAreEvenlySpaced) {
    SilhouettePiece piece = rectangle(10, 1, 0.2);
    test::Random random(13);
    for (SilhouetteNode& node : piece.outer) node.xy.y() += random.uniform(-0.04, 0.04);
    MedialOptions spaced;
    spaced.spacing = 0.3;
    const MedialAxis even = axis_of(piece, spaced);
    const auto& nodes = even.branches.at(0).nodes;
    for (std::size_t i = 2; i < nodes.size(); ++i) {
        EXPECT_NEAR((nodes[i].xy - nodes[i - 1].xy).norm(), (nodes[1].xy - nodes[0].xy).norm(), 0.02);
    }
}

/// The whole way as far as the axis, seen along z.
SilhouetteResult seen(const geometry::Mesh& mesh, double cluster = MedialOptions{}.cluster) {
    SilhouetteOptions options;
    options.view.mode = ViewMode::axis_z;
    options.cluster = cluster;
    JointOptions joints;
    joints.junctions = JunctionJoints::separate;
    return silhouette_skeleton(mesh, options, joints);
}

TEST(Medial, YTubeHasThreeBranchesAndOneJunction) {
    const SilhouetteResult y = seen(test::body_of(test::y_tube()));
    ASSERT_EQ(y.stages.size(), 1u);
    EXPECT_EQ(y.stages[0].axis.branches.size(), 3u);
    EXPECT_EQ(y.stages[0].axis.junctions.size(), 1u);
    const auto degree = degrees(y.curve);
    EXPECT_EQ(std::ranges::count(degree, 1), 3);
    for (const CurveNode& node : y.curve.nodes) {
        EXPECT_LT(test::axis_distance(test::y_tube(), node.position), 0.09);
    }
}

TEST(Medial, GloveHasNineLinksAndSevenBranches) {
    const geometry::Mesh glove = test::body_of(test::glove(), 0.05);
    const SilhouetteResult raw = seen(glove, 0);
    EXPECT_EQ(raw.stages.at(0).axis.branches.size(), 9u) << "six ends, four junctions of three";
    const SilhouetteResult hand = seen(glove);
    EXPECT_EQ(hand.stages.at(0).axis.branches.size(), 7u) << "wrist, palm, five fingers";
    EXPECT_EQ(hand.stages[0].axis.junctions.size(), 2u);
    EXPECT_EQ(std::ranges::count(degrees(hand.curve), 1), 6);
    EXPECT_EQ(hand.joints.key_joints, 14);
}

}  // namespace
}  // namespace sinew::rig
