// SPDX-License-Identifier: MIT
#include "pose_layer.h"

#include "support/motion.h"
#include <gtest/gtest.h>

namespace sinew::studio {
namespace {

using sinew::test::Random;

struct Posed {
    model::Skeleton skeleton;
    std::vector<Transform> below;
};

Posed random_pose(unsigned seed) {
    Random random(seed);
    Posed posed;
    posed.skeleton = sinew::test::random_skeleton(random, 12);
    for (model::Joint& joint : posed.skeleton.joints) {
        joint.rest.scale.setOnes();
        posed.below.push_back(joint.rest);
        posed.below.back().rotation = random.rotation();
    }
    return posed;
}

math::Mat4d world_of(const Posed& posed, const PoseLayer& layer, int joint) {
    return model::world_matrices(posed.skeleton,
                                 with_layer(posed.below, layer))[static_cast<std::size_t>(joint)];
}

TEST(PoseLayer, GlobalTurnsAreAboutTheAxesOfTheWorld) {
    for (unsigned seed = 1; seed < 20; ++seed) {
        const Posed posed = random_pose(seed);
        const int joint = static_cast<int>(seed % 12);
        PoseLayer layer;
        rotate(layer, posed.skeleton, posed.below, joint, Vec3d::UnitX(), 0.3, Space::global);
        const math::Mat4d before = world_of(posed, layer, joint);
        const Vec3d axis = Vec3d(1, 2, -1).normalized();
        rotate(layer, posed.skeleton, posed.below, joint, axis, 0.7, Space::global);
        const math::Mat4d after = world_of(posed, layer, joint);
        const math::Mat3d turn = math::axis_angle<double>(axis, 0.7).toRotationMatrix();
        EXPECT_LT((after.topLeftCorner<3, 3>() - turn * before.topLeftCorner<3, 3>()).norm(), 1e-9);
        EXPECT_LT((after - before).col(3).norm(), 1e-9) << "the joint stays in its place";
    }
}

TEST(PoseLayer, LocalTurnsAreAboutTheJointsOwnAxes) {
    const Posed posed = random_pose(5);
    PoseLayer layer;
    const math::Mat4d before = world_of(posed, layer, 7);
    rotate(layer, posed.skeleton, posed.below, 7, Vec3d::UnitY(), 0.5, Space::local);
    const math::Mat4d after = world_of(posed, layer, 7);
    const math::Mat3d turn = math::axis_angle<double>(Vec3d::UnitY(), 0.5).toRotationMatrix();
    EXPECT_LT((after.topLeftCorner<3, 3>() - before.topLeftCorner<3, 3>() * turn).norm(), 1e-9);
    const math::Mat3d axes = axes_of(posed.skeleton, posed.below, 7, Space::local);
    EXPECT_LT((axes - before.topLeftCorner<3, 3>()).norm(), 1e-9);
}

TEST(PoseLayer, MovesGoTheGivenWayInTheWorld) {
    const Posed posed = random_pose(8);
    for (int joint = 0; joint < 12; ++joint) {
        PoseLayer layer;
        translate(layer, posed.skeleton, posed.below, joint, {0.1, -0.2, 0.3}, Space::global);
        const Vec3d way = (world_of(posed, layer, joint) - world_of(posed, {}, joint)).topRightCorner<3, 1>();
        EXPECT_LT((way - Vec3d(0.1, -0.2, 0.3)).norm(), 1e-9);
    }
}

TEST(PoseLayer, ScalesMultiply) {
    const Posed posed = random_pose(3);
    PoseLayer layer;
    scale(layer, 2, {2, 1, 1});
    scale(layer, 2, {1.5, 1, 0.5});
    EXPECT_TRUE(with_layer(posed.below, layer)[2].scale.isApprox(Vec3d(3, 1, 0.5)));
}

TEST(PoseLayer, BakingPlaysTheSameWithoutTheLayer) {
    Random random(6);
    const model::Skeleton skeleton = sinew::test::random_skeleton(random, 8);
    sinew::test::RandomClip options;
    options.frames = 12;
    const model::Clip clip = sinew::test::random_clip(random, skeleton, options);
    PoseLayer layer;
    rotate(layer, skeleton, model::sample(clip, skeleton, 0), 3, Vec3d::UnitZ(), 0.6, Space::local);
    layer.offsets[5].translation = {0.1, 0, 0};
    const model::Clip made = baked(skeleton, &clip, layer);
    model::validate(made, skeleton.size(), 0, "baked");
    for (std::size_t f = 0; f < 12; ++f) {
        const double time = model::frame_time(clip, f);
        const auto expected = with_layer(model::sample(clip, skeleton, time), layer);
        const auto found = model::sample(made, skeleton, time);
        for (std::size_t j = 0; j < skeleton.size(); ++j) {
            EXPECT_LT((expected[j].translation - found[j].translation).norm(), 1e-5);
            EXPECT_LT(math::angle_between(expected[j].rotation, found[j].rotation), 1e-3);
        }
    }
    EXPECT_EQ(model::frame_count(baked(skeleton, nullptr, layer)), 1u);
}

}  // namespace
}  // namespace sinew::studio
