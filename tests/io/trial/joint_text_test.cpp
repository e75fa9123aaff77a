// SPDX-License-Identifier: MIT
#include <cmath>

#include "io/mesh/mesh_support.h"

#include "sinew/base/error.h"
#include "sinew/io/trial/trial_formats.h"

namespace sinew::io {
namespace joint_text_test {

using math::Vec3f;

Asset read(std::string_view text, std::size_t joints, Monitor& monitor = silent(), double rate = 0) {
    ReadOptions options;
    options.joints = joints;
    options.rate = rate;
    Asset asset = read_joint_text(as_bytes(text), "test.txt", options, monitor);
    model::validate(asset.trial, "test.txt");
    return asset;
}

std::string error_of(std::string_view text, std::size_t joints) {
    try {
        read(text, joints);
    } catch (const Error& error) {
        return error.what();
    }
    return {};
}

const std::string two_frames = "0 0 0\n0 1.5 0\n1e-1 2 0\n0 0 1\n\n0,1.5,1\n0\t2\tnan\n";

TEST(JointText, FramesFollowEachOther) {
    Collector collector;
    const Asset asset = read(two_frames, 3, collector);
    EXPECT_TRUE(collector.warnings().empty());
    ASSERT_EQ(asset.trial.frames, 2u);
    EXPECT_EQ(asset.trial.markers.info.at(2).label, "joint_3");
    EXPECT_EQ(asset.trial.markers.at(0, 2), Vec3f(0.1f, 2, 0));
    EXPECT_EQ(asset.trial.markers.at(1, 1), Vec3f(0, 1.5f, 1));
    EXPECT_FALSE(asset.trial.markers.valid(1, 2));
    EXPECT_EQ(asset.trial.rate, 30);
    EXPECT_EQ(asset.guesses.at(0).subject, "fps");
    EXPECT_EQ(asset.guesses.at(1).subject, "units");
    EXPECT_EQ(asset.trial.unit, "m");
    EXPECT_EQ(asset.guesses.at(2).value, "y");
    EXPECT_EQ(read(two_frames, 3, silent(), 120).trial.rate, 120);
}

TEST(JointText, TheCountMustBeGiven) {
    const std::string error = error_of(two_frames, 0);
    EXPECT_HAS(error, "the number was not given; of its 6 lines, 3, 6 would fit");
    EXPECT_HAS(error_of(two_frames, 7), "6 lines are less than one frame of 7 joints");
    Collector collector;
    EXPECT_EQ(read(two_frames, 4, collector).trial.frames, 1u);
    ASSERT_TRUE(collector.has("joint-text-partial"));
    EXPECT_HAS(collector.warnings()[0].text, "the last 2 lines");
    EXPECT_TRUE(error_of("1 2 1e99\n", 1).empty());
}

TEST(JointText, LinesThatAreNotThreeNumbersAreErrors) {
    EXPECT_HAS(error_of("0 0 0\n0 0\n", 1), "test.txt:2: expected three numbers, found the end of the file");
    EXPECT_HAS(error_of("0 0 0\n0 0 x\n", 1), "test.txt:2: expected three numbers, found \"x\"");
    EXPECT_HAS(error_of("0 0 0\n0 0 1 2\n", 1), "test.txt:2: expected three numbers, found \"2\" after them");
    EXPECT_HAS(error_of("", 1), "empty");
    EXPECT_HAS(error_of("\n\n", 1), "no lines");
}

TEST(JointText, ReadsBackExactly) {
    test::Random random(1);
    Asset first = read(two_frames, 3);
    for (Vec3f& p : first.trial.markers.positions) {
        if (p.allFinite()) p = random.vector(2).cast<float>();
    }
    const Asset second = read(write_joint_text(first, "a.txt", {}, silent()), 3);
    for (std::size_t i = 0; i < 5; ++i)
        EXPECT_EQ(first.trial.markers.positions[i], second.trial.markers.positions[i]);
    EXPECT_EQ(first.trial.markers.residuals, second.trial.markers.residuals);
    EXPECT_THROW(write_joint_text({}, "a.txt", {}, silent()), Error);
}

}  // namespace joint_text_test
}  // namespace sinew::io
