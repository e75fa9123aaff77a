// SPDX-License-Identifier: MIT
// Playing: whole frames against the editing path in double precision (model::sample, model::world_matrices).

#include "deform/player_support.h"

namespace sinew::deform {
namespace {

TEST(Player, PlaysAClipLikeTheEditingPath) {
    Random random(12);
    const Skeleton skeleton = test::random_skeleton(random, 30);
    const model::Clip clip = test::random_clip(random, skeleton, {.rate = 120, .turn = 0.05});
    model::Skin skin;
    skin.joints = test::random_skin_joints(random, skeleton);
    Player player(skeleton, skin.joints);
    const PackedClip packed = model::pack(clip, skeleton);
    for (const double time : {0.0, 0.1, 0.1234, 0.3249, 7.0}) {
        player.play(packed, time);
        const std::vector<Mat4d> palette =
            model::palette(skin, model::world_matrices(skeleton, model::sample(clip, skeleton, time)));
        for (std::size_t k = 0; k < palette.size(); ++k)
            EXPECT_LT(largest_difference(player.palette()[k], palette[k]), 1e-5 * largest(palette));
    }
}

/// Two joints, the second turning at 2 and at 1 radians a second.
struct TwoTurns {
    Turning fast{2}, slow{1};
    PackedClip fast_clip = model::pack(fast.clip, fast.skeleton);
    PackedClip slow_clip = model::pack(slow.clip, slow.skeleton);
    Player player{fast.skeleton, model::bind_at_rest(fast.skeleton)};

