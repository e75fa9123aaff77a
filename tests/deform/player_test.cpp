// Playing: whole frames against the editing path in double precision (model::sample, model::world_matrices).

#include "sinew/deform/player.h"

#include <limits>

#include "support/motion.h"
#include <gtest/gtest.h>
#include <hwy/targets.h>

#include "sinew/base/error.h"

namespace sinew::deform {
namespace {

using math::Mat4d;
using math::Quatd;
using math::Transform;
using math::Vec3d;
using model::PackedClip;
using model::Skeleton;
using test::Random;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

/// Runs `body` with each instruction set of this machine.
template <class Body>
void on_every_target(const Body& body) {
    for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) {
        SCOPED_TRACE(hwy::TargetName(target));
        hwy::SetSupportedTargetsForTest(target);
        body();
    }
    hwy::SetSupportedTargetsForTest(0);
}

double largest_difference(const Mat34f& a, const Mat4d& b) {
    return (to_mat4(a) - b).cwiseAbs().maxCoeff();
}

double largest(std::span<const Mat4d> matrices) {
    double size = 1;
    for (const Mat4d& m : matrices) size = std::max(size, m.cwiseAbs().maxCoeff());
    return size;
}

double difference(const Transform& a, const Transform& b) {
    return std::max({(a.translation - b.translation).norm(), math::angle_between(a.rotation, b.rotation),
                     (a.scale - b.scale).norm()});
}

double difference(const LocalPose& a, std::span<const Transform> b) {
    double most = 0;
    for (std::size_t j = 0; j < b.size(); ++j) most = std::max(most, difference(a[j], b[j]));
    return most;
}

/// The reason of the error that `body` throws, or "" when it does not.
template <class Body>
std::string refusal(const Body& body) {
    try {
        body();
    } catch (const Error& error) {
        return error.reason();
    }
    return "";
}

/// A skeleton of two joints whose second turns about z by `speed` radians a second, 31 frames in a second.
struct Turning {
    Skeleton skeleton{{{"root", -1, {}, {}}, {"arm", 0, {{1, 0, 0}, Quatd::Identity(), Vec3d::Ones()}, {}}}};
    model::Clip clip;

    explicit Turning(double speed = 2) {
        clip.name = "turning";
        model::Track track;
        track.joint = 1;
        track.rotation.times = model::KeyTimes::even(0, 1.0 / 30, 31);
        for (int f = 0; f <= 30; ++f)
            track.rotation.values.push_back(
                math::axis_angle<double>(Vec3d::UnitZ(), speed * f / 30).cast<float>());
        clip.tracks.push_back(track);
    }
};

double angle_about_z(const LocalPose& pose, std::size_t joint) {
    return math::rotation_vector(pose[joint].rotation).z();
}

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
        double most = 0;
        for (int i = 0; i <= 1000; ++i) {
            const double t = i / 1000.0;
            sample(clip, t / 30, Playback::clamp, pose);
            most = std::max(most, std::abs(angle_about_z(pose, 1) - step * t));
        }
        const double bound = std::pow(step, 3) * std::sqrt(3) / 432;
        EXPECT_LT(most, 1.1 * bound + 3e-7) << step;
        EXPECT_GT(most, 0.9 * bound - 3e-7) << step;
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
              "there is room for 4 palette entries, 5 are needed");
    EXPECT_EQ(refusal([&] { hierarchy.evaluate(pose, four, five); }),
              "there is room for 4 world matrices, 5 are needed");
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
