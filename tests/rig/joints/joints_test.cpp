// SPDX-License-Identifier: MIT
#include "sinew/rig/joints/joints.h"

#include "rig/bodies.h"
#include <gtest/gtest.h>

#include "sinew/base/error.h"
#include "sinew/rig/silhouette/silhouette_skeleton.h"

namespace sinew::rig {
namespace {

/// Lines of nodes between points, `step` apart; neighbours in the list share an end.
CurveSkeleton polyline(const std::vector<Vec3d>& corners, double step = 0.1, double radius = 0.3) {
    CurveSkeleton curve;
    curve.nodes.push_back({corners[0], radius});
    for (std::size_t i = 1; i < corners.size(); ++i) {
        const Vec3d way = corners[i] - corners[i - 1];
        const int count = std::max(1, static_cast<int>(std::lround(way.norm() / step)));
        for (int k = 1; k <= count; ++k) {
            const int n = static_cast<int>(curve.nodes.size());
            curve.nodes.push_back({corners[i - 1] + way * k / count, radius});
            curve.edges.push_back({n - 1, n});
        }
    }
    return curve;
}

/// Arms of the given ends that leave node 0, with a radius each.
CurveSkeleton star(const std::vector<Vec3d>& ends, double radius = 0.2, const Vec3d& middle = Vec3d::Zero()) {
    CurveSkeleton curve;
    curve.nodes.push_back({middle, radius});
    for (const Vec3d& end : ends) {
        int last = 0;
        for (int k = 1; k <= 20; ++k) {
            const int n = static_cast<int>(curve.nodes.size());
            curve.nodes.push_back({middle + (end - middle) * k / 20, radius});
            curve.edges.push_back({last, n});
            last = n;
        }
    }
    std::ranges::sort(curve.edges);
    return curve;
}

int count(const JointSet& set, JointKind kind) {
    return static_cast<int>(std::ranges::count(set.joints, kind, &PlacedJoint::kind));
}

const std::vector<Vec3d> y_ends{{0, -2, 0}, {2, 2, 0}, {-2, 2, 0}};

TEST(Joints, StraightLineHasItsTwoEnds) {
    const JointSet set = place_joints(polyline({{0, 0, 0}, {2.9, 0, 0}}));
    EXPECT_EQ(set.key_joints, 2);
    EXPECT_EQ(set.inner_joints, 0);
    EXPECT_THROW(place_joints(CurveSkeleton{}), Error);
    CurveSkeleton dot;
    dot.nodes.push_back({Vec3d(1, 2, 3), 0.5});
    EXPECT_EQ(place_joints(dot).joints.size(), 1u);
}

TEST(Joints, BendIsSeenAtTheScaleOfTheLimb) {
    const BranchArc arc(polyline({{0, 0, 0}, {2, 0, 0}, {2, 2, 0}}), [] {
        std::vector<int> all(41);
        for (int i = 0; i < 41; ++i) all[static_cast<std::size_t>(i)] = i;
        return all;
    }());
    EXPECT_NEAR(bending_angle(arc, 2, 0.3), 90, 1e-9);
    EXPECT_NEAR(bending_angle(arc, 1, 0.3), 180, 1e-9);
    EXPECT_EQ(bending_angle(arc, 0.05, 0.3), 180) << "no room to look back";
    // A zigzag much finer than the limb is straight at its scale; between neighbours it is not.
    std::vector<Vec3d> zigzag;
    for (int i = 0; i <= 40; ++i) zigzag.emplace_back(0.1 * i, i % 2 == 0 ? 0.03 : -0.03, 0);
    const CurveSkeleton rough = polyline(zigzag, 1, 0.5);
    EXPECT_EQ(place_joints(rough).inner_joints, 0);
}

TEST(Joints, ThresholdDecidesWhatIsABend) {
    for (const double turn : {10.0, 30.0, 60.0}) {
        const double a = math::radians(turn);
        const CurveSkeleton curve =
            polyline({{0, 0, 0}, {2, 0, 0}, {2 + 2 * std::cos(a), 2 * std::sin(a), 0}});
        for (const double threshold : {140.0, 160.0, 175.0}) {
            // Past a right amount the curve strays from its bone, and gets a joint whatever the threshold.
            if (turn > 20 && 180 - turn >= threshold) continue;
            JointOptions options;
            options.bend = threshold;
            const JointSet set = place_joints(curve, options);
            const auto bends = std::ranges::count(set.joints, JointKind::bend, &PlacedJoint::kind);
            ASSERT_EQ(bends, 180 - turn < threshold ? 1 : 0) << turn << " at " << threshold;
            if (bends == 0) continue;
            const auto joint = std::ranges::find(set.joints, JointKind::bend, &PlacedJoint::kind);
            EXPECT_LT((joint->position - Vec3d(2, 0, 0)).norm(), 0.06) << "the sharpest place of the bend";
        }
    }
}

TEST(Joints, BendsKeepTheirDistanceFromEachOtherAndFromEnds) {
    // Two corners 0.3 apart, less than 1.5 radii: one joint. Two radii and more: two.
    const CurveSkeleton close = polyline({{0, 0, 0}, {2, 0, 0}, {2.2, 0.2, 0}, {2.2, 2, 0}});
    EXPECT_EQ(place_joints(close).inner_joints, 1);
    const CurveSkeleton apart = polyline({{0, 0, 0}, {2, 0, 0}, {2.7, 0.7, 0}, {2.7, 3, 0}});
    EXPECT_EQ(place_joints(apart).inner_joints, 2);
    // A corner nearer than 0.75 radii to the end of the branch is the end.
    const CurveSkeleton at_end = polyline({{0, 0, 0}, {2, 0, 0}, {2, 0.2, 0}});
    EXPECT_EQ(place_joints(at_end).inner_joints, 0);
}

TEST(Joints, NecksAreJointsWhenTheyAreProminent) {
    for (const double depth : {0.05, 0.3}) {
        CurveSkeleton curve = polyline({{0, 0, 0}, {4, 0, 0}}, 0.05, 1);
        for (CurveNode& node : curve.nodes) {
            const double x = node.position.x() - 2;
            node.radius = 0.5 * (1 - depth * std::exp(-x * x / 0.2));
        }
        const JointSet set = place_joints(curve);
        ASSERT_EQ(set.inner_joints, depth > 0.1 ? 1 : 0) << depth;
        if (set.inner_joints == 0) continue;
        const auto neck = std::ranges::find(set.joints, JointKind::neck, &PlacedJoint::kind);
        EXPECT_NEAR(neck->position.x(), 2, 0.06);
    }
}

TEST(Joints, SlowBendsGetJointsWhereTheBoneWouldLeaveTheLimb) {
    // A thin tail along a half circle bends by little in every window of its own radius.
    std::vector<Vec3d> arc;
    for (int i = 0; i <= 60; ++i) {
        arc.emplace_back(2 * std::cos(math::pi * i / 60), 2 * std::sin(math::pi * i / 60), 0);
    }
    const CurveSkeleton tail = polyline(arc, 1, 0.12);
    const JointSet set = place_joints(tail);
    EXPECT_GE(set.inner_joints, 3);
    EXPECT_LE(set.inner_joints, 7);
    for (const PlacedJoint& joint : set.joints) {
        if (joint.parent < 0) continue;
        const Vec3d& from = set.joints[static_cast<std::size_t>(joint.parent)].position;
        EXPECT_GT(((from + joint.position) / 2).norm(), 2 - 0.13) << "every bone stays in the tail";
    }
}

TEST(Joints, LongBonesAreDividedEvenly) {
    JointOptions options;
    options.longest = 1.5;
    const JointSet set = place_joints(polyline({{0, 0, 0}, {5, 0, 0}}), options);
    EXPECT_EQ(count(set, JointKind::length), 3);
    for (const PlacedJoint& joint : set.joints) {
        if (joint.parent < 0) continue;
        const Vec3d& from = set.joints[static_cast<std::size_t>(joint.parent)].position;
        EXPECT_NEAR((joint.position - from).norm(), 1.25, 1e-9);
    }
    options.longest = 5;
    EXPECT_EQ(place_joints(polyline({{0, 0, 0}, {5, 0, 0}}), options).inner_joints, 0);
}

TEST(Joints, SlenderLimbsAreDividedByTheirRadius) {
    const auto joints = [](double length, double radius) {
        return count(place_joints(polyline({{0, 0, 0}, {length, 0, 0}}, 0.1, radius)), JointKind::length);
    };
    EXPECT_EQ(joints(9.9, 1), 0);
    EXPECT_EQ(joints(10.1, 1), 1);
    EXPECT_EQ(joints(30, 0.5), 5) << "a snake";
    EXPECT_LE(joints(30, 1e-3), 31) << "a wire";
}

TEST(Joints, JunctionsAreOneJointOrOneForEachBranch) {
    const CurveSkeleton y = star(y_ends);
    JointOptions options;
    EXPECT_EQ(place_joints(y, options).key_joints, 4) << "three branches meet in one joint";
    options.junctions = JunctionJoints::separate;
    const JointSet apart = place_joints(y, options);
    EXPECT_EQ(apart.key_joints, 6) << "both ends of three branches";
    EXPECT_EQ(std::ranges::count(apart.joints, -1, &PlacedJoint::parent), 1) << "and still one tree";
    options.junctions = JunctionJoints::automatic;
    JointBody nowhere;
    nowhere.inside = [](const Vec3d&) { return false; };
    EXPECT_EQ(place_joints(y, options, nowhere).key_joints, 6) << "a joint outside the body does not merge";
    const CurveSkeleton x = star({{2, 0, 0}, {-2, 0, 0}, {0, 2, 0}, {0, -2, 0}});
    EXPECT_EQ(place_joints(x, options).key_joints, 8) << "four branches do not merge by themselves";
    options.junctions = JunctionJoints::merged;
    EXPECT_EQ(place_joints(x, options).key_joints, 5);
}

TEST(Joints, JointsOfAJunctionWithinHalfARadiusMerge) {
    // The branches of a wide junction start close to its middle: theirs is one joint.
    const CurveSkeleton x = star({{2, 0, 0}, {-2, 0, 0}, {0, 2, 0}, {0, -2, 0}}, 0.8);
    JointOptions options;
    options.junctions = JunctionJoints::automatic;
    EXPECT_EQ(place_joints(x, options).key_joints, 5);
    options.junctions = JunctionJoints::separate;
    EXPECT_EQ(place_joints(x, options).key_joints, 8);
}

TEST(Joints, RootIsTheThickJunctionNearTheMiddle) {
    // Two junctions; the body's middle is given.
    CurveSkeleton h = polyline({{-2, 2, 0}, {-2, 0, 0}, {2, 0, 0}, {2, 2, 0}});
    const auto add_leg = [&](int from, const Vec3d& to) {
        const Vec3d start = h.nodes[static_cast<std::size_t>(from)].position;
        int last = from;
        for (int k = 1; k <= 20; ++k) {
            const int n = static_cast<int>(h.nodes.size());
            h.nodes.push_back({start + (to - start) * k / 20, 0.3});
            h.edges.push_back({last, n});
            last = n;
        }
        std::ranges::sort(h.edges);
    };
    add_leg(20, {-2, -2, 0});
    add_leg(60, {2, -2, 0});
    JointBody body;
    body.centroid = Vec3d(-1.5, 0, 0);
    EXPECT_LT((place_joints(h, {}, body).joints[0].position - Vec3d(-2, 0, 0)).norm(), 1e-9);
    body.centroid = Vec3d(0.1, 0, 0);
    EXPECT_LT((place_joints(h, {}, body).joints[0].position - Vec3d(2, 0, 0)).norm(), 1e-9);
    h.nodes[20].radius = 0.6;
    EXPECT_LT((place_joints(h, {}, body).joints[0].position - Vec3d(-2, 0, 0)).norm(), 1e-9) << "thicker";
    // Without junctions the joint nearest to the middle; of equals the lower.
    const JointSet line = place_joints(polyline({{0, 1, 0}, {0, -1, 0}}));
    EXPECT_NEAR(line.joints[0].position.y(), -1, 1e-9);
}

TEST(Joints, SkeletonHasParentsFirstPlacesAndNames) {
    const CurveSkeleton y = star(y_ends, 0.3);
    const model::Skeleton skeleton = skeleton_of(y);
    EXPECT_NO_THROW(model::validate(skeleton, "skeleton"));
    ASSERT_EQ(skeleton.size(), 4u);
    EXPECT_EQ(skeleton.joints[0].name, "branch00_j00");
    EXPECT_EQ(skeleton.joints[0].parent, -1);
    const auto places = model::joint_positions(model::rest_world_matrices(skeleton));
    for (const Vec3d& end : y_ends) {
        EXPECT_TRUE(std::ranges::any_of(places, [&](const Vec3d& p) { return (p - end).norm() < 1e-9; }));
    }
    JointOptions options;
    options.longest = 1;
    const model::Skeleton longer = skeleton_of(y, options);
    for (const model::Joint& joint : longer.joints) {
        EXPECT_EQ(joint.name.substr(0, 6), "branch") << joint.name;
        EXPECT_NE(joint.name.find("_j"), std::string::npos);
    }
    // Along a branch the number of the joint rises.
    for (std::size_t j = 1; j < longer.size(); ++j) {
        const auto& joint = longer.joints[j];
        const auto& parent = longer.joints[static_cast<std::size_t>(joint.parent)];
        if (parent.parent < 0) continue;
        EXPECT_EQ(joint.name.substr(0, 8), parent.name.substr(0, 8));
        EXPECT_EQ(std::stoi(joint.name.substr(10)), std::stoi(parent.name.substr(10)) + 1);
    }
}

TEST(Joints, PiecesHaveARootEach) {
    CurveSkeleton two = polyline({{0, 0, 0}, {2, 0, 0}});
    const CurveSkeleton other = polyline({{0, 5, 0}, {2, 5, 0}});
    const int base = static_cast<int>(two.nodes.size());
    two.nodes.insert(two.nodes.end(), other.nodes.begin(), other.nodes.end());
    for (const auto& [a, b] : other.edges) two.edges.push_back({a + base, b + base});
    const JointSet set = place_joints(two);
    EXPECT_EQ(std::ranges::count(set.joints, -1, &PlacedJoint::parent), 2);
}

TEST(Joints, LTubeHasOneJointAtItsCorner) {
    const double radius = 0.25;
    const std::vector<test::Limb> limbs{{{0, 0, 0}, {2, 0, 0}, radius}, {{0, 0, 0}, {0, 2.3, 0}, radius}};
    SilhouetteOptions options;
    options.view.mode = ViewMode::axis_z;
    const SilhouetteResult result = silhouette_skeleton(test::body_of(limbs, 0.05), options);
    EXPECT_EQ(result.joints.key_joints, 2);
    ASSERT_EQ(result.joints.inner_joints, 1);
    for (const PlacedJoint& joint : result.joints.joints) {
        if (joint.kind == JointKind::key) continue;
        EXPECT_LT(joint.position.norm(), 0.5 * radius);
    }
}

}  // namespace
}  // namespace sinew::rig