    double play(std::vector<Layer> layers) {
        player.play(layers);
        return angle_about_z(player.local(), 1);
    }
};

TEST(Player, BlendsByWeight) {
    TwoTurns two;
    const auto blend = [&](float a, float b) {
        return two.play({{.clip = &two.fast_clip, .time = 1, .weight = a},
                         {.clip = &two.slow_clip, .time = 1, .weight = b}});
    };
    EXPECT_NEAR(blend(1, 1), 1.5, 1e-6);
    EXPECT_NEAR(blend(7, 7), 1.5, 1e-6);
    EXPECT_NEAR(blend(1, 0), 2, 1e-6);
    EXPECT_NEAR(blend(0, 0.3f), 1, 1e-6);
    EXPECT_NEAR(blend(0, 0), 0, 1e-7);        // at rest
    EXPECT_NEAR(blend(0, 0.05f), 0.5, 1e-6);  // half of the least weight: half way to rest
    EXPECT_NEAR(two.player.local()[1].translation.x(), 1, 1e-6);
    EXPECT_NEAR(two.play({}), 0, 1e-7);
}

TEST(Player, BlendDoesNotDependOnTheSignOfQuaternions) {
    TwoTurns two;
    PackedClip negated = two.slow_clip;
    for (std::size_t i = 0; i < negated.data.size(); ++i)
        negated.data[i] = -negated.data[i];  // only rotations move
    ASSERT_TRUE(negated.moving_lines.empty());
    for (const PackedClip* slow : {&two.slow_clip, &negated}) {
        EXPECT_NEAR(two.play({{.clip = &two.fast_clip, .time = 1}, {.clip = slow, .time = 1}}), 1.5, 1e-6);
        EXPECT_NEAR(two.play({{.clip = &two.fast_clip, .time = 1},
                              {.clip = slow, .time = 1, .weight = 0.5f, .mode = LayerMode::over}}),
                    1.5, 1e-6);
    }
}

TEST(Player, MasksLimitALayerToSomeJoints) {
    Random random(13);
    const Skeleton skeleton = test::random_skeleton(random, 40);
    const PackedClip walk = model::pack(test::random_clip(random, skeleton), skeleton);
    const PackedClip wave = model::pack(test::random_clip(random, skeleton, {.everything = true}), skeleton);
    std::vector<float> weights(40);
    for (std::size_t j = 0; j < 40; ++j) weights[j] = j % 3 == 0 ? 0.0f : j % 3 == 1 ? 1.0f : 0.5f;
    const JointMask mask(weights);
    Player player(skeleton, model::bind_at_rest(skeleton));
    LocalPose from(40), to(40);
    sample(walk, 0.31, Playback::clamp, from);
    sample(wave, 0.52, Playback::clamp, to);
    const std::vector<Layer> layers{{.clip = &walk, .time = 0.31},
                                    {.clip = &wave, .time = 0.52, .mode = LayerMode::over, .mask = &mask}};
    on_every_target([&] {
        sample(walk, 0.31, Playback::clamp, from);
        player.play(layers);
        for (std::size_t j = 0; j < 40; ++j) {
            if (j % 3 == 0) {
                for (std::size_t row = 0; row < PackedClip::rows; ++row) {
                    ASSERT_EQ(player.local().data[row * 48 + j], from.data[row * 48 + j]);
                }
            } else if (j % 3 == 1) {
                ASSERT_LT(difference(player.local()[j], to[j]), 2e-6);
            } else {
                const Transform half = player.local()[j];
                ASSERT_LT((half.translation - (from[j].translation + to[j].translation) / 2).norm(), 1e-6);
                ASSERT_NEAR(math::angle_between(half.rotation, from[j].rotation),
                            math::angle_between(from[j].rotation, to[j].rotation) / 2, 3e-6);
            }
        }
    });
}

TEST(Player, AdditiveLayerRestoresTheClipOverItsReference) {
    Random random(14);
    const Skeleton skeleton = test::random_skeleton(random, 33);
    const model::Clip clip = test::random_clip(random, skeleton, {.everything = true});
    const PackedClip still = model::pack(
        model::trimmed(test::random_clip(random, skeleton, {.everything = true}), 0, 0), skeleton);
    ASSERT_EQ(still.frame_count, 1u);
    LocalPose base(33);
    sample(still, 0, Playback::clamp, base);
    std::vector<Transform> reference;
    for (std::size_t j = 0; j < 33; ++j) reference.push_back(base[j]);
    const PackedClip delta = model::pack_additive(clip, skeleton, reference);
    Player player(skeleton, model::bind_at_rest(skeleton));
    for (const double time : {0.0, 0.5, 1.0}) {
        const std::vector<Layer> layers{{.clip = &still},
                                        {.clip = &delta, .time = time, .mode = LayerMode::add}};
        on_every_target([&] {
            player.play(layers);
            EXPECT_LT(difference(player.local(), model::sample(clip, skeleton, time)), 1e-5);
        });
    }
}

TEST(Player, AdditiveLayerTurnsByItsWeight) {
    TwoTurns two;
    // Turns by up to 5 radians, more than half a turn, in the space of the parent.
    const Turning wide(5);
    const PackedClip delta =
        model::pack_additive(wide.clip, wide.skeleton, model::sample(wide.clip, wide.skeleton, 0));
    EXPECT_TRUE(delta.additive);
    const auto add = [&](float weight) {
        return two.play({{.clip = &two.slow_clip, .time = 0.5},
                         {.clip = &delta, .time = 1, .weight = weight, .mode = LayerMode::add}});
    };
    for (const float weight : {0.0f, 0.1f, 0.5f, -0.2f, 1.2f}) {
        double expected = 0.5 + 5.0 * static_cast<double>(weight);
        if (expected > math::pi) expected -= 2 * math::pi;
        EXPECT_NEAR(add(weight), expected, 5e-6) << weight;
    }
}

TEST(Player, RefusesLayersThatMakeNoSense) {
    TwoTurns two;
    const Turning turning;
    const PackedClip delta = model::pack_additive(turning.clip, turning.skeleton,
                                                  model::sample(turning.clip, turning.skeleton, 0));
    const JointMask three(std::vector<float>(3, 1.0f));
    Random random(15);
    const Skeleton other = test::random_skeleton(random, 3);
    const PackedClip foreign = model::pack(test::random_clip(random, other), other);
    const auto refused = [&](const Layer& layer) { return refusal([&] { two.player.play({&layer, 1}); }); };
    const PackedClip* clip = &two.fast_clip;
    EXPECT_EQ(refused({.clip = clip}), "");
    EXPECT_EQ(refused({}), "there is no clip");
    EXPECT_EQ(refused({.clip = clip, .weight = -1}), "a layer cannot have a weight of -1");
    EXPECT_EQ(refused({.clip = clip, .weight = static_cast<float>(nan)}),
              "a layer cannot have a weight of nan");
    EXPECT_NE(refused({.clip = clip, .weight = 1.5f, .mode = LayerMode::over}), "");
    EXPECT_NE(refused({.clip = &delta, .weight = static_cast<float>(infinity), .mode = LayerMode::add}), "");
    EXPECT_EQ(refused({.clip = &delta}), "a clip of differences can only be an additive layer");
    EXPECT_EQ(refused({.clip = clip, .mode = LayerMode::add}),
              "an additive layer needs a clip of differences");
    EXPECT_EQ(refused({.clip = clip, .mask = &three}), "the mask has 3 joints, the skeleton 2");
    EXPECT_EQ(refused({.clip = &foreign}), "the clip has 3 joints, the pose 2");
    EXPECT_NE(refused({.clip = clip, .time = nan}), "");
    EXPECT_THROW(two.player.play(delta, 0), Error);
    EXPECT_THROW(two.player.play(LocalPose(3)), Error);
    EXPECT_THROW(JointMask(std::vector<float>{0.5f, 1.1f}), Error);
    EXPECT_THROW(JointMask(std::vector<float>{static_cast<float>(nan)}), Error);
    EXPECT_THROW(JointMask::below(other, 3), Error);
}

TEST(Player, WorksWithoutJoints) {
    const Skeleton none;
    Player player(none, {});
    const PackedClip clip = model::pack({}, none);
    player.play(clip, 0.5);
    player.play(std::vector<Layer>{{.clip = &clip, .weight = 0.05f}});
    EXPECT_TRUE(player.palette().empty());
}

TEST(JointMask, BelowAJointTakesItsDescendants) {
    Skeleton skeleton;
    for (const int parent : {-1, 0, 1, 0, 2, 3}) skeleton.joints.push_back({"", parent, {}, {}});
    const JointMask mask = JointMask::below(skeleton, 1);
    EXPECT_EQ(std::vector<float>(mask.data(), mask.data() + 6), (std::vector<float>{0, 1, 1, 0, 1, 0}));
}

}  // namespace
}  // namespace sinew::deform
