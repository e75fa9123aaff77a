// SPDX-License-Identifier: MIT
// Sampling: where a time lies in a packed clip, and the pose there.

#include "deform/player_support.h"

namespace sinew::deform {
namespace {

TEST(Locate, ClampsAndLoops) {
    PackedClip clip;
    clip.frame_count = 11;
    clip.rate = 10;
    clip.start = 2;  // frames 0 to 10 from 2 s to 3 s
    struct Case {
        double time;
        Playback playback;
        std::size_t frame;
        float fraction;
    };
    const Case cases[] = {
        {3.05, Playback::loop, 0, 0.5f},    {2, Playback::clamp, 0, 0},
        {2.25, Playback::clamp, 2, 0.5f},   {3, Playback::clamp, 10, 0},
        {99, Playback::clamp, 10, 0},       {-99, Playback::clamp, 0, 0},
        {2.25, Playback::loop, 2, 0.5f},    {3, Playback::loop, 0, 0},
        {3.25, Playback::loop, 2, 0.5f},    {1.75, Playback::loop, 7, 0.5f},
        {1, Playback::loop, 0, 0},          {0.95, Playback::loop, 9, 0.5f},
        {102.25, Playback::loop, 2, 0.5f},  {-97.75, Playback::loop, 2, 0.5f},
        {2.99999999, Playback::loop, 0, 0}, {1e300, Playback::clamp, 10, 0},
    };
    for (const Case& c : cases) {
        const FramePosition position = locate(clip, c.time, c.playback);
        EXPECT_EQ(position.frame, c.frame) << c.time;
        EXPECT_NEAR(position.fraction, c.fraction, 1e-5) << c.time;
    }
    EXPECT_LT(locate(clip, 1e300, Playback::loop).frame, 11u);
    clip.frame_count = 1;
    for (const double time : {-5.0, 2.0, 7.0}) {
        EXPECT_EQ(locate(clip, time, Playback::loop).frame, 0u);
        EXPECT_EQ(locate(clip, time, Playback::clamp).fraction, 0);
    }
}

TEST(Locate, TimesOfFramesAreThoseFrames) {
    PackedClip clip;
    clip.frame_count = 3000;
    for (const double rate : {23.976, 29.97, 30.0, 59.94, 120.0, 1 / 0.008333}) {
        for (const double start : {0.0, -3.7, 1234.5}) {
            clip.rate = rate;
            clip.start = start;
            for (std::size_t k = 0; k < clip.frame_count; ++k) {
                const FramePosition position =
                    locate(clip, start + static_cast<double>(k) / rate, Playback::clamp);
                ASSERT_EQ(position.frame, k);
                ASSERT_EQ(position.fraction, 0);
            }
        }
    }
}

TEST(Locate, RefusesTimesThatAreNotFinite) {
    PackedClip clip;
    clip.frame_count = 2;
    for (const double time : {nan, infinity, -infinity}) {
        for (const Playback playback : {Playback::clamp, Playback::loop}) {
            EXPECT_THROW(locate(clip, time, playback), Error);
        }
    }
    clip.frame_count = 0;
    EXPECT_THROW(locate(clip, 0, Playback::clamp), Error);
}

TEST(Sample, TurnsByHalfBetweenTwoFrames) {
    const Turning turning(2);
    const PackedClip clip = model::pack(turning.clip, turning.skeleton);
    LocalPose pose(2);
    sample(clip, 0.5 / 30, Playback::clamp, pose);
    EXPECT_NEAR(angle_about_z(pose, 1), 1.0 / 30, 1e-6);
    EXPECT_NEAR(pose[1].translation.x(), 1, 0);  // still: from the rest pose
    sample(clip, 0.5, Playback::clamp, pose);
    EXPECT_NEAR(angle_about_z(pose, 1), 1, 1e-6);
    sample(clip, 7.25, Playback::loop, pose);
    EXPECT_NEAR(angle_about_z(pose, 1), 0.5, 2e-6);
    sample(clip, -3, Playback::clamp, pose);
    EXPECT_NEAR(angle_about_z(pose, 1), 0, 1e-6);
    sample(clip, 33, Playback::clamp, pose);
    EXPECT_NEAR(angle_about_z(pose, 1), 2, 1e-6);
}

TEST(Sample, FollowsTheClipForAllJointCounts) {
    Random random(11);
    for (std::size_t joints = 1; joints <= 70; ++joints) {
        const Skeleton skeleton = test::random_skeleton(random, joints);
        const model::Clip clip =
            test::random_clip(random, skeleton, {.frames = 12, .start = -0.2, .everything = joints % 2 == 0});
        const PackedClip packed = model::pack(clip, skeleton);
        LocalPose pose(joints);
        for (int i = 0; i < 5; ++i) {
            const double time = random.uniform(-0.3, 0.3);
            const std::vector<Transform> truth = model::sample(clip, skeleton, time);
            on_every_target([&] {
                sample(packed, time, Playback::clamp, pose);
                // Frames turn by at most 0.2: normalised linear blending is 0.004 * 0.2^3 off, see below.
                ASSERT_LT(difference(pose, truth), 4e-5) << joints << " joints at " << time;
            });
        }
    }
}

// With a turn of a radians between two frames, the angle of a normalised linear blend differs from a t by
// a^3 t(1-t)(1-2t)/24 + O(a^5), at most a^3 sqrt(3)/432 = 0.00401 a^3.
TEST(Sample, ErrorOfNormalisedLinearRotationIsBoundedByTheRate) {
    for (const double step : {0.05, 0.1, 0.2, 0.4}) {
        const Turning turning(step * 30);
        const PackedClip clip = model::pack(turning.clip, turning.skeleton);
        LocalPose pose(2);
        double max = 0;
        for (int i = 0; i <= 1000; ++i) {
            const double t = i / 1000.0;
            sample(clip, t / 30, Playback::clamp, pose);
            max = std::max(max, std::abs(angle_about_z(pose, 1) - step * t));
        }
        const double bound = std::pow(step, 3) * std::sqrt(3) / 432;
        EXPECT_LT(max, 1.1 * bound + 3e-7) << step;
        EXPECT_GT(max, 0.9 * bound - 3e-7) << step;
    }
}

TEST(Sample, FramesAreExactAndSeekingGivesTheSameBits) {
    Random random(5);
    const Skeleton skeleton = test::random_skeleton(random, 67);
    const PackedClip clip = model::pack(test::random_clip(random, skeleton, {.everything = true}), skeleton);
    std::vector<float> frame(clip.pose_size());
    LocalPose pose(67);
    for (std::size_t f = 0; f < clip.frame_count; ++f) {
        sample(clip, static_cast<double>(f) / clip.rate, Playback::clamp, pose);
        model::expand(clip, f, frame);
        ASSERT_TRUE(std::ranges::equal(pose.data, frame)) << f;
    }
    std::vector<LocalPose> sequential;
    for (int i = 0; i < 200; ++i) {
        sample(clip, i * 0.0123 - 0.4, Playback::loop, pose);
        sequential.push_back(pose);
    }
    for (int n = 0; n < 400; ++n) {
        const int i = random.integer(0, 199);
        sample(clip, i * 0.0123 - 0.4, Playback::loop, pose);
        ASSERT_TRUE(pose.data == sequential[static_cast<std::size_t>(i)].data);
    }
}

TEST(Sample, RefusesAPoseOfAnotherSize) {
    const Turning turning;
    const PackedClip clip = model::pack(turning.clip, turning.skeleton);
    LocalPose pose(3);
    EXPECT_EQ(refusal([&] { sample(clip, 0, Playback::clamp, pose); }), "the clip has 2 joints, the pose 3");
    LocalPose cut(2);
    cut.data.resize(10);
    EXPECT_THROW(sample(clip, 0, Playback::clamp, cut), Error);
}

}  // namespace
}  // namespace sinew::deform
