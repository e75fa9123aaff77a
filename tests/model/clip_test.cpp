// SPDX-License-Identifier: MIT
#include "sinew/model/clip.h"

#include <limits>

#include "support/random.h"
#include <gtest/gtest.h>

#include "sinew/base/error.h"
#include "sinew/model/packed_clip.h"

namespace sinew::model {
namespace {

using math::angle_between;
using math::pi;

Keys<Vec3f> vector_keys(KeyTimes times, std::vector<Vec3f> values,
                        Interpolation mode = Interpolation::linear) {
    return {std::move(times), std::move(values), mode};
}

TEST(KeyTimes, EvenAndListedAgree) {
    const KeyTimes even = KeyTimes::even(0.5, 0.25, 5);
    const KeyTimes listed = KeyTimes::listed({0.5f, 0.75f, 1.0f, 1.25f, 1.5f});
    EXPECT_TRUE(listed.is_even());
    EXPECT_EQ(even, listed);
    EXPECT_EQ(even.front(), 0.5);
    EXPECT_EQ(even.back(), 1.5);
    EXPECT_FALSE(KeyTimes::listed({0, 1, 3}).is_even());
    EXPECT_TRUE(KeyTimes().empty());
    EXPECT_EQ(KeyTimes::listed({4}).size(), 1u);
    EXPECT_EQ(KeyTimes::listed({4}).back(), 4);
}

TEST(KeyTimes, EvenCaptureRatesAreFoundInSinglePrecision) {
    for (const double rate : {24.0, 29.97, 30.0, 60.0, 120.0, 1000.0}) {
        std::vector<float> times;
        for (int i = 0; i < 5000; ++i) times.push_back(static_cast<float>(i / rate));
        const KeyTimes found = KeyTimes::listed(times);
        EXPECT_TRUE(found.is_even()) << rate;
        EXPECT_NEAR(1 / found.step(), rate, 1e-4 * rate);
        for (std::size_t i = 0; i < times.size(); i += 97)
            EXPECT_NEAR(found[i], times[i], 1e-6 * 5000 / rate);
    }
}

TEST(KeyTimes, SpanLookup) {
    for (const KeyTimes& times : {KeyTimes::even(0, 200, 4), KeyTimes::listed({0, 200, 401, 600})}) {
        const auto at = times.span(260);
        EXPECT_EQ(at.index, 1u);
        EXPECT_EQ(times.span(-5).index, 0u);
        EXPECT_EQ(times.span(-5).fraction, 0);
        EXPECT_EQ(times.span(600).index, 2u);
        EXPECT_EQ(times.span(600).fraction, 1);
        EXPECT_EQ(times.span(1e9).fraction, 1);
        EXPECT_EQ(times.span(200).index, 1u);
        EXPECT_EQ(times.span(200).fraction, 0);
        EXPECT_EQ(times.span(std::numeric_limits<double>::quiet_NaN()).fraction, 0);
    }
    EXPECT_EQ(KeyTimes::listed({7}).span(9).index, 0u);
}

TEST(KeyTimes, SpanAgainstTheDefinition) {
    test::Random random;
    std::vector<float> times{0};
    for (int i = 0; i < 60; ++i) times.push_back(times.back() + static_cast<float>(random.uniform(0.01, 2)));
    for (const KeyTimes& keys : {KeyTimes::listed(times), KeyTimes::even(-3, 1.0 / 30, 200)}) {
        for (int i = 0; i < 2000; ++i) {
            const double time = random.uniform(keys.front(), keys.back());
            const auto [index, t] = keys.span(time);
            ASSERT_LT(index + 1, keys.size());
            EXPECT_GE(t, 0);
            EXPECT_LE(t, 1);
            EXPECT_NEAR((1 - t) * keys[index] + t * keys[index + 1], time, 1e-12);
        }
    }
}

// Mocap test 10: keys at 0, 200, 400, 600 ms, T = 260.
TEST(Clip, WorkedExampleOfKeySampling) {
    const KeyTimes times = KeyTimes::even(0, 200, 4);
    EXPECT_EQ(times.span(260).index, 1u);
    EXPECT_EQ(times.span(260).fraction, 0.3);
    const auto keys = vector_keys(times, {{0, 0, 0}, {10, 0, 1}, {20, 5, 1}, {0, 0, 0}});
    EXPECT_LT((sample(keys, 260) - Vec3d(13, 1.5, 1)).norm(), 1e-12);
    Keys<Quatf> turns{KeyTimes::even(0, 200, 2),
                      {Quatf::Identity(), math::axis_angle<float>(Vec3f::UnitY(), 1.5707963f)}};
    EXPECT_NEAR(math::degrees(angle_between(Quatd::Identity(), sample(turns, 60))), 27, 1e-5);
}

TEST(Clip, StepHoldsAndEndsClamp) {
    auto keys =
        vector_keys(KeyTimes::listed({1, 2, 4}), {{1, 0, 0}, {2, 0, 0}, {3, 0, 0}}, Interpolation::step);
    EXPECT_EQ(sample(keys, 0).x(), 1);
    EXPECT_EQ(sample(keys, 1.99).x(), 1);
    EXPECT_EQ(sample(keys, 2).x(), 2);
    EXPECT_EQ(sample(keys, 3.99).x(), 2);
    EXPECT_EQ(sample(keys, 4).x(), 3);
    EXPECT_EQ(sample(keys, 9).x(), 3);
    keys.mode = Interpolation::linear;
    EXPECT_EQ(sample(keys, -1).x(), 1);
    EXPECT_EQ(sample(keys, 3).x(), 2.5);
    EXPECT_EQ(sample(keys, 9).x(), 3);
    EXPECT_EQ(sample(vector_keys(KeyTimes::listed({5}), {{7, 8, 9}}), 0), Vec3d(7, 8, 9));
}

TEST(Clip, CubicReproducesACubic) {
    // f(t) = t^3 - 2 t with its derivative as tangents: a Hermite spline is exact on any uneven keys.
    const auto f = [](double t) { return t * t * t - 2 * t; };
    const auto slope = [](double t) { return 3 * t * t - 2; };
    Keys<float> keys;
    keys.mode = Interpolation::cubic;
    const std::vector<float> times = {0, 0.5, 1.25, 2};
    for (const float t : times) {
        keys.values.insert(keys.values.end(), {static_cast<float>(slope(t)), static_cast<float>(f(t)),
                                               static_cast<float>(slope(t))});
    }
    keys.times = KeyTimes::listed(times);
    for (double t = 0; t <= 2; t += 0.01) EXPECT_NEAR(sample(keys, t), f(t), 1e-6);
    EXPECT_NEAR(sample(keys, 3), f(2), 1e-6);
}

TEST(Clip, CubicRotationIsUnitAndMeetsItsKeys) {
    test::Random random;
    Keys<Quatf> keys;
    keys.mode = Interpolation::cubic;
    keys.times = KeyTimes::even(0, 1, 4);
    for (int i = 0; i < 4; ++i) {
        const Quatf tangent(0.1f, 0.2f, -0.1f, 0);
        for (const Quatf& q : {tangent, Quatf(random.rotation(0.5).cast<float>()), tangent})
            keys.values.push_back(q);
    }
    for (std::size_t i = 0; i < 4; ++i) {
        EXPECT_LT(angle_between(sample(keys, static_cast<double>(i)), Quatd(keys.at_key(i).cast<double>())),
                  1e-6);
    }
    for (double t = 0; t < 3; t += 0.1) EXPECT_NEAR(sample(keys, t).norm(), 1, 1e-12);
}

Skeleton two_joints() {
    Skeleton s;
    s.joints = {{"root", -1, {}, {}},
                {"arm", 0, {Vec3d(0, 1, 0), Quatd::Identity(), Vec3d::Ones()}, Vec3d(0, 1, 0)}};
    return s;
}

/// Root moves, arm turns by 4 rad in 2 s; keys at 30 a second.
Clip moving() {
    Clip clip;
    clip.name = "move";
    Track root, arm;
    root.joint = 0;
    arm.joint = 1;
    root.translation.times = arm.rotation.times = KeyTimes::even(0, 1.0 / 30, 61);
    for (int i = 0; i <= 60; ++i) {
        root.translation.values.emplace_back(static_cast<float>(i) / 30, 0.0f, 0.0f);
        arm.rotation.values.push_back(
            math::axis_angle<float>(Vec3f::UnitZ(), 4.0f * static_cast<float>(i) / 60));
    }
    clip.tracks = {root, arm};
    return clip;
}

TEST(Clip, RangeRateAndFrames) {
    const Clip clip = moving();
    EXPECT_EQ(time_range(clip).start, 0);
    EXPECT_NEAR(time_range(clip).duration(), 2, 1e-12);
    EXPECT_NEAR(frame_rate(clip), 30, 1e-9);
    EXPECT_EQ(frame_count(clip), 61u);
    EXPECT_NEAR(frame_time(clip, 15), 0.5, 1e-12);
    EXPECT_NEAR(frame_time(clip, 1000), 2, 1e-12);
    EXPECT_EQ(frame_count(Clip{}), 0u);
    EXPECT_EQ(frame_rate(Clip{}, 24), 24);
    EXPECT_EQ(time_range(Clip{}).duration(), 0);
}

TEST(Clip, SampleKeepsRestValuesWithoutKeys) {
    const auto local = sample(moving(), two_joints(), 1.0);
    EXPECT_LT((local[0].translation - Vec3d(1, 0, 0)).norm(), 1e-6);
    EXPECT_EQ(local[1].translation, Vec3d(0, 1, 0));
    EXPECT_NEAR(angle_between(Quatd::Identity(), local[1].rotation), 2, 1e-6);
}

TEST(Clip, MorphWeightsStartFromTheMesh) {
    Clip clip;
    clip.morph_tracks = {{1, {KeyTimes::even(0, 1, 2), {0, 1}, Interpolation::linear}}};
    std::vector<float> weights = {0.25f, 0.75f};
    sample_morphs(clip, 0.5, weights);
    EXPECT_EQ(weights, (std::vector<float>{0.25f, 0.5f}));
}

TEST(Clip, TrimmedPlaysTheSameFromZero) {
    const Clip clip = moving();
    const Skeleton skeleton = two_joints();
    const Clip part = trimmed(clip, 0.41, 1.2345);
    validate(part, 2, 0, "part");
    EXPECT_EQ(time_range(part).start, 0);
    EXPECT_NEAR(time_range(part).end, 0.8245, 1e-6);
    for (double t = 0; t <= 0.8245; t += 0.007) {
        const auto a = sample(clip, skeleton, 0.41 + t), b = sample(part, skeleton, t);
        EXPECT_LT((a[0].translation - b[0].translation).norm(), 1e-5);
        EXPECT_LT(angle_between(a[1].rotation, b[1].rotation), 1e-5);
    }
    EXPECT_EQ(frame_count(trimmed(clip, 0, 2)), 61u);
    // A cut within rounding of a key must not leave two keys at one time.
    EXPECT_NO_THROW(validate(trimmed(clip, 1.0 / 30 + 1e-8, 2 - 1e-8), 2, 0, "close"));
    EXPECT_NO_THROW(validate(trimmed(clip, 1, 1), 2, 0, "point"));
    EXPECT_NO_THROW(validate(trimmed(clip, 5, 3), 2, 0, "outside"));
}

TEST(Clip, ResampledKeepsTheMotion) {
    const Clip clip = moving();
    const Skeleton skeleton = two_joints();
    const Clip fine = resampled(clip, 120);
    EXPECT_EQ(frame_count(fine), 241u);
    EXPECT_NEAR(frame_rate(fine), 120, 1e-9);
    for (double t = 0; t <= 2; t += 0.013) {
        const auto a = sample(clip, skeleton, t), b = sample(fine, skeleton, t);
        EXPECT_LT((a[0].translation - b[0].translation).norm(), 1e-6);
        EXPECT_LT(angle_between(a[1].rotation, b[1].rotation), 1e-5);
    }
    EXPECT_THROW(resampled(clip, 1e12), Error);
    EXPECT_THROW(resampled(clip, std::numeric_limits<double>::quiet_NaN()), Error);
}

TEST(Clip, ValidateRefusesEveryBrokenInvariant) {
    const auto refuses = [](auto&& damage) {
        Clip clip = moving();
        clip.morph_tracks = {{0, {KeyTimes::listed({0, 1, 3}), {0, 1, 0}, Interpolation::linear}}};
        validate(clip, 2, 1, "ok");
        damage(clip);
        try {
            validate(clip, 2, 1, "m.glb");
        } catch (const Error& error) {
            return error.location() == "m.glb";
        }
        return false;
    };
    static constexpr float nan = std::numeric_limits<float>::quiet_NaN();
    EXPECT_TRUE(refuses([](Clip& c) { c.tracks[1].joint = 2; }));
    EXPECT_TRUE(refuses([](Clip& c) { c.tracks[0].joint = -1; }));
    EXPECT_TRUE(refuses([](Clip& c) { c.tracks[1].joint = 0; }));
    EXPECT_TRUE(refuses([](Clip& c) { std::swap(c.tracks[0], c.tracks[1]); }));
    EXPECT_TRUE(refuses([](Clip& c) { c.morph_tracks[0].morph = 1; }));
    EXPECT_TRUE(refuses([](Clip& c) { c.tracks[0].translation.values.pop_back(); }));
    EXPECT_TRUE(refuses([](Clip& c) { c.tracks[0].translation.mode = Interpolation::cubic; }));
    EXPECT_TRUE(refuses([](Clip& c) { c.tracks[0].translation.values[3].x() = nan; }));
    EXPECT_TRUE(refuses([](Clip& c) { c.tracks[1].rotation.values[3].x() = nan; }));
    EXPECT_TRUE(refuses([](Clip& c) { c.tracks[1].rotation.values[3].coeffs().setZero(); }));
    EXPECT_TRUE(refuses([](Clip& c) { c.morph_tracks[0].weight.values[0] = nan; }));
    EXPECT_TRUE(refuses([](Clip& c) { c.morph_tracks[0].weight.times = KeyTimes::listed({0, 2, 1}); }));
    EXPECT_TRUE(refuses([](Clip& c) { c.morph_tracks[0].weight.times = KeyTimes::listed({0, nan, 1}); }));
    EXPECT_TRUE(refuses([](Clip& c) { c.tracks[0].translation.times = KeyTimes::even(0, 0, 61); }));
    EXPECT_TRUE(refuses([](Clip& c) { c.tracks[0].translation.times = KeyTimes::even(0, -1, 61); }));
}

TEST(PackedClip, RoundTripKeepsTheMotion) {
    const Clip clip = moving();
    const Skeleton skeleton = two_joints();
    const PackedClip packed = pack(clip, skeleton);
    EXPECT_EQ(packed.joint_count, 2u);
    EXPECT_EQ(packed.stride, 16u);
    EXPECT_EQ(packed.frame_count, 61u);
    EXPECT_NEAR(packed.duration(), 2, 1e-9);
    // The padding is the identity.
    std::vector<float> pose(packed.pose_size());
    expand(packed, 7, pose);
    EXPECT_EQ(pose[6 * 16 + 9], 1);
    EXPECT_EQ(pose[8 * 16 + 15], 1);
    EXPECT_EQ(pose[0 * 16 + 15], 0);
    const Clip back = unpack(packed);
    validate(back, 2, 0, "back");
    for (std::size_t f = 0; f < 61; ++f) {
        const double t = static_cast<double>(f) / 30;
        const auto a = sample(clip, skeleton, t), b = sample(back, skeleton, t);
        for (std::size_t j = 0; j < 2; ++j) EXPECT_LT((a[j].matrix() - b[j].matrix()).norm(), 1e-5);
    }
}

TEST(PackedClip, RotationsStayInOneHemisphere) {
    test::Random random;
    Clip clip;
    Track track;
    track.rotation.times = KeyTimes::even(0, 1.0 / 30, 200);
    for (int i = 0; i < 200; ++i) track.rotation.values.emplace_back(random.rotation().cast<float>());
    clip.tracks = {track};
    const PackedClip packed = pack(clip, Skeleton{{{"j", -1, {}, {}}}});
    std::vector<float> pose(packed.pose_size());
    Quatd before;
    for (std::size_t f = 0; f < packed.frame_count; ++f) {
        expand(packed, f, pose);
        const Quatd now = load_transform(pose, packed.stride, 0).rotation;
        EXPECT_GE(f == 0 ? 0 : math::dot(now, before), 0);
        before = now;
    }
    EXPECT_EQ(pack(Clip{}, two_joints()).frame_count, 1u);
}

}  // namespace
}  // namespace sinew::model
