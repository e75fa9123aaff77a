// SPDX-License-Identifier: MIT
// Captured motions onto other people's skeletons.

#include "support/data.h"
#include <gtest/gtest.h>

#include "sinew/io/io.h"
#include "sinew/motion/edit.h"
#include "sinew/motion/retarget.h"
#include "sinew/sample/samples.h"

namespace sinew::motion {
namespace {

TEST(RetargetRealData, CaptureOntoAnotherPersonKeepsEveryDirection) {
    SINEW_NEEDS_DATA();
    const model::Character from = io::read(test::data("bvh/cmu_07_05.bvh")).character;
    const model::Character to = io::read(test::data("bvh/cmu_01_01.bvh")).character;
    RetargetOptions options;
    options.foot_contacts = false;  // they bend the legs
    const RetargetResult result = retarget(from.skeleton, from.clips.at(0), to.skeleton, options);
    EXPECT_TRUE(result.unmapped.empty());
    EXPECT_GT(result.scale, 0.8);
    EXPECT_LT(result.scale, 1.25);
    model::validate(result.clip, to.skeleton.size(), 0, "result");
    for (std::size_t f = 0; f < model::frame_count(result.clip); f += 25) {
        const double t = model::frame_time(result.clip, f);
        const auto a = bones(from.skeleton, model::world_matrices(from, &from.clips[0], t));
        const auto b = bones(to.skeleton, model::world_matrices(to, &result.clip, t));
        ASSERT_EQ(a.size(), b.size());
        for (std::size_t i = 0; i < a.size(); ++i) {
            // Joints with several bones cannot match all of them when proportions differ.
            const bool single = children(to.skeleton)[static_cast<std::size_t>(b[i].joint)].size() <= 1;
            const math::Vec3d x = a[i].end - a[i].start, y = b[i].end - b[i].start;
            // Feet stay flat instead, and collar bones and trunks keep their shape.
            const std::string& name = to.skeleton.joints[static_cast<std::size_t>(b[i].joint)].name;
            const bool limb = name.ends_with("Arm") || name.ends_with("Leg") || name.ends_with("Hand");
            if (!limb) continue;
            if (!single || x.norm() < 1e-6 || y.norm() < 1e-6) continue;
            EXPECT_LT((x.normalized() - y.normalized()).norm(), 1e-4)
                << to.skeleton.joints[static_cast<std::size_t>(b[i].joint)].name << " at frame " << f;
        }
    }
}

TEST(RetargetRealData, CaptureOntoItselfIsTheCapture) {
    SINEW_NEEDS_DATA();
    const model::Character c = io::read(test::data("bvh/cmu_01_01.bvh")).character;
    const RetargetResult copied = retarget(c.skeleton, c.clips.at(0), c.skeleton);
    EXPECT_EQ(compare(c.skeleton, c.clips[0], c.skeleton, copied.clip).max_position_error, 0);
    RetargetOptions options;
    options.rate = model::frame_rate(c.clips[0]);  // sampled, not copied
    const RetargetResult sampled = retarget(c.skeleton, c.clips[0], c.skeleton, options);
    EXPECT_LT(compare(c.skeleton, c.clips[0], c.skeleton, sampled.clip).max_percent, 1e-3);
}

/// Largest turn of a joint between two frames, in degrees; the T-pose that archives put first is left out.
double largest_turn(const model::Clip& clip) {
    double largest = 0;
    for (const model::Track& track : clip.tracks) {
        const auto& turns = track.rotation.values;
        for (std::size_t f = 2; f < turns.size(); ++f)
            largest = std::max(
                largest, math::degrees(static_cast<double>(math::angle_between(turns[f - 1], turns[f]))));
    }
    return largest;
}

TEST(RetargetRealData, FeetOfOtherCharactersStandAndJointsDoNotFlip) {
    SINEW_NEEDS_DATA();
    const model::Character man = sample::make("man"),
                           cesium = io::read(test::data("gltf/CesiumMan.glb")).character;
    for (const char* name : {"01_01", "02_01", "07_05", "09_06"}) {
        const model::Character from = io::read(test::data(std::string("bvh/cmu_") + name + ".bvh")).character;
        for (const model::Character* to : {&man, &cesium}) {
            const RetargetResult result = retarget(from.skeleton, from.clips.at(0), to->skeleton);
            model::validate(result.clip, to->skeleton.size(), 0, "result");
            ASSERT_EQ(result.feet.size(), 2u);
            for (const FootPlant& foot : result.feet) {
                EXPECT_GE(foot.contacts.size(), 1u);
                EXPECT_LT(foot.slide.largest, 1) << name << ' ' << to->name;
            }
            EXPECT_LT(largest_turn(result.clip), 60) << name << ' ' << to->name;
        }
    }
}

}  // namespace
}  // namespace sinew::motion
