// SPDX-License-Identifier: MIT
// The per-frame path of the player allocates nothing.

#include "sinew/deform/player.h"

#include <vector>

#include "counter.h"
#include "support/motion.h"
#include <gtest/gtest.h>

namespace sinew::deform {
namespace {

TEST(Allocations, AreCounted) {
    EXPECT_GE(test::allocations_in([] {
                  std::vector<int> some(100);
                  EXPECT_EQ(some.size(), 100u);
              }),
              1u);
    EXPECT_GE(test::allocations_in([] {
                  LocalPose pose(20);
                  EXPECT_EQ(pose.joint_count, 20u);
              }),
              1u);
}

TEST(Allocations, PlayingAFrameNeedsNone) {
    test::Random random(3);
    const model::Skeleton skeleton = test::random_skeleton(random, 67);
    const std::vector<model::SkinJoint> joints = test::random_skin_joints(random, skeleton);
    const model::PackedClip walk = model::pack(test::random_clip(random, skeleton), skeleton);
    const model::PackedClip run =
        model::pack(test::random_clip(random, skeleton, {.everything = true}), skeleton);
    const model::PackedClip lean = model::pack_additive(test::random_clip(random, skeleton), skeleton,
                                                        std::vector<math::Transform>(skeleton.size()));
    const JointMask mask = JointMask::below(skeleton, 5);
    Player player(skeleton, joints);
    LocalPose pose(skeleton.size());
    std::vector<Mat34f> out(joints.size());
    Layer layers[] = {{.clip = &walk, .playback = Playback::loop, .weight = 0.4f},
                      {.clip = &run, .playback = Playback::loop, .weight = 0.6f, .mask = &mask},
                      {.clip = &run, .weight = 0.5f, .mode = LayerMode::over, .mask = &mask},
                      {.clip = &lean, .weight = 0.5f, .mode = LayerMode::add}};

    EXPECT_EQ(test::allocations_in([&] {
                  for (double time = -1; time < 4; time += 0.017) {
                      sample(walk, time, Playback::clamp, pose);
                      player.play(pose);
                      player.play(walk, time, Playback::loop);
                      for (Layer& layer : layers) layer.time = time;
                      player.play(layers);
                      player.write_palette(out);
                  }
              }),
              0u);
}

}  // namespace
}  // namespace sinew::deform
