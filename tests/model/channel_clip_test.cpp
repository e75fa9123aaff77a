// SPDX-License-Identifier: MIT
#include "support/motion.h"
#include <gtest/gtest.h>

#include "sinew/base/error.h"
#include "sinew/model/channels.h"

namespace sinew::model {
namespace {

constexpr TangentRule linear{Tangent::linear, 0};

/// Three joints: hip at (0,1,0), knee below it, and an arm beside the knee's line.
Skeleton figure() {
    Skeleton skeleton;
    skeleton.joints.resize(3);
    skeleton.joints[0].name = "hip";
    skeleton.joints[0].rest.translation = {0, 1, 0};
    skeleton.joints[1] = {"knee", 0, {}, Vec3d(0, -0.5, 0), {}};
    skeleton.joints[1].rest.translation = {0, -0.5, 0};
    skeleton.joints[2] = {"arm", 0, {}, {}, {}};
    skeleton.joints[2].rest.rotation = math::axis_angle(Vec3d(Vec3d::UnitY()), 0.4);
    return skeleton;
}

Channel swing(int id, double degrees, Extrapolation after = Extrapolation::constant) {
    Channel channel;
    channel.id = id;
    channel.after = after;
    for (int k = 0; k < 4; ++k) channel.keys.push_back({0.5 * k, k % 2 == 1 ? degrees : -degrees, {}, {}});
    return channel;
}

/// Largest differences between a clip and the channels, at many times; jumps are given a wide berth.
ConversionError measured(const Clip& clip, ChannelPlayer& player, const Skeleton& skeleton, double start,
                         double end) {
    ConversionError error;
    for (double t = start; t <= end; t += 0.00171) {
        const auto a = sample(clip, skeleton, t), b = player.pose(t);
        for (std::size_t j = 0; j < skeleton.size(); ++j) {
            error.rotation = std::max(error.rotation, math::angle_between(a[j].rotation, b[j].rotation));
            error.translation = std::max(error.translation, (a[j].translation - b[j].translation).norm());
        }
    }
    return error;
}

TEST(ChannelClip, PoseOfKnownAngles) {
    ChannelSet set{"s", 0, 1, {}};
    const auto constant = [](int id, double value) { return Channel{id, {}, {}, {{0, value, {}, {}}}}; };
    // The knee turns x by 90, then z by 90 about fixed axes; the mover goes to (1, 2, 3) and turns y by 90.
    set.channels = {constant(3, 90), constant(5, 90), constant(9, 1),
                    constant(10, 2), constant(11, 3), constant(13, 90)};
    const Skeleton skeleton = figure();
    ChannelPlayer player(set, skeleton);
    const auto world = world_matrices(skeleton, player.pose(0.3));
    EXPECT_LT((joint_positions(world)[0] - Vec3d(1, 3, 3)).norm(), 1e-12);
    EXPECT_LT((joint_positions(world)[1] - Vec3d(1, 2.5, 3)).norm(), 1e-12);
    // e_y: x by 90 gives e_z, z leaves it, and the mover's y takes it to e_x.
    EXPECT_LT((world[1].topLeftCorner<3, 3>() * Vec3d::UnitY() - Vec3d::UnitX()).norm(), 1e-12);
    // The other order: z first takes e_y to -e_x, x leaves it, the mover takes it to e_z.
    ChannelPlayer other(set, skeleton, {.order = {0, 1, 2}});
    const auto turned = world_matrices(skeleton, other.pose(0.3));
    EXPECT_LT((turned[1].topLeftCorner<3, 3>() * Vec3d::UnitY() - Vec3d::UnitZ()).norm(), 1e-12);
}

TEST(ChannelClip, ClipStaysWithinTheTolerance) {
    const Skeleton skeleton = figure();
    ChannelSet set{"s", -0.3, 5.2, {}};
    set.channels = {swing(0, 80, Extrapolation::cyclic_offset), swing(1, 30, Extrapolation::bounce),
                    swing(5, 60), swing(9, 0.7, Extrapolation::linear), swing(14, 20)};
    for (const double tolerance : {1e-2, 1e-4}) {
        const ChannelOptions options{.rotation_tolerance = tolerance, .translation_tolerance = tolerance};
        const ChannelClip result = clip_of(set, skeleton, options);
        validate(result.clip, skeleton.size(), 0, "test");
        ChannelPlayer player(set, skeleton);
        const ConversionError error = measured(result.clip, player, skeleton, set.start, set.end);
        EXPECT_LT(error.rotation, tolerance);
        EXPECT_LT(error.translation, tolerance);
        EXPECT_LT(result.error.rotation, tolerance);
        EXPECT_LT(error.rotation, 1.3 * result.error.rotation + 1e-5);
        EXPECT_NEAR(time_range(result.clip).start, -0.3, 1e-6);
        EXPECT_NEAR(time_range(result.clip).end, 5.2, 1e-6);
    }
}

TEST(ChannelClip, JumpsBecomeTwoKeysSideBySide) {
    const Skeleton skeleton = figure();
    ChannelSet set{"s", 0, 3, {}};
    set.channels = {{0, {}, Extrapolation::cyclic, {{0, 0, linear, linear}, {1, 40, linear, linear}}}};
    const ChannelClip result = clip_of(set, skeleton);
    const auto angle = [&](double t) {
        return math::degrees(math::rotation_vector(sample(result.clip, skeleton, t)[0].rotation).x());
    };
    EXPECT_NEAR(angle(0.999), 39.96, 0.01);
    EXPECT_NEAR(angle(1.001), 0.04, 0.01);
    EXPECT_NEAR(angle(2.5), 20, 0.01);
    EXPECT_LT(result.error.rotation, 1e-4);
}

TEST(ChannelClip, RandomMotionGoesToChannelsAndBack) {
    for (unsigned seed = 1; seed <= 6; ++seed) {
        test::Random random(seed);
        Skeleton skeleton = test::random_skeleton(random, 8);
        for (std::size_t j = 1; j < skeleton.size(); ++j)
            skeleton.joints[j].parent = std::max(0, skeleton.joints[j].parent);
        const Clip clip = test::random_clip(random, skeleton);
        const ChannelOptions options{.rotation_tolerance = 1e-3, .translation_tolerance = 1e-5};
        const ClipChannels there = channels_of(clip, skeleton, options);
        validate(there.set, "test");
        ChannelPlayer player(there.set, skeleton, options);
        const ConversionError error = measured(clip, player, skeleton, there.set.start, there.set.end);
        EXPECT_LT(error.rotation, 2e-3) << seed;
        EXPECT_LT(error.translation, 1e-4) << seed;
        const ChannelClip back = clip_of(there.set, skeleton, options);
        for (double t = there.set.start; t < there.set.end; t += 0.01) {
            const auto a = sample(clip, skeleton, t), b = sample(back.clip, skeleton, t);
            for (std::size_t j = 0; j < skeleton.size(); ++j)
                EXPECT_LT(math::angle_between(a[j].rotation, b[j].rotation), 3e-3);
        }
    }
}

TEST(ChannelClip, AnglesAreUnwrappedOverManyTurns) {
    const Skeleton skeleton = figure();
    Clip clip;
    Track track;
    std::vector<float> times;
    for (int i = 0; i <= 60; ++i) {
        times.push_back(0.1f * static_cast<float>(i));
        track.rotation.values.push_back(math::axis_angle(Vec3d(Vec3d::UnitZ()), 0.5 * i).cast<float>());
    }
    track.rotation.times = KeyTimes::listed(times);
    clip.tracks.push_back(track);
    const ChannelSet set = channels_of(clip, skeleton).set;
    ASSERT_NE(set.find(2), nullptr);
    EXPECT_NEAR(set.find(2)->keys.back().value, math::degrees(30), 1e-3);
}

TEST(ChannelClip, WhatChannelsCannotHoldIsSaid) {
    const Skeleton skeleton = figure();
    test::Random random(3);
    Collector collector;
    const Clip clip = test::random_clip(random, skeleton, {.everything = true});
    channels_of(clip, skeleton, {}, collector);
    EXPECT_TRUE(collector.has("channels-translation"));
    EXPECT_TRUE(collector.has("channels-scale"));
    ChannelSet set{"s", 0, 1, {{99, {}, {}, {{0, 1, {}, {}}}}}};
    EXPECT_TRUE(clip_of(set, skeleton, {}, collector).clip.empty());
    EXPECT_TRUE(collector.has("channel-without-joint"));
}

TEST(ChannelClip, EndlessRepetitionIsRefused) {
    ChannelSet set{"s", 0, 1e9, {swing(0, 10, Extrapolation::cyclic)}};
    EXPECT_THROW(clip_of(set, figure()), Error);
}

TEST(ChannelClip, NumbersOfJointsAreDepthFirst) {
    Skeleton skeleton;
    for (const int parent : {-1, 0, 0, 1, 2}) {
        skeleton.joints.emplace_back().parent = parent;
    }
    EXPECT_EQ(depth_first_numbers(skeleton), (std::vector<int>{0, 1, 3, 2, 4}));
}

}  // namespace
}  // namespace sinew::model
