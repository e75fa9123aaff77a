// SPDX-License-Identifier: MIT
// sinew clean: every option does what it says.

#include "command.h"
#include <gtest/gtest.h>

#include "sinew/io/io.h"
#include "sinew/motion/edit.h"

namespace sinew {
namespace {

using test::sinew_report;
using test::TemporaryFolder;

/// Largest distance between joints of two motions of one skeleton.
double apart(const std::string& a, const std::string& b) {
    const model::Character first = io::read(a).character, second = io::read(b).character;
    return motion::compare(first.skeleton, first.clips[0], second.skeleton, second.clips[0])
        .max_position_error;
}

TEST(CleanPipeline, TrimKeepsTheSecondsThatWereAsked) {
    SINEW_NEEDS_DATA();
    const TemporaryFolder folder;
    const std::string walk = test::data("bvh/cmu_02_01.bvh").string(), out = (folder / "part.bvh").string();
    const Json report = sinew_report({"clean", walk, "-o", out, "--trim", "0.5..1.5"});
    EXPECT_NEAR(report["clips"][0]["duration"].get<double>(), 1, 1e-6);
    const model::Character all = io::read(walk).character, part = io::read(out).character;
    const auto place = [](const model::Character& c, double time) {
        return model::sample(c.clips[0], c.skeleton, time)[0].translation;
    };
    EXPECT_LT((place(all, 0.5) - place(part, 0)).norm(), 1e-4);
    EXPECT_LT((place(all, 1.5) - place(part, 1)).norm(), 1e-4);
    for (const char* wrong : {"2..1", "0.5-1.5", "0..99"})
        EXPECT_EQ(test::sinew({"clean", walk, "-o", out, "--trim", wrong}).exit_code, 2) << wrong;
    EXPECT_EQ(test::sinew({"clean", walk, "-o", out}).exit_code, 1) << "nothing to do";
}

TEST(CleanPipeline, ALoopEndsAsItBegins) {
    SINEW_NEEDS_DATA();
    const TemporaryFolder folder;
    const std::string walk = test::data("bvh/cmu_02_01.bvh").string(), out = (folder / "loop.glb").string();
    const Json report = sinew_report({"clean", walk, "-o", out, "--loop"});
    EXPECT_GT(report["clips"][0]["loop"]["end"].get<double>(),
              report["clips"][0]["loop"]["start"].get<double>() + 0.4);
    const model::Character loop = io::read(out).character;
    const model::TimeRange range = model::time_range(loop.clips[0]);
    const auto first = model::sample(loop.clips[0], loop.skeleton, range.start),
               last = model::sample(loop.clips[0], loop.skeleton, range.end);
    for (std::size_t j = 0; j < first.size(); ++j) {
        EXPECT_LT(math::angle_between(first[j].rotation, last[j].rotation), 1e-3) << j;
        EXPECT_LT((first[j].translation - last[j].translation).norm(), 1e-4) << j;
    }
    const Json part = sinew_report({"clean", walk, "-o", out, "--trim", "0.5..1.5", "--loop"});
    EXPECT_NEAR(part["clips"][0]["duration"].get<double>(), 1, 0.02)
        << "the loop is the part that was chosen";
}

TEST(CleanPipeline, MirroredTwiceIsTheSame) {
    SINEW_NEEDS_DATA();
    const TemporaryFolder folder;
    const std::string walk = test::data("bvh/cmu_02_01.bvh").string(), once = (folder / "once.bvh").string(),
                      twice = (folder / "twice.bvh").string();
    sinew_report({"clean", walk, "-o", once, "--mirror"});
    sinew_report({"clean", once, "-o", twice, "--mirror"});
    EXPECT_GT(apart(walk, once), 0.05);
    EXPECT_LT(apart(walk, twice), 2e-3);
}

TEST(CleanPipeline, FewerKeysStayWithinTheBound) {
    SINEW_NEEDS_DATA();
    const TemporaryFolder folder;
    const std::string man = test::data("gltf/CesiumMan.glb").string(), out = (folder / "small.glb").string();
    const Json row = sinew_report({"clean", man, "-o", out, "--reduce-keys", "0.002"})["clips"][0];
    EXPECT_LT(row["keys"].get<int>(), row["keys_before"].get<int>() * 3 / 4);
    EXPECT_LE(row["largest_error"].get<double>(), 0.002);
    EXPECT_LT(apart(man, out), 0.01);
}

TEST(CleanPipeline, FilterAndRateOfAMotion) {
    SINEW_NEEDS_DATA();
    const TemporaryFolder folder;
    const std::string walk = test::data("bvh/cmu_02_01.bvh").string(), out = (folder / "slow.bvh").string();
    const Json row = sinew_report({"clean", walk, "-o", out, "--filter", "6", "--fps", "30"})["clips"][0];
    EXPECT_GT(row["moved_max"].get<double>(), 0);
    EXPECT_LT(row["moved_max"].get<double>(), 0.6);  // the first frame of the file is a T-pose
    EXPECT_NEAR(row["frames"].get<double>(), row["frames_before"].get<double>() / 4, 1)
        << "120 to 30 a second";
    EXPECT_EQ(test::sinew({"clean", walk, "-o", out, "--filter", "90"}).exit_code, 1)
        << "above half the rate";
    EXPECT_EQ(test::sinew({"clean", walk, "-o", out, "--fill-gaps"}).exit_code, 2);
}

TEST(CleanPipeline, SpikesAndGapsOfATrial) {
    SINEW_NEEDS_DATA();
    const TemporaryFolder folder;
    // A marker on a straight line at 100 a second: one gap of three frames, one spike of half a metre.
    std::string text;
    for (int f = 0; f < 60; ++f) {
        const double x = f == 40 ? 0.5 + 0.01 * f : 0.01 * f;
        if (f >= 20 && f < 23)
            text += "nan nan nan\n";
        else
            text += fmt::format("{} 1 0\n", x);
        text += fmt::format("{} 1.5 0.2\n", 0.01 * f);
    }
    test::write_text(folder / "points.txt", text);
    const std::string in = (folder / "points.txt").string(), out = (folder / "clean.txt").string();
    const Json report = sinew_report({"clean", in, "-o", out, "--joints", "2", "--fps", "100", "--units", "m",
                                      "--up", "y", "--remove-spikes", "--fill-gaps"});
    EXPECT_EQ(report["spikes"], 1);
    EXPECT_EQ(report["gaps"]["spline"], 4);
    EXPECT_EQ(report["gaps"]["left"], 0);
    io::ReadOptions read;
    read.joints = 2, read.rate = 100, read.units = "m", read.up = "y";
    const model::Trial trial = io::read(out, read).trial;
    ASSERT_EQ(trial.frames, 60u);
    for (std::size_t f = 0; f < 60; ++f)
        EXPECT_NEAR(model::world_position(trial, f, 0).x(), 0.01 * static_cast<double>(f), 1e-4) << f;
    EXPECT_EQ(test::sinew({"clean", in, "-o", out, "--joints", "2", "--loop"}).exit_code, 2);
    const std::string half = (folder / "half.c3d").string(), walk = test::data("c3d/PiG_walk.c3d").string();
    const Json cut = sinew_report({"clean", walk, "-o", half, "--trim", "0.5..1.0", "--filter", "6"});
    EXPECT_LT(cut["frames"].get<int>(), cut["frames_before"].get<int>());
    EXPECT_GT(cut["moved_max_mm"].get<double>(), 0);
    EXPECT_EQ(sinew_report({"info", half})["frames"], cut["frames"]);
}

TEST(CleanPipeline, PositionsOfJointsBecomeTheMotion) {
    SINEW_NEEDS_DATA();
    const TemporaryFolder folder;
    const std::string walk = test::data("bvh/cmu_02_01.bvh").string(), in = (folder / "joints.txt").string(),
                      out = (folder / "again.bvh").string();
    const model::Character truth = io::read(walk).character;
    const double rate = model::frame_rate(truth.clips[0]);
    std::string text;
    for (std::size_t f = 0; f < 100; ++f) {
        const auto world = model::world_matrices(
            truth.skeleton,
            model::sample(truth.clips[0], truth.skeleton, model::frame_time(truth.clips[0], f)));
        for (const math::Vec3d& p : model::joint_positions(world))
            text += fmt::format("{:.7f} {:.7f} {:.7f}\n", p.x(), p.y(), p.z());
    }
    test::write_text(in, text);
    const Json report = sinew_report({"clean", in, "-o", out, "--joints",
                                      std::to_string(truth.skeleton.size()), "--fps", fmt::format("{}", rate),
                                      "--units", "m", "--up", "y", "--to-rotations", "--skeleton", walk});
    EXPECT_LT(report["positions"]["max_mm"].get<double>(), 1);
    EXPECT_GT(report["positions"]["scale"].get<double>(), 0);  // metres onto the units of the file
    EXPECT_EQ(model::frame_count(io::read(out).character.clips[0]), 100u);
    EXPECT_EQ(test::sinew({"clean", in, "-o", out, "--joints", "3", "--to-rotations"}).exit_code, 2)
        << "no skeleton was named";
}

}  // namespace
}  // namespace sinew
