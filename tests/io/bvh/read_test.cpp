// SPDX-License-Identifier: MIT
#include <cmath>

#include "io/bvh/reference.h"
#include "support/data.h"
#include <gtest/gtest.h>

#include "sinew/base/error.h"
#include "sinew/base/parallel.h"
#include "sinew/io/bvh/bvh.h"

namespace sinew::io {
namespace bvh_read_test {

using math::Mat4d;
using math::Vec3d;

Asset read_text(std::string_view text, Monitor& monitor = silent(), const ReadOptions& options = {}) {
    return read_bvh(as_bytes(text), "test.bvh", options, monitor);
}

std::vector<Mat4d> world(const Asset& asset, std::size_t frame) {
    const model::Clip& clip = asset.character.clips.at(0);
    const auto& times =
        clip.tracks[0].rotation.empty() ? clip.tracks[0].translation.times : clip.tracks[0].rotation.times;
    return model::world_matrices(asset.character, &clip, times[frame]);
}

std::vector<Vec3d> positions(const Asset& asset, std::size_t frame) {
    return model::joint_positions(world(asset, frame));
}

std::size_t frames(const Asset& asset) {
    return asset.character.clips.empty() ? 0 : model::frame_count(asset.character.clips[0]);
}

const std::string two_joints =
    "HIERARCHY\nROOT Hip\n{\n OFFSET 0 0 0\n CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation "
    "Yrotation\n"
    " JOINT Knee\n {\n  OFFSET 0 1 0\n  CHANNELS 3 Zrotation Xrotation Yrotation\n"
    "  End Site\n  {\n   OFFSET 0 0 2\n  }\n }\n}\n";

// Test 14 of the specification: rotations multiply in the listed order, from left to right.
TEST(BvhRead, RotationsMultiplyInListedOrder) {
    const Asset asset = read_text(two_joints + "MOTION\nFrames: 1\nFrame Time: 0.01\n5 6 7 90 30 0 0 0 0\n");
    const Vec3d knee = positions(asset, 0)[1] - Vec3d(5, 6, 7);
    EXPECT_NEAR(knee.x(), -0.8660, 1e-4);
    EXPECT_NEAR(knee.y(), 0, 1e-4);
    EXPECT_NEAR(knee.z(), 0.5, 1e-4);
}

TEST(BvhRead, EveryOrderOfChannelsAgreesWithMatrices) {
    for (const std::string channels :
         {"Xrotation Yrotation Zrotation", "Yrotation Zrotation Xrotation", "Zrotation Xrotation Yrotation",
          "Xrotation Zrotation Yrotation", "Yrotation Xrotation Zrotation", "Zrotation Yrotation Xrotation",
          "Zrotation Xrotation Zrotation", "Xrotation Xrotation Xrotation", "Yrotation",
          "Zrotation Yrotation", "Xrotation Yrotation Zrotation Xrotation",
          "Yrotation Xposition Zrotation Yposition Xrotation Zposition"}) {
        const auto count = static_cast<std::size_t>(std::count(channels.begin(), channels.end(), ' ') + 1);
        std::string text =
            "HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS " + std::to_string(count) + " " + channels +
            "\nJOINT b\n{\nOFFSET 1 2 3\nCHANNELS 1 Xrotation\nEnd Site\n{\nOFFSET 1 1 1\n}\n}\n}\n" +
            "MOTION\nFrames: 2\nFrame Time: 0.1\n";
        const std::vector<std::string> first{"97.5", "-203", "41", "380", "-1000.25", "77.7"};
        const std::vector<std::string> second{"-181", "179.5", "-90", "90", "270", "1"};
        for (const auto& row : {first, second}) {
            for (std::size_t i = 0; i < count; ++i) text += row[i] + " ";
            text += "12.5\n";
        }
        const test::BvhReference reference(text);
        const Asset asset = read_text(text);
        ASSERT_EQ(frames(asset), 2u) << channels;
        for (std::size_t f = 0; f < 2; ++f) {
            const std::vector<Mat4d> matrices = world(asset, f);
            const Vec3d tip = math::transform_point(matrices[1], *asset.character.skeleton.joints[1].tip);
            EXPECT_LT((math::transform_point(matrices[1], Vec3d::Zero()) - reference.joints(f)[1]).norm(),
                      2e-5)
                << channels;
            EXPECT_LT((tip - reference.tips(f)[0]).norm(), 2e-5) << channels;
        }
    }
}

TEST(BvhRead, SkeletonHoldsOffsetsAndTips) {
    const Asset asset = read_text(two_joints + "MOTION\nFrames: 1\nFrame Time: 0.01\n0 0 0 0 0 0 0 0 0\n");
    const auto& joints = asset.character.skeleton.joints;
    ASSERT_EQ(joints.size(), 2u);
    EXPECT_EQ(joints[0].name, "Hip");
    EXPECT_EQ(joints[1].parent, 0);
    EXPECT_EQ(joints[1].rest.translation, Vec3d(0, 1, 0));
    EXPECT_FALSE(joints[0].tip.has_value());
    EXPECT_EQ(joints[1].tip.value(), Vec3d(0, 0, 2));
    EXPECT_EQ(asset.character.clips.at(0).name, "test");
    const auto& tracks = asset.character.clips[0].tracks;
    ASSERT_EQ(tracks.size(), 2u);
    EXPECT_FALSE(tracks[0].translation.empty());
    EXPECT_TRUE(tracks[1].translation.empty());
    EXPECT_TRUE(tracks[1].rotation.times.is_even());
    EXPECT_EQ(tracks[1].rotation.times.step(), 0.01);
}

TEST(BvhRead, NeighbouringRotationsLieInOneHemisphere) {
    std::string text = two_joints + "MOTION\nFrames: 200\nFrame Time: 0.01\n";
    for (int f = 0; f < 200; ++f) {
        const double wrapped = std::remainder(7.3 * f, 360);
        text += "0 0 0 " + std::to_string(wrapped) + " 10 20 " + std::to_string(7.3 * f) + " 0 0\n";
    }
    const Asset asset = read_text(text);
    for (const model::Track& track : asset.character.clips[0].tracks) {
        const auto& values = track.rotation.values;
        for (std::size_t f = 1; f < values.size(); ++f) EXPECT_GT(math::dot(values[f], values[f - 1]), 0.9f);
    }
}

TEST(BvhRead, SeveralRootsShareOneLine) {
    const Asset asset = read_text(
        "HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 3 Xposition Yposition Zposition\n}\n"
        "ROOT b\n{\nOFFSET 0 0 0\nCHANNELS 3 Zposition Yposition Xposition\n}\nMOTION\nFrames: 1\nFrame "
        "Time: 1\n1 2 3 4 5 6\n");
    ASSERT_EQ(asset.character.skeleton.size(), 2u);
    EXPECT_EQ(positions(asset, 0)[0], Vec3d(1, 2, 3));
    EXPECT_EQ(positions(asset, 0)[1], Vec3d(6, 5, 4));
}

struct Expected {
    const char* file;
    std::size_t joints;
    std::size_t frames;
    double rate;
};

class BvhArchive : public testing::TestWithParam<Expected> {};

TEST_P(BvhArchive, AgreesWithTheReferenceEvaluator) {
    SINEW_NEEDS_DATA();
    const Expected& expected = GetParam();
    const std::string text = test::read_text(test::data(std::string("bvh/") + expected.file));
    Collector collector;
    const Asset asset = read_text(text, collector);
    EXPECT_TRUE(collector.warnings().empty()) << collector.warnings()[0].text;
    ASSERT_EQ(asset.character.skeleton.size(), expected.joints);
    ASSERT_EQ(frames(asset), expected.frames);
    EXPECT_EQ(asset.character.clips[0].tracks[0].rotation.times.step(), 1 / expected.rate);
    model::validate(asset.character, expected.file);

    const test::BvhReference reference(text);
    const double height = model::height(asset.character.skeleton);
    double worst = 0;
    for (std::size_t f = 0; f < expected.frames; f += 7) {
        const std::vector<Vec3d> ours = positions(asset, f), theirs = reference.joints(f);
        ASSERT_EQ(ours.size(), theirs.size());
        for (std::size_t j = 0; j < ours.size(); ++j) worst = std::max(worst, (ours[j] - theirs[j]).norm());
    }
    EXPECT_LT(worst, 1e-5 * height);
    EXPECT_EQ(reference.tips(0).size(),
              static_cast<std::size_t>(std::count_if(
                  asset.character.skeleton.joints.begin(), asset.character.skeleton.joints.end(),
                  [](const model::Joint& j) { return j.tip.has_value(); })));
}

INSTANTIATE_TEST_SUITE_P(
    All, BvhArchive,
    testing::Values(Expected{"cmu_01_01.bvh", 31, 2752, 120}, Expected{"cmu_02_01.bvh", 31, 344, 120},
                    Expected{"cmu_07_05.bvh", 31, 518, 120}, Expected{"cmu_09_06.bvh", 31, 142, 120},
                    Expected{"cmu_11_01.bvh", 31, 598, 120}, Expected{"freebvh.bvh", 55, 69, 30},
                    Expected{"pirouette.bvh", 43, 592, 120}),
    [](const auto& test) {
        return std::string(test.param.file).substr(0, std::string(test.param.file).find('.'));
    });

TEST(BvhRead, OneAndTwoThreadsGiveTheSameKeys) {
    SINEW_NEEDS_DATA();
    const std::string text = test::read_text(test::data("bvh/cmu_09_06.bvh"));
    set_thread_count(1);
    const Asset one = read_text(text);
    set_thread_count(0);
    const Asset many = read_text(text);
    const auto& a = one.character.clips[0].tracks;
    const auto& b = many.character.clips[0].tracks;
    ASSERT_EQ(a.size(), b.size());
    for (std::size_t t = 0; t < a.size(); ++t) {
        ASSERT_EQ(a[t].rotation.values.size(), b[t].rotation.values.size());
        for (std::size_t f = 0; f < a[t].rotation.values.size(); ++f) {
            EXPECT_EQ(a[t].rotation.values[f].coeffs(), b[t].rotation.values[f].coeffs());
        }
        EXPECT_EQ(a[t].translation.values, b[t].translation.values);
    }
}

}  // namespace bvh_read_test
}  // namespace sinew::io
