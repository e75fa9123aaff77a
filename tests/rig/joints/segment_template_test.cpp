// SPDX-License-Identifier: MIT
#include "sinew/rig/joints/segment_template.h"

#include "support/samples.h"
#include <gtest/gtest.h>

#include "sinew/base/error.h"
#include "sinew/rig/skeletonize.h"

namespace sinew::rig {
namespace {

std::vector<Vec3d> places(const model::Skeleton& skeleton) {
    return model::joint_positions(model::rest_world_matrices(skeleton));
}

/// A straight limb along x, of length 1 and one thickness, but for a neck at `neck`.
CurveSkeleton limb(double neck) {
    CurveSkeleton curve;
    for (int i = 0; i <= 100; ++i) {
        const double x = i / 100.0, off = (x - neck) / 0.03;
        curve.nodes.push_back({{x, 0, 0}, 0.1 - 0.04 * std::exp(-off * off)});
        if (i > 0) curve.edges.push_back({i - 1, i});
    }
    return curve;
}

model::Skeleton bone() {
    model::Skeleton skeleton;
    skeleton.joints = {{"shoulder", -1, {}, {}, {}}, {"tip", 0, {}, {}, {}}};
    skeleton.joints[1].rest.translation = {1, 0, 0};
    return skeleton;
}

TEST(SegmentTemplate, JointsLieAtTheirPartsOfTheWay) {
    const model::Skeleton arm = with_segment(bone(), limb(9), 0, 1, {{0.4, 0.8}});
    ASSERT_EQ(arm.size(), 4u);
    EXPECT_NEAR(places(arm)[1].x(), 0.4, 1e-6);
    EXPECT_NEAR(places(arm)[2].x(), 0.8, 1e-6);
    EXPECT_EQ(arm.joints[3].name, "tip");
    EXPECT_EQ(arm.joints[3].parent, 2);
}

TEST(SegmentTemplate, TheyGoToTheNeckOfTheLimbWhenOneIsNear) {
    EXPECT_NEAR(places(with_segment(bone(), limb(0.46), 0, 1, {{0.4}}))[1].x(), 0.46, 0.011);
    EXPECT_NEAR(places(with_segment(bone(), limb(0.7), 0, 1, {{0.4}}))[1].x(), 0.4, 1e-6) << "too far";
}

TEST(SegmentTemplate, AJointThatIsThereIsEnough) {
    const model::Skeleton once = with_segment(bone(), limb(9), 0, 1, {{0.4}});
    EXPECT_EQ(with_segment(once, limb(9), 0, 2, {{0.45}}).size(), 3u);
    EXPECT_EQ(with_segment(once, limb(9), 0, 2, {{0.7}}).size(), 4u);
    EXPECT_THROW(with_segment(once, limb(9), 2, 0, {{0.4}}), Error);
}

TEST(SegmentTemplate, AKneeOfOneLegIsOneOfTheOther) {
    // A trunk, and two legs of which one shows its knee.
    model::Skeleton skeleton;
    const auto add = [&](const char* name, int parent, const Vec3d& offset) {
        skeleton.joints.push_back({name, parent, {}, {}, {}});
        skeleton.joints.back().rest.translation = offset;
    };
    add("hips", -1, {0, 1, 0});
    add("head", 0, {0, 0.8, 0});
    add("a0", 0, {0.1, -0.1, 0});
    add("a1", 2, {0, -0.4, 0});
    add("a2", 3, {0, -0.4, 0});
    add("b0", 0, {-0.1, -0.1, 0});
    add("b2", 5, {0, -0.8, 0});
    const CurveSkeleton curve = curve_of(skeleton, 0.02);
    const model::Skeleton twins = with_twin_joints(skeleton, curve);
    ASSERT_EQ(twins.size(), 8u);
    const int foot = twins.find("b2"), knee = twins.joints[static_cast<std::size_t>(foot)].parent;
    EXPECT_LT((places(twins)[static_cast<std::size_t>(knee)] - Vec3d(-0.1, 0.5, 0)).norm(), 0.02);
    EXPECT_EQ(with_twin_joints(twins, curve).size(), 8u) << "once is enough";
}

TEST(SegmentTemplate, TheManGetsElbowsWristsKneesAndAnkles) {
    const model::Character man = test::sample("man");
    const SkeletonizeResult result = skeletonize(man.mesh);
    const auto truth = places(man.skeleton), found = places(result.skeleton);
    const double diagonal = geometry::bounds(man.mesh.positions).diagonal();
    for (const char* name : {"LeftLowerArm", "RightLowerArm", "LeftHand", "LeftLowerLeg", "RightFoot"}) {
        const int want = man.skeleton.find(name), have = result.skeleton.find(name);
        ASSERT_GE(have, 0) << name;
        EXPECT_LT((truth[static_cast<std::size_t>(want)] - found[static_cast<std::size_t>(have)]).norm(),
                  0.05 * diagonal)
            << name;
    }
}

}  // namespace
}  // namespace sinew::rig
