// SPDX-License-Identifier: MIT
#include "sinew/rig/templates/symmetry.h"

#include "support/samples.h"
#include <gtest/gtest.h>

#include "sinew/base/error.h"
#include "sinew/rig/edit/skeleton_edit.h"

namespace sinew::rig {
namespace symmetry_test {

using math::Mat3d;
using math::Vec3d;
using model::Side;

Vec3d place(const model::Skeleton& skeleton, const std::string& name) {
    const auto world = model::rest_world_matrices(skeleton);
    return world.at(static_cast<std::size_t>(skeleton.find(name))).topRightCorner<3, 1>();
}

TEST(Symmetry, TheManIsSymmetricInX) {
    const auto plane = mirror_plane(test::sample("man").mesh);
    ASSERT_TRUE(plane);
    EXPECT_GT(std::abs(plane->normal.x()), 1 - 1e-6);
    EXPECT_NEAR(plane->offset, 0, 1e-4);
    EXPECT_LT(plane->residual, 0.01);
}

TEST(Symmetry, ATurnedManIsSymmetricInTheTurnedPlane) {
    geometry::Mesh mesh = test::sample("man").mesh;
    const Mat3d turn = Eigen::AngleAxisd(0.7, Vec3d(1, -2, 0.5).normalized()).toRotationMatrix();
    const Vec3d shift(3, -1, 2);
    for (auto& p : mesh.positions) p = (turn * p.cast<double>() + shift).cast<float>();
    const auto plane = mirror_plane(mesh);
    ASSERT_TRUE(plane);
    const Vec3d normal = turn.col(0);
    EXPECT_GT(std::abs(plane->normal.dot(normal)), 1 - 1e-4);
    EXPECT_NEAR(plane->side(shift), 0, 2e-3);
}

TEST(Symmetry, ALopsidedBodyHasNoPlane) {
    geometry::Mesh mesh = test::sample("man").mesh;
    for (auto& p : mesh.positions) {
        if (p.x() > 0.2f) p.y() -= 2 * (p.x() - 0.2f);  // the left arm hangs
        if (p.y() < 0.8f && p.x() < 0) p.z() += 0.8f - p.y();
    }
    EXPECT_FALSE(mirror_plane(mesh));
    EXPECT_FALSE(mirror_plane(geometry::Mesh{}));
}

TEST(Symmetry, JointsFindTheirTwins) {
    const model::Skeleton man = test::sample("man").skeleton;
    const auto plane = mirror_plane(man);
    ASSERT_TRUE(plane);
    EXPECT_LT(plane->residual, 1e-9);
    const std::vector<int> twin = pair_joints(man, model::find_roles(man), *plane);
    for (std::size_t j = 0; j < man.size(); ++j) {
        const std::string& name = man.joints[j].name;
        const std::string other = mirrored_name(name);
        EXPECT_EQ(twin[j], man.find(other.empty() ? name : other)) << name;
    }
}

TEST(Symmetry, OneSideFollowsTheOther) {
    const model::Skeleton man = test::sample("man").skeleton;
    const MirrorPlane plane{Vec3d::UnitX(), 0, 0};
    model::Skeleton edited = move_joint(man, man.find("LeftFoot"), {0.3, 0.1, 0.2});
    edited = add_joint(edited, edited.find("LeftHand"), {1, 1.5, 0}, "LeftSword");
    const model::Skeleton both = mirror_side(edited, plane, Side::left);
    EXPECT_LT((place(both, "RightFoot") - Vec3d(-0.3, 0.1, 0.2)).norm(), 1e-9);
    ASSERT_GE(both.find("RightSword"), 0);
    EXPECT_LT((place(both, "RightSword") - Vec3d(-1, 1.5, 0)).norm(), 1e-9);
    EXPECT_EQ(both.joints[static_cast<std::size_t>(
                              both.joints[static_cast<std::size_t>(both.find("RightSword"))].parent)]
                  .name,
              "RightHand");
    EXPECT_LT((place(both, "LeftFoot") - Vec3d(0.3, 0.1, 0.2)).norm(), 1e-9);
    EXPECT_THROW(mirror_side(man, plane, Side::none), Error);
}

TEST(Symmetry, NamesHaveAnotherSide) {
    EXPECT_EQ(mirrored_name("LeftArm"), "RightArm");
    EXPECT_EQ(mirrored_name("mixamorig:RightUpLeg"), "mixamorig:LeftUpLeg");
    EXPECT_EQ(mirrored_name("upper_arm.L"), "upper_arm.R");
    EXPECT_EQ(mirrored_name("thigh_r"), "thigh_l");
    EXPECT_EQ(mirrored_name("rShldr"), "lShldr");
    EXPECT_EQ(mirrored_name("lfemur"), "rfemur");
    EXPECT_EQ(mirrored_name("Spine"), "");
    EXPECT_EQ(mirrored_name("lowerback"), "");
    EXPECT_EQ(mirrored_name(""), "");
}

}  // namespace symmetry_test
}  // namespace sinew::rig
