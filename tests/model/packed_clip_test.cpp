// SPDX-License-Identifier: MIT
#include "sinew/model/packed_clip.h"

#include <limits>

#include "support/motion.h"
#include <gtest/gtest.h>

#include "sinew/base/error.h"

namespace sinew::model {
namespace {

using test::Random;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

TEST(PackedClipLayout, KeepsOnlyTheLinesThatMove) {
    Random random(1);
    const Skeleton skeleton = test::random_skeleton(random, 67);
    const PackedClip clip = pack(test::random_clip(random, skeleton), skeleton);
    EXPECT_EQ(clip.stride, 80u);
    EXPECT_EQ(clip.moving_lines, (std::vector<std::uint32_t>{0, 80, 160}));  // the root's translation
    EXPECT_EQ(clip.moving_rotations, (std::vector<std::uint32_t>{240, 256, 272, 288, 304}));
    EXPECT_EQ(clip.frame_size(), 16u * (3 + 4 * 5));
    EXPECT_EQ(clip.still_lines.size(), 50u - 23u);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(clip.data.data()) % 64, 0u);

    const PackedClip everything = pack(test::random_clip(random, skeleton, {.everything = true}), skeleton);
    EXPECT_TRUE(everything.still_lines.empty());
    EXPECT_EQ(everything.frame_size(), 800u);

