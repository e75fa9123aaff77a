// SPDX-License-Identifier: MIT
#include <cmath>

#include "io/bvh/reference.h"
#include "support/data.h"
#include "support/random.h"
#include <gtest/gtest.h>

#include "sinew/base/error.h"
#include "sinew/io/bvh/bvh.h"

namespace sinew::io {
namespace bvh_write_test {

using math::Mat4d;
using math::Quatd;
using math::Quatf;
using math::Vec3d;
using math::Vec3f;
using model::Clip;
using model::Skeleton;

Asset read_text(std::string_view text, Monitor& monitor = silent()) {
    return read_bvh(as_bytes(text), "test.bvh", {}, monitor);
}

std::string write_text(const Asset& asset, const WriteOptions& options = {}, Monitor& monitor = silent()) {
    return write_bvh(asset, "test.bvh", options, monitor);
}

double key_time(const Asset& asset, std::size_t frame) {
    return asset.character.clips.at(0).tracks.at(0).rotation.times[frame];
}

std::vector<Mat4d> world(const Asset& asset, double time) {
    return model::world_matrices(
        asset.character, asset.character.clips.empty() ? nullptr : asset.character.clips.data(), time);
}

/// Largest distance between equal-named joints of two motions over all frames of the first.
double worst_distance(const Asset& a, const Asset& b) {
    double worst = 0;
    const std::size_t frames = a.character.clips.empty() ? 1 : model::frame_count(a.character.clips[0]);
    for (std::size_t f = 0; f < frames; ++f) {
        const double time = a.character.clips.empty() ? 0 : model::frame_time(a.character.clips[0], f);
        const auto p = model::joint_positions(world(a, time)), q = model::joint_positions(world(b, time));
        for (std::size_t j = 0; j < p.size(); ++j) {
            const int other = b.character.skeleton.find(a.character.skeleton.joints[j].name);
            worst = std::max(worst, (p[j] - q.at(static_cast<std::size_t>(other))).norm());
        }
    }
    return worst;
}

class BvhRoundTrip : public testing::TestWithParam<const char*> {};

// Test 15 of the specification.
TEST_P(BvhRoundTrip, KeepsPositionsTimesAndTips) {
    SINEW_NEEDS_DATA();
    const Asset first = read_text(test::read_text(test::data(std::string("bvh/") + GetParam() + ".bvh")));
    const double height = model::height(first.character.skeleton);
    for (const char* order : {"zxy", "xyz", "yzx"}) {
        WriteOptions options;
        options.euler_order = order;
        const std::string text = write_text(first, options);
        Collector collector;
        const Asset second = read_text(text, collector);
        EXPECT_TRUE(collector.warnings().empty()) << collector.warnings()[0].text;
        ASSERT_EQ(model::frame_count(first.character.clips[0]),
                  model::frame_count(second.character.clips[0]));
        EXPECT_EQ(first.character.clips[0].tracks[0].rotation.times,
                  second.character.clips[0].tracks[0].rotation.times);
        EXPECT_LT(worst_distance(first, second), 1e-5 * height) << order;
        for (std::size_t j = 0; j < first.character.skeleton.size(); ++j) {
            const auto& a = first.character.skeleton.joints[j];
            const auto& b = second.character.skeleton.joints[j];
            EXPECT_EQ(a.name, b.name);
            ASSERT_EQ(a.tip.has_value(), b.tip.has_value());
            if (a.tip) {
                EXPECT_LT((*a.tip - *b.tip).norm(), 1e-5 * height);
            }
        }
    }
}

INSTANTIATE_TEST_SUITE_P(All, BvhRoundTrip,
                         testing::Values("cmu_01_01", "cmu_02_01", "cmu_07_05", "cmu_09_06", "cmu_11_01",
                                         "freebvh", "pirouette"),
                         [](const auto& test) { return std::string(test.param); });

TEST(BvhWrite, AnglesDoNotJump) {
    SINEW_NEEDS_DATA();
    const std::string text = write_text(read_text(test::read_text(test::data("bvh/pirouette.bvh"))));
    const test::BvhReference written(text);
    for (std::size_t f = 1; f < written.frames; ++f) {
        for (std::size_t c = 3; c < written.channels; ++c) {
            const double before = written.values[(f - 1) * written.channels + c];
            EXPECT_LE(std::abs(written.values[f * written.channels + c] - before), 180.001) << f << " " << c;
        }
    }
}

TEST(BvhWrite, AnglesOfSeveralTurnsGoOn) {
    Asset asset;
    model::Joint& joint = asset.character.skeleton.joints.emplace_back();
    joint.name = "spin";
    joint.tip = Vec3d(0, 1, 0);
    Clip& clip = asset.character.clips.emplace_back();
    model::Track& track = clip.tracks.emplace_back();
    constexpr int frames = 40;
    track.rotation.times = model::KeyTimes::even(0, 0.04, frames);
    for (const char* order : {"zxy", "xyz", "yzx"}) {
        track.rotation.values.clear();
        const Vec3d axis = Vec3d::Unit(order[0] - 'x');
        for (int f = 0; f < frames; ++f)
            track.rotation.values.push_back(
                Quatd(Eigen::AngleAxisd(math::radians(25.0 * f), axis)).cast<float>());
        WriteOptions options;
        options.euler_order = order;
        const test::BvhReference written(write_text(asset, options));
        ASSERT_EQ(written.frames, frames);
        ASSERT_EQ(written.channels, 6u);
        for (std::size_t f = 0; f < frames; ++f) {
            const double* angles = &written.values[f * 6 + 3];
            EXPECT_NEAR(angles[0], 25.0 * static_cast<double>(f), 1e-3) << order << ", frame " << f;
            EXPECT_NEAR(angles[1], 0, 1e-3) << order << ", frame " << f;
            EXPECT_NEAR(angles[2], 0, 1e-3) << order << ", frame " << f;
        }
    }
}

/// A tree of joints with any rest pose, and a clip that turns all of them.
Asset random_character(unsigned seed, bool rest_rotations, bool scales, bool uniform) {
    test::Random random(seed);
    Asset asset;
    Skeleton& skeleton = asset.character.skeleton;
    Clip& clip = asset.character.clips.emplace_back();
    clip.name = "turns";
    for (int j = 0; j < 12; ++j) {
        model::Joint& joint = skeleton.joints.emplace_back();
        joint.name = "j" + std::to_string(j);
        joint.parent = j == 0 ? -1 : random.integer(std::max(0, j - 3), j - 1);
        joint.rest.translation = random.vector(0.3);
        if (rest_rotations) joint.rest.rotation = random.rotation();
        if (scales) {
            joint.rest.scale =
                uniform ? Vec3d::Constant(random.uniform(0.5, 2))
                        : Vec3d(random.uniform(0.5, 2), random.uniform(0.5, 2), random.uniform(0.5, 2));
        }
        if (random.uniform() < 0.3) joint.tip = random.vector(0.2);
        model::Track& track = clip.tracks.emplace_back();
        track.joint = j;
        track.rotation.times = model::KeyTimes::even(0, 0.04, 20);
        Quatd turn = joint.rest.rotation;
        for (int f = 0; f < 20; ++f) {
            track.rotation.values.push_back(turn.cast<float>());
            turn = turn * random.rotation(0.7);
        }
    }
    skeleton.joints[0].rest.translation = Vec3d(0.1, 1, 0.2);
    return asset;
}

/// Positions, and rotations against the rest pose, are what they were.
void expect_same_motion(const Asset& asset, std::string_view expected_codes = "") {
    Collector collector;
    const std::string text = write_text(asset, {}, collector);
    std::string codes;
    for (const Warning& warning : collector.warnings()) codes += warning.code;
    EXPECT_EQ(codes, expected_codes);
    const Asset back = read_text(text);
    const double size = std::max(1.0, model::height(asset.character.skeleton));
    EXPECT_LT(worst_distance(asset, back), 1e-5 * size);
    const auto linear = [](const Mat4d& m) { return math::nearest_rotation(m.topLeftCorner<3, 3>()); };
    const auto rest = model::rest_world_matrices(asset.character.skeleton);
    bool rigid = true;
    for (const model::Joint& joint : asset.character.skeleton.joints) {
        const Vec3d& s = joint.rest.scale;
        rigid = rigid && s.isApprox(Vec3d::Constant(s.x()));
    }
    for (std::size_t f = 0; f < 20 && rigid; ++f) {
        const auto ours = world(asset, key_time(asset, f)), theirs = world(back, key_time(asset, f));
        for (std::size_t j = 0; j < ours.size(); ++j) {
            const auto other = static_cast<std::size_t>(
                back.character.skeleton.find(asset.character.skeleton.joints[j].name));
            EXPECT_LT((linear(ours[j]) * linear(rest[j]).transpose() - linear(theirs[other])).norm(), 2e-5);
        }
    }
}

TEST(BvhWrite, IdentityRestPose) {
    for (unsigned seed = 1; seed < 6; ++seed) expect_same_motion(random_character(seed, false, false, true));
}

TEST(BvhWrite, RestRotationsAreFolded) {
    for (unsigned seed = 1; seed < 6; ++seed) expect_same_motion(random_character(seed, true, false, true));
}

TEST(BvhWrite, UniformRestScaleIsFoldedIntoOffsets) {
    for (unsigned seed = 1; seed < 6; ++seed) {
        const Asset asset = random_character(seed, true, true, true);
        expect_same_motion(asset);
        const std::string text = write_text(asset);
        EXPECT_EQ(text.find("CHANNELS 6"), text.rfind("CHANNELS 6")) << "only the root needs positions";
    }
}

TEST(BvhWrite, UnevenRestScaleKeepsPositions) {
    for (unsigned seed = 1; seed < 6; ++seed) expect_same_motion(random_character(seed, true, true, false));
}

TEST(BvhWrite, AnimatedScaleWarnsAndKeepsPositions) {
    Asset asset = random_character(3, true, false, true);
    model::Track& track = asset.character.clips[0].tracks[1];
    track.scale.times = track.rotation.times;
    for (int f = 0; f < 20; ++f) track.scale.values.emplace_back(1 + 0.05f * static_cast<float>(f), 1.f, 1.f);
    expect_same_motion(asset, "bvh-scale");
}

TEST(BvhWrite, ConstantScaleKeysDoNotWarn) {
    Asset asset = random_character(3, true, false, true);
    model::Track& track = asset.character.clips[0].tracks[1];
    track.scale.times = track.rotation.times;
    track.scale.values.assign(20, Vec3f(2, 2, 2));
    expect_same_motion(asset);
}

TEST(BvhWrite, AnimatedTranslationsOfInnerJoints) {
    Asset asset = random_character(4, true, false, true);
    test::Random random(9);
    for (const std::size_t j : {std::size_t{3}, std::size_t{7}}) {
        model::Track& track = asset.character.clips[0].tracks[j];
        track.translation.times = track.rotation.times;
        for (int f = 0; f < 20; ++f) {
            const Vec3d start =
                f == 0 ? asset.character.skeleton.joints[j].rest.translation : random.vector(0.4);
            track.translation.values.push_back(start.cast<float>());
        }
    }
    expect_same_motion(asset);
}

TEST(BvhWrite, InnerJointThatStartsAtItsParent) {
    // The reader's rule would take positions near zero for "added to OFFSET".
    Asset asset = random_character(4, false, false, true);
    model::Track& track = asset.character.clips[0].tracks[5];
    track.translation.times = track.rotation.times;
    for (int f = 0; f < 20; ++f)
        track.translation.values.emplace_back(0.f, 0.01f * static_cast<float>(f), 0.f);
    expect_same_motion(asset);
}

TEST(BvhWrite, RootAtAnyHeight) {
    for (const float height : {0.f, 0.3f, 0.6f, 1.f, 1.4f, 1.6f, 2.f, 2.4f, 3.f, -1.f}) {
        Asset asset = random_character(5, false, false, true);
        model::Track& track = asset.character.clips[0].tracks[0];
        track.translation.times = track.rotation.times;
        for (int f = 0; f < 20; ++f)
            track.translation.values.emplace_back(0.1f * static_cast<float>(f), height, 0.5f);
        const bool odd = height > 1.5f && height < 2.5f;
        expect_same_motion(asset, odd ? "bvh-root-rest" : "");
        const Vec3d rest = read_text(write_text(asset)).character.skeleton.joints[0].rest.translation;
        EXPECT_LT((rest - (odd ? Vec3d(0, 0, 0) : Vec3d(0.1, 1, 0.2))).norm(), 1e-6);
    }
}

TEST(BvhWrite, TinyAndHugeSkeletons) {
    for (const double scale : {1e-4, 1e5}) {
        Asset asset = random_character(6, false, false, true);
        for (model::Joint& joint : asset.character.skeleton.joints) joint.rest.translation *= scale;
        const double size = model::height(asset.character.skeleton);
        EXPECT_LT(worst_distance(asset, read_text(write_text(asset))), 1e-5 * size);
    }
}

TEST(BvhWrite, WithoutAClipTheRestPoseIsOneFrame) {
    Asset asset = random_character(7, true, false, true);
    asset.character.clips.clear();
    Collector collector;
    const std::string text = write_text(asset, {}, collector);
    EXPECT_TRUE(collector.warnings().empty());
    EXPECT_NE(text.find("\nFrames: 1\n"), std::string::npos);
    const Asset back = read_text(text);
    EXPECT_LT(worst_distance(asset, back), 1e-5);
    const auto rest = model::joint_positions(model::rest_world_matrices(back.character.skeleton));
    const auto posed = model::joint_positions(world(back, 0));
    for (std::size_t j = 0; j < rest.size(); ++j) EXPECT_LT((rest[j] - posed[j]).norm(), 1e-6);
}

TEST(BvhWrite, SeveralClipsWarn) {
    Asset asset = random_character(8, false, false, true);
    asset.character.clips.push_back(asset.character.clips[0]);
    expect_same_motion(asset, "bvh-one-clip");
}

TEST(BvhWrite, FrameTimeIsExact) {
    for (const double step :
         {1.0 / 120, 1.0 / 30, 1001.0 / 30000, 0.0333667, 0.04, 1.0 / 59.94, 1.0 / 1000}) {
        Asset asset = random_character(9, false, false, true);
        for (model::Track& track : asset.character.clips[0].tracks)
            track.rotation.times = model::KeyTimes::even(0, step, 20);
        const Asset back = read_text(write_text(asset));
        EXPECT_EQ(back.character.clips[0].tracks[0].rotation.times,
                  asset.character.clips[0].tracks[0].rotation.times);
    }
}

TEST(BvhWrite, RateResamples) {
    const Asset asset = random_character(10, false, false, true);  // 19 * 0.04 s = 0.76 s
    WriteOptions options;
    options.rate = 100;
    const Asset back = read_text(write_text(asset, options));
    EXPECT_EQ(model::frame_count(back.character.clips[0]), 77u);
    EXPECT_EQ(back.character.clips[0].tracks[0].rotation.times.step(), 0.01);
    EXPECT_LT(worst_distance(back, asset), 1e-5);
}

TEST(BvhWrite, UnsafeNamesAreChanged) {
    Asset asset = random_character(11, false, false, true);
    asset.character.skeleton.joints[1].name = " a{b}\nc ";
    Collector collector;
    const Asset back = read_text(write_text(asset, {}, collector));
    EXPECT_TRUE(collector.has("bvh-name"));
    EXPECT_GE(back.character.skeleton.find("a_b__c"), 0);
}

TEST(BvhWrite, GrammarIsPlain) {
    Asset asset;
    asset.character.skeleton.joints = {{"Hips", -1, {}, std::nullopt}, {"Leg", 0, {}, Vec3d(0, -40, 0)}};
    asset.character.skeleton.joints[1].rest.translation = Vec3d(10, -42.5, 0);
    WriteOptions options;
    options.euler_order = "XYZ";
    EXPECT_EQ(
        write_text(asset, options),
        "HIERARCHY\nROOT Hips\n{\n\tOFFSET 0.000000 0.000000 0.000000\n"
        "\tCHANNELS 6 Xposition Yposition Zposition Xrotation Yrotation Zrotation\n\tJOINT Leg\n\t{\n"
        "\t\tOFFSET 10.000000 -42.500000 0.000000\n\t\tCHANNELS 3 Xrotation Yrotation Zrotation\n\t\tEnd "
        "Site\n\t\t{\n"
        "\t\t\tOFFSET 0.000000 -40.000000 0.000000\n\t\t}\n\t}\n}\nMOTION\nFrames: 1\nFrame Time: "
        "0.03333333333333333\n"
        "0.000000 0.000000 0.000000 0.000000 0.000000 0.000000 0.000000 0.000000 0.000000\n");
}

TEST(BvhWrite, RefusesWhatItCannotHold) {
    EXPECT_THROW(write_text({}), Error);
    Asset asset = random_character(12, false, false, true);
    WriteOptions options;
    options.euler_order = "xxz";
    EXPECT_THROW(write_text(asset, options), Error);
    options.euler_order = "zxy";
    options.rate = 1e15;
    EXPECT_THROW(write_text(asset, options), Error);
    options.rate = -1;
    EXPECT_THROW(write_text(asset, options), Error);
}

}  // namespace bvh_write_test
}  // namespace sinew::io
