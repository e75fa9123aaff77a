// SPDX-License-Identifier: MIT
#include "sinew/rig/joints/orientation.h"

#include "support/samples.h"
#include <gtest/gtest.h>

namespace sinew::rig {
namespace {

using math::Mat3d;
using math::Vec3d;

Mat3d frame(const model::Skeleton& skeleton, const std::string& name) {
    return model::rest_world_matrices(skeleton)[static_cast<std::size_t>(skeleton.find(name))]
        .topLeftCorner<3, 3>();
}

TEST(Orientation, PlacesAndTipsStay) {
    const model::Skeleton man = test::sample("man").skeleton;
    const Oriented turned = orient_joints(man);
    model::validate(turned.skeleton, "test");
    const auto before = model::rest_world_matrices(man), after = model::rest_world_matrices(turned.skeleton);
    for (std::size_t j = 0; j < man.size(); ++j) {
        EXPECT_LT((before[j].topRightCorner<3, 1>() - after[j].topRightCorner<3, 1>()).norm(), 1e-12);
        if (!man.joints[j].tip) continue;
        EXPECT_LT((math::transform_point(before[j], *man.joints[j].tip) -
                   math::transform_point(after[j], *turned.skeleton.joints[j].tip))
                      .norm(),
                  1e-12);
    }
}

TEST(Orientation, YRunsAlongTheBoneAndSidesAreMirrored) {
    const model::Skeleton man = orient_joints(test::sample("man").skeleton).skeleton;
    const auto at = model::joint_positions(model::rest_world_matrices(man));
    for (const auto& [from, to] :
         std::vector<std::pair<std::string, std::string>>{{"LeftUpperArm", "LeftLowerArm"},
                                                          {"RightLowerLeg", "RightFoot"},
                                                          {"Spine", "Chest"},
                                                          {"Hips", "Spine"}}) {
        const Vec3d bone =
            at[static_cast<std::size_t>(man.find(to))] - at[static_cast<std::size_t>(man.find(from))];
        EXPECT_LT((frame(man, from).col(1) - bone.normalized()).norm(), 1e-9) << from;
        EXPECT_NEAR(frame(man, from).determinant(), 1, 1e-9);
    }
    EXPECT_GT(frame(man, "LeftLowerLeg").col(0).x(), 0.95) << "knees are hinges about the side axis";
    EXPECT_GT(frame(man, "RightLowerLeg").col(0).x(), 0.95);
    EXPECT_GT(frame(man, "LeftLowerArm").col(0).y(), 0.95) << "elbows of a T-pose are hinges about up";
    EXPECT_LT(frame(man, "RightLowerArm").col(0).y(), -0.95);
    const Vec3d mirror(-1, 1, 1);
    for (const model::Joint& joint : man.joints) {
        if (!joint.name.starts_with("Left")) continue;
        const Mat3d left = frame(man, joint.name), right = frame(man, "Right" + joint.name.substr(4));
        EXPECT_LT((right.col(0) + mirror.cwiseProduct(left.col(0))).norm(), 1e-6) << joint.name;
        EXPECT_LT((right.col(1) - mirror.cwiseProduct(left.col(1))).norm(), 1e-6) << joint.name;
        EXPECT_LT((right.col(2) - mirror.cwiseProduct(left.col(2))).norm(), 1e-6) << joint.name;
    }
}

TEST(Orientation, ABendHasItsHingeAcrossBothBones) {
    model::Skeleton arm;
    for (int j = 0; j < 3; ++j) {
        model::Joint joint;
        joint.name = std::string(1, static_cast<char>('a' + j));
        joint.parent = j - 1;
        arm.joints.push_back(joint);
    }
    arm.joints[1].rest.translation = {1, 0, 0};
    arm.joints[2].rest.translation = {0, 0, 1};
    const model::Skeleton turned = orient_joints(arm).skeleton;
    EXPECT_LT((frame(turned, "b").col(0).cwiseAbs() - Vec3d::UnitY()).norm(), 1e-12);
    EXPECT_LT((frame(turned, "b").col(1) - Vec3d::UnitZ()).norm(), 1e-12);
    EXPECT_LT((frame(turned, "c") - frame(turned, "b")).norm(), 1e-12) << "a leaf has its parent's frame";
}

TEST(Orientation, TheChangeTakesOldFramesToNewOnesAndLimitsStay) {
    model::Skeleton man = test::sample("man").skeleton;
    const auto knee = static_cast<std::size_t>(man.find("LeftLowerLeg"));
    man.joints[knee].limits = model::JointLimits{};
    man.joints[knee].limits->frame = math::Quatd(Eigen::AngleAxisd(0.4, Vec3d::UnitZ()));
    const Oriented turned = orient_joints(man);
    const auto before = model::rest_world_matrices(man), after = model::rest_world_matrices(turned.skeleton);
    for (std::size_t j = 0; j < man.size(); ++j) {
        const Mat3d expected = before[j].topLeftCorner<3, 3>() * turned.change[j].toRotationMatrix();
        EXPECT_LT((after[j].topLeftCorner<3, 3>() - expected).norm(), 1e-9);
    }
    const Mat3d old_axis =
        before[knee].topLeftCorner<3, 3>() * man.joints[knee].limits->frame.toRotationMatrix();
    const Mat3d new_axis =
        after[knee].topLeftCorner<3, 3>() * turned.skeleton.joints[knee].limits->frame.toRotationMatrix();
    EXPECT_LT((old_axis - new_axis).norm(), 1e-9);
}

}  // namespace
}  // namespace sinew::rig