    const PackedClip nothing = pack({}, skeleton);
    EXPECT_EQ(nothing.frame_count, 1u);
    EXPECT_EQ(nothing.frame_size(), 0u);
    EXPECT_TRUE(nothing.data.empty());
}

TEST(PackedClipLayout, ExpandsToTheClipForAllJointCounts) {
    Random random(2);
    for (std::size_t joints = 1; joints <= 70; ++joints) {
        const Skeleton skeleton = test::random_skeleton(random, joints);
        const Clip clip =
            test::random_clip(random, skeleton, {.frames = 6, .start = 3, .everything = joints % 3 == 0});
        const PackedClip packed = pack(clip, skeleton);
        ASSERT_EQ(packed.frame_count, 6u);
        std::vector<float> pose(packed.pose_size());
        for (std::size_t f = 0; f < 6; ++f) {
            expand(packed, f, pose);
            const std::vector<Transform> truth = sample(clip, skeleton, 3 + static_cast<double>(f) / 30);
            for (std::size_t j = 0; j < packed.stride; ++j) {
                const Transform t = load_transform(pose, packed.stride, j);
                const Transform expected = j < joints ? truth[j] : Transform{};
                ASSERT_LT((t.translation - expected.translation).norm(), 1e-6);
                ASSERT_LT((t.scale - expected.scale).norm(), 1e-6);
                ASSERT_LT(math::angle_between(t.rotation, expected.rotation), 1e-6);
            }
        }
    }
}

TEST(PackedClipLayout, ConsecutiveRotationsShareAHemisphere) {
    Random random(3);
    const Skeleton skeleton = test::random_skeleton(random, 20);
    Clip clip = test::random_clip(random, skeleton, {.turn = 1});
    for (Track& track : clip.tracks) {
        for (std::size_t i = 0; i < track.rotation.values.size(); i += 2)
            track.rotation.values[i] = math::negated(track.rotation.values[i]);
    }
    const PackedClip packed = pack(clip, skeleton);
    std::vector<float> before(packed.pose_size()), now(packed.pose_size());
    expand(packed, 0, before);
    for (std::size_t f = 1; f < packed.frame_count; ++f, before = now) {
        expand(packed, f, now);
        for (std::size_t j = 0; j < 20; ++j) {
            ASSERT_GE(math::dot(load_transform(before, 32, j).rotation, load_transform(now, 32, j).rotation),
                      0);
        }
    }
}

TEST(PackedClipLayout, AdditiveClipHoldsDifferences) {
    Random random(4);
    const Skeleton skeleton = test::random_skeleton(random, 9);
    const Clip clip = test::random_clip(random, skeleton, {.everything = true});
    std::vector<Transform> reference = sample(clip, skeleton, 0.5);
    const PackedClip delta = pack_additive(clip, skeleton, reference);
    EXPECT_TRUE(delta.additive);
    std::vector<float> pose(delta.pose_size());
    expand(delta, 15, pose);  // the reference itself
    for (std::size_t j = 0; j < 9; ++j) {
        const Transform t = load_transform(pose, delta.stride, j);
        EXPECT_LT(t.translation.norm(), 1e-6);
        EXPECT_LT(math::angle_between(t.rotation, Quatd::Identity()), 1e-6);
        EXPECT_LT((t.scale - Vec3d::Ones()).norm(), 1e-6);
    }
    expand(delta, 0, pose);
    for (std::size_t j = 0; j < 9; ++j) {
        const Quatd restored = load_transform(pose, delta.stride, j).rotation * reference[j].rotation;
        EXPECT_LT(math::angle_between(restored, sample(clip, skeleton, 0)[j].rotation), 1e-6);
    }
    reference[3].scale.y() = 0;
    EXPECT_THROW(pack_additive(clip, skeleton, reference), Error);
    reference.pop_back();
    EXPECT_THROW(pack_additive(clip, skeleton, reference), Error);
}

TEST(PackedClipLayout, RefusesRatesAndTimesThatCannotBePlayed) {
    Random random(5);
    const Skeleton skeleton = test::random_skeleton(random, 2);
    Clip clip = test::random_clip(random, skeleton, {.frames = 3});
    EXPECT_THROW(pack(clip, skeleton, nan), Error);
    EXPECT_THROW(pack(clip, skeleton, infinity), Error);
    EXPECT_THROW(pack(clip, skeleton, -30), Error);
    EXPECT_THROW(pack(clip, skeleton, 1e12), Error);  // far too many frames
    clip.tracks[0].translation.times = KeyTimes::listed({0, 1, 1e9f});
    EXPECT_THROW(pack(clip, skeleton), Error);
    clip = test::random_clip(random, skeleton, {.frames = 3});
    clip.tracks[1].rotation.values[1].x() = std::numeric_limits<float>::quiet_NaN();
    EXPECT_THROW(pack(clip, skeleton), Error);
    clip.tracks[1].rotation.values[1].coeffs().setZero();
    EXPECT_THROW(pack(clip, skeleton), Error);  // no rotation at all
    EXPECT_THROW(pack(clip, {}), Error);
}

TEST(PackedClipLayout, ValidateFindsDamage) {
    Random random(6);
    const Skeleton skeleton = test::random_skeleton(random, 20);
    const PackedClip good = pack(test::random_clip(random, skeleton), skeleton);
    validate(good, "test");
    const auto refused = [&](const auto& damage) {
        PackedClip bad = good;
        damage(bad);
        EXPECT_THROW(validate(bad, "test"), Error);
    };
    refused([](PackedClip& c) { c.data.pop_back(); });
    refused([](PackedClip& c) { c.data[100] = std::numeric_limits<float>::infinity(); });
    refused([](PackedClip& c) { c.data[16 * 3 + 1] += 0.1f; });  // a rotation that is not unit
    refused([](PackedClip& c) { c.rate = 0; });
    refused([](PackedClip& c) { c.start = nan; });
    refused([](PackedClip& c) { c.frame_count = 0; });
    refused([](PackedClip& c) { c.stride = 16; });
    refused([](PackedClip& c) { c.moving_rotations[0] = 320; });
    refused([](PackedClip& c) { c.still_lines[0] += 1; });
    std::vector<float> pose(good.pose_size());
    EXPECT_THROW(expand(good, good.frame_count, pose), Error);
    pose.pop_back();
    EXPECT_THROW(expand(good, 0, pose), Error);
}

}  // namespace
}  // namespace sinew::model
