// SPDX-License-Identifier: MIT
// From local poses to world matrices and palettes, against double precision.

#include "deform/player_support.h"

namespace sinew::deform {
namespace {

TEST(Hierarchy, AgreesWithDoublePrecisionForAllJointCounts) {
    Random random(7);
    for (std::size_t joints = 0; joints <= 70; ++joints) {
        const Skeleton skeleton = test::random_skeleton(random, joints);
        const std::vector<model::SkinJoint> entries = test::random_skin_joints(random, skeleton);
        std::vector<Transform> local;
        for (std::size_t j = 0; j < joints; ++j)
            local.push_back({random.vector(0.3), random.rotation(), Vec3d::Ones() + random.vector(0.1)});
        const std::vector<Mat4d> world = model::world_matrices(skeleton, local);
        model::Skin skin;
        skin.joints = entries;
        const std::vector<Mat4d> palette = model::palette(skin, world);
        const double size = std::max(largest(world), largest(palette));
        const Hierarchy hierarchy(skeleton, entries);
        ASSERT_EQ(hierarchy.palette_size(), entries.size());
        const LocalPose pose(local);
        on_every_target([&] {
            std::vector<Mat34f> own_world(joints), own_palette(entries.size() + 2);
            hierarchy.evaluate(pose, own_world, own_palette);
            for (std::size_t j = 0; j < joints; ++j)
                ASSERT_LT(largest_difference(own_world[j], world[j]), 1e-5 * size) << j << " of " << joints;
            for (std::size_t k = 0; k < entries.size(); ++k)
                ASSERT_LT(largest_difference(own_palette[k], palette[k]), 1e-5 * size) << k;
            // What lies behind the palette is not touched.
            ASSERT_EQ(largest_difference(own_palette[entries.size()], Mat4d::Identity()), 0);
        });
    }
}

TEST(Hierarchy, RestPoseBoundAtRestIsTheIdentity) {
    Random random(8);
    const Skeleton skeleton = test::random_skeleton(random, 40);
    const Player player(skeleton, model::bind_at_rest(skeleton));
    for (const Mat34f& matrix : player.palette())
        EXPECT_LT(largest_difference(matrix, Mat4d::Identity()), 2e-5);
}

TEST(Hierarchy, RefusesSpansThatAreTooShort) {
    Random random(9);
    const Skeleton skeleton = test::random_skeleton(random, 5);
    const Hierarchy hierarchy(skeleton, model::bind_at_rest(skeleton));
    const LocalPose pose = rest_pose(skeleton);
    std::vector<Mat34f> five(5), four(4);
    EXPECT_EQ(refusal([&] { hierarchy.evaluate(pose, five, five); }), "");
    EXPECT_EQ(refusal([&] { hierarchy.evaluate(pose, five, four); }),
              "space for 4 palette entries, but 5 are needed");
    EXPECT_EQ(refusal([&] { hierarchy.evaluate(pose, four, five); }),
              "space for 4 world matrices, but 5 are needed");
    EXPECT_EQ(refusal([&] { hierarchy.evaluate(LocalPose(6), five, five); }),
              "the pose has 6 joints, the skeleton 5");
    const Player player(skeleton, model::bind_at_rest(skeleton));
    EXPECT_THROW(player.write_palette(four), Error);
    player.write_palette(five);
    EXPECT_EQ(largest_difference(five[4], to_mat4(player.palette()[4])), 0);
}

TEST(Hierarchy, RefusesNumbersThatAreNotFinite) {
    Random random(10);
    const Skeleton skeleton = test::random_skeleton(random, 67);
    const Hierarchy hierarchy(skeleton, model::bind_at_rest(skeleton));
    std::vector<Mat34f> world(67), palette(67);
    const char* names[] = {"translation", "rotation", "scale"};
    for (const double bad : {nan, infinity, -infinity}) {
        for (std::size_t row = 0; row < PackedClip::rows; ++row) {
            const auto joint = static_cast<std::size_t>(random.integer(0, 66));
            LocalPose pose = rest_pose(skeleton);
            pose.data[row * pose.stride + joint] = static_cast<float>(bad);
            const std::string expected = fmt::format("joint {} has a {} that is not finite", joint,
                                                     names[row < 3   ? 0
                                                           : row < 7 ? 1
                                                                     : 2]);
            on_every_target(
                [&] { EXPECT_EQ(refusal([&] { hierarchy.evaluate(pose, world, palette); }), expected); });
        }
    }
}

TEST(Hierarchy, RefusesABrokenSkeletonOrSkin) {
    Skeleton skeleton = Turning().skeleton;
    std::vector<model::SkinJoint> entries = model::bind_at_rest(skeleton);
    entries[1].joint = 2;
    EXPECT_EQ(refusal([&] { Hierarchy(skeleton, entries); }), "the skin names joint 2 of 2");
    entries[1].joint = 1;
    entries[1].inverse_bind(0, 0) = nan;
    EXPECT_EQ(refusal([&] { Hierarchy(skeleton, entries); }), "the bind matrix of joint 1 is not finite");
    skeleton.joints[1].parent = 1;
    EXPECT_EQ(refusal([&] { Hierarchy(skeleton, {}); }), "joint 1 does not come after its parent 1");
}

}  // namespace
}  // namespace sinew::deform
