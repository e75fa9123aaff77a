// SPDX-License-Identifier: MIT
#include "support/motion.h"
#include <gtest/gtest.h>

#include "sinew/base/error.h"
#include "sinew/gait/gait.h"
#include "sinew/model/character.h"
#include "sinew/motion/edit.h"
#include "sinew/motion/edit/timeline.h"
#include "sinew/sample/samples.h"

namespace sinew::motion {
namespace blend_clips_test {

using math::pi;
using math::Quatd;
using math::Vec3d;
using model::Clip;
using model::Skeleton;
using model::Transform;

/// A joint with an arm on it.
Skeleton mast() {
    Skeleton skeleton;
    skeleton.joints = {{"base", -1, {}, {}},
                       {"arm", 0, {Vec3d(0, 1, 0), Quatd::Identity(), Vec3d::Ones()}, {}}};
    return skeleton;
}

/// The base goes from one place to another in `seconds`, looking along `heading`; the arm is bent by `bend`.
Clip slide(const Vec3d& from, const Vec3d& to, double heading, double bend, double seconds = 2) {
    Clip clip;
    clip.name = "slide";
    clip.tracks.resize(2);
    clip.tracks[1].joint = 1;
    const auto times = model::KeyTimes::even(0, seconds, 2);
    const Quatd look = math::axis_angle<double>(Vec3d::UnitY(), heading);
    const Quatd bent = math::axis_angle<double>(Vec3d::UnitX(), bend);
    clip.tracks[0].translation = {times, {from.cast<float>(), to.cast<float>()}};
    clip.tracks[0].rotation = {times, {look.cast<float>(), look.cast<float>()}};
    clip.tracks[1].rotation = {times, {bent.cast<float>(), bent.cast<float>()}};
    return clip;
}

double bend_at(const Clip& clip, double time) {
    return math::rotation_vector(model::sample(clip.tracks[1].rotation, time)).x();
}

Clip walk(double cycle_seconds, int cycles = 4) {
    sample::WalkOptions options;
    options.cycles = cycles;
    options.cycle_seconds = cycle_seconds;
    return sample::man_walk(sample::man_skeleton(), options);
}

/// The walk turned about the vertical and put elsewhere.
Clip elsewhere(const Skeleton& skeleton, Clip clip, const GroundTransform& move) {
    for (model::Track& track : clip.tracks) {
        if (skeleton.joints[static_cast<std::size_t>(track.joint)].parent >= 0) continue;
        const Quatd turn = math::axis_angle<double>(Vec3d::UnitY(), move.yaw);
        for (auto& v : track.translation.values) v = (turn * v.cast<double>() + move.shift).cast<float>();
        for (auto& q : track.rotation.values) q = (turn * q.cast<double>()).cast<float>();
    }
    return clip;
}

/// Largest step of any joint between two frames.
double largest_step(const Skeleton& skeleton, const Clip& clip) {
    double largest = 0;
    std::vector<Vec3d> before;
    for (std::size_t f = 0; f < model::frame_count(clip); ++f) {
        const auto places = model::joint_positions(
            model::world_matrices(skeleton, model::sample(clip, skeleton, model::frame_time(clip, f))));
        for (std::size_t j = 0; j < before.size(); ++j)
            largest = std::max(largest, (places[j] - before[j]).norm());
        before = places;
    }
    return largest;
}

TEST(BlendClips, AFadeLastsAsLongAsItSaysAndIsHalfInItsMiddle) {
    const Skeleton skeleton = mast();
    const Clip a = slide({0, 0, 0}, {0, 0, 2}, 0, 0), b = slide({0, 0, 0}, {0, 0, 2}, 0, 0.8);
    const std::vector<JoinPiece> pieces = {{&a, "a"}, {&b, "b", 0.5}};
    const JoinResult result = join_clips(skeleton, pieces, {.rate = 40, .steps = {}});
    EXPECT_NEAR(model::time_range(result.clip).end, 3.5, 1e-6);
    EXPECT_NEAR(result.parts[1].start, 1.5, 1e-9);
    EXPECT_NEAR(result.parts[0].end, 2, 1e-9);
    EXPECT_NEAR(bend_at(result.clip, 1.5), 0, 1e-6);
    EXPECT_NEAR(bend_at(result.clip, 1.625), 0.8 * 0.15625, 2e-4);  // 3/16 - 2/64
    EXPECT_NEAR(bend_at(result.clip, 1.75), 0.4, 1e-6);
    EXPECT_NEAR(bend_at(result.clip, 2), 0.8, 1e-6);
    // One way at one speed, from clip to clip.
    for (const double t : {0.5, 1.6, 1.75, 1.9, 3.5})
        EXPECT_NEAR(model::sample(result.clip.tracks[0].translation, t).z(), t, 1e-5) << t;
}

TEST(BlendClips, TheNextClipGoesOnWhereTheOneBeforeLooks) {
    const Skeleton skeleton = mast();
    // The first goes along +z; the second, far away, along -x, which is where it looks.
    const Clip a = slide({0, 0, 0}, {0, 0, 2}, 0, 0), b = slide({7, 0, 9}, {5, 0, 9}, -pi / 2, 0);
    for (const double fade : {0.0, 0.5}) {
        const std::vector<JoinPiece> pieces = {{&a, "a"}, {&b, "b", fade}, {&a, "c", fade}};
        const Clip clip = join_clips(skeleton, pieces, {.rate = 40, .steps = {}}).clip;
        const double end = model::time_range(clip).end;
        EXPECT_NEAR(end, 6 - 2 * fade, 1e-6);
        for (double t = 0; t <= end; t += 0.1) {
            const Vec3d place = model::sample(clip.tracks[0].translation, t);
            EXPECT_LT((place - Vec3d(0, 0, t)).norm(), 1e-5) << fade << " at " << t;
        }
    }
    const std::vector<JoinPiece> apart = {{&a, "a"}, {&b, "b", 0, false, false}};
    EXPECT_LT(
        (model::sample(join_clips(skeleton, apart, {.rate = 40, .steps = {}}).clip.tracks[0].translation, 4) -
         Vec3d(5, 0, 9))
            .norm(),
        1e-5);
}

TEST(BlendClips, MeetingMoveUndoesALevelMove) {
    const Skeleton skeleton = sample::man_skeleton();
    const Clip clip = walk(1.1);
    const GroundTransform move{2.2, Vec3d(3, 0, -1)};
    const Clip moved = elsewhere(skeleton, clip, move);
    const GroundTransform back = align_on_ground(skeleton, {&clip, 1, 1.5}, {&moved, 1, 1.5});
    EXPECT_NEAR(std::remainder(back.yaw + 2.2, 2 * pi), 0, 1e-5);
    const GroundTransform both = combined(back, move);
    EXPECT_LT(both.shift.norm(), 1e-4);
}

TEST(BlendClips, OneClipAloneIsItself) {
    test::Random random;
    const Skeleton skeleton = test::random_skeleton(random, 9);
    const Clip clip = test::random_clip(random, skeleton, {.everything = true});
    const std::vector<JoinPiece> pieces = {{&clip, "a"}};
    const Clip same = join_clips(skeleton, pieces).clip;
    ASSERT_EQ(same.tracks.size(), clip.tracks.size());
    for (std::size_t f = 0; f < model::frame_count(clip); ++f) {
        const auto a = model::sample(clip, skeleton, model::frame_time(clip, f));
        const auto b = model::sample(same, skeleton, model::frame_time(same, f));
        for (std::size_t j = 0; j < a.size(); ++j) {
            EXPECT_LT((a[j].translation - b[j].translation).norm(), 1e-5);
            EXPECT_LT(math::angle_between(a[j].rotation, b[j].rotation), 1e-5);
            EXPECT_LT((a[j].scale - b[j].scale).norm(), 1e-5);
        }
    }
}

TEST(BlendClips, TooLongFadesAreRefusedWithTheName) {
    const Skeleton skeleton = mast();
    const Clip a = slide({0, 0, 0}, {0, 0, 2}, 0, 0), brief = slide({0, 0, 0}, {0, 0, 1}, 0, 0, 0.5);
    const auto refused = [&](const std::vector<JoinPiece>& pieces, const char* said) {
        try {
            join_clips(skeleton, pieces);
            ADD_FAILURE() << said;
        } catch (const Error& error) {
            EXPECT_NE(std::string(error.what()).find(said), std::string::npos) << error.what();
        }
    };
    refused({{&a, "a"}, {&brief, "brief", 0.6}}, "brief: has 0.500 s, but its fade ends at 0.600 s");
    refused({{&a, "a"}, {&brief, "brief", 0.3}, {&a, "c", 0.3}}, "brief: has only 0.200 s left, but c fades");
    const Clip empty;
    refused({{&empty, "nothing"}}, "nothing: the clip has no length");
    refused({}, "no clips");
}

TEST(StepPhase, CountsTheStepsOfAWalk) {
    const Skeleton skeleton = sample::man_skeleton();
    const auto steps = gait::find_step_phase(skeleton, walk(1.2));
    ASSERT_TRUE(steps);
    ASSERT_GE(steps->times.size(), 5u);
    for (std::size_t i = 1; i < steps->times.size(); ++i) {
        EXPECT_EQ(steps->phases[i], steps->phases[i - 1] + 1);
        EXPECT_NEAR(steps->times[i] - steps->times[i - 1], 0.6, 0.05);
    }
    // The walk begins with the left heel on the ground: left strikes at whole cycles.
    const double left = steps->time_at(2 * std::ceil(steps->phases.front() / 2));
    EXPECT_NEAR(std::remainder(left, 1.2), 0, 0.06);
    for (const double t : {-1.0, 0.7, 2.0, 9.0}) EXPECT_NEAR(steps->time_at(steps->phase_at(t)), t, 1e-9);
    EXPECT_FALSE(gait::find_step_phase(mast(), slide({0, 0, 0}, {0, 0, 1}, 0, 0)));
}

TEST(BlendClips, WalksFadeInStepWhateverFootComesFirst) {
    const Skeleton skeleton = sample::man_skeleton();
    const Clip slow = walk(1.3), fast = model::trimmed(walk(0.9), 0.35, 3.6);
    std::vector<JoinPiece> pieces = {{&slow, "slow"}, {&fast, "fast", 0.6, true}};
    const JoinResult matched = join_clips(skeleton, pieces, {60, gait::find_step_phase});
    EXPECT_GT(matched.parts[1].skipped, 0.01);
    EXPECT_LT(matched.parts[1].skipped, 0.9);
    // The fade takes between 0.6 s and what as many steps take at the faster walk.
    const double fade = matched.parts[0].end - matched.parts[1].start;
    EXPECT_LT(fade, 0.6);
    EXPECT_GT(fade, 0.6 * 0.9 / 1.3);
    // Steps follow each other evenly all through, from the long ones to the short ones.
    const auto steps = gait::find_step_phase(skeleton, matched.clip);
    ASSERT_TRUE(steps);
    for (std::size_t i = 1; i < steps->times.size(); ++i) {
        EXPECT_EQ(steps->phases[i], steps->phases[i - 1] + 1);
        EXPECT_GT(steps->times[i] - steps->times[i - 1], 0.45 - 0.06);
        EXPECT_LT(steps->times[i] - steps->times[i - 1], 0.65 + 0.06);
    }
    // Nothing moves faster than it does in the faster walk.
    EXPECT_LT(largest_step(skeleton, matched.clip), 1.1 * largest_step(skeleton, model::resampled(fast, 60)));
}

TEST(BlendClips, WithoutStepsAFadeIsPlainAndSaysSo) {
    const Skeleton skeleton = mast();
    const Clip a = slide({0, 0, 0}, {0, 0, 2}, 0, 0);
    const std::vector<JoinPiece> pieces = {{&a, "a"}, {&a, "b", 0.5, true}};
    Collector collector;
    EXPECT_NEAR(
        model::time_range(
            join_clips(skeleton, pieces, {.rate = 40, .steps = gait::find_step_phase}, collector).clip)
            .end,
        3.5, 1e-6);
    EXPECT_TRUE(collector.has("blend-no-steps"));
}

TEST(BlendClips, AMixHasTheStepsAndTheSpeedBetween) {
    const Skeleton skeleton = sample::man_skeleton();
    const Clip slow = walk(1.4), fast = elsewhere(skeleton, walk(1.0), {1.9, Vec3d(4, 0, 4)});
    const Clip mixed =
        mix_clips(skeleton, slow, fast,
                  {.weight = 0.25, .match_steps = true, .rate = 60, .steps = gait::find_step_phase});
    const auto steps = gait::find_step_phase(skeleton, mixed);
    ASSERT_TRUE(steps);
    const double per_step =
        (steps->times.back() - steps->times.front()) / (steps->phases.back() - steps->phases.front());
    EXPECT_NEAR(per_step, (0.75 * 1.4 + 0.25 * 1.0) / 2, 0.02);
    // The second was turned to the first, which goes along +z.
    const double end = model::time_range(mixed).end;
    const Vec3d way =
        model::sample(mixed, skeleton, end)[0].translation - model::sample(mixed, skeleton, 0)[0].translation;
    EXPECT_LT(std::abs(way.x()), 0.05 * way.z());
}

TEST(BlendClips, AMixOfPosesIsBetweenThemByWeight) {
    const Skeleton skeleton = mast();
    const Clip a = slide({0, 0, 0}, {0, 0, 2}, 0, 0), b = slide({5, 0, 0}, {5, 0, 6}, 0, 1, 3);
    const Clip mixed = mix_clips(skeleton, a, b, {.weight = 0.25, .rate = 20, .steps = {}});
    EXPECT_NEAR(model::time_range(mixed).end, 2, 1e-6);  // until one of them ends
    EXPECT_NEAR(bend_at(mixed, 1), 0.25, 1e-5);
    EXPECT_LT((model::sample(mixed.tracks[0].translation, 2) - Vec3d(0, 0, 0.75 * 2 + 0.25 * 4)).norm(),
              1e-5);
    EXPECT_THROW(mix_clips(skeleton, a, b, {.weight = 1.5, .steps = {}}), Error);
}

TEST(BlendClips, ALayerMovesItsJointsOnlyAndComesBack) {
    const Skeleton skeleton = mast();
    const Clip base = slide({0, 0, 0}, {0, 0, 4}, 0, 0, 4), over = slide({9, 9, 9}, {9, 9, 9}, 2, 1, 1.5);
    LayerOptions options{.weight = 0.5, .joints = {"arm"}, .fade = 0.5, .rate = 20};
    const Clip once = layer_clips(skeleton, base, over, options);
    EXPECT_NEAR(model::time_range(once).end, 4, 1e-6);
    EXPECT_LT((model::sample(once.tracks[0].translation, 3) - Vec3d(0, 0, 3)).norm(), 1e-5);
    EXPECT_NEAR(bend_at(once, 0), 0, 1e-6);
    EXPECT_NEAR(bend_at(once, 0.25), 0.25, 1e-3);
    EXPECT_NEAR(bend_at(once, 0.75), 0.5, 1e-5);
    EXPECT_NEAR(bend_at(once, 1.5), 0, 1e-5);
    EXPECT_NEAR(bend_at(once, 3), 0, 1e-6);
    options.repeat = true;
    const Clip again = layer_clips(skeleton, base, over, options);
    EXPECT_NEAR(bend_at(again, 1.5), 0.5, 1e-5);
    EXPECT_NEAR(bend_at(again, 3), 0.5, 1e-5);
    EXPECT_NEAR(bend_at(again, 4), 0, 1e-5);
    options.joints = {"leg"};
    EXPECT_THROW(layer_clips(skeleton, base, over, options), Error);
}

}  // namespace blend_clips_test
}  // namespace sinew::motion
