// SPDX-License-Identifier: MIT
// What is refused, and that nothing a file claims costs memory or time.

#include <ctime>
#include <fstream>

#include "support/sanitizer.h"
#include <gtest/gtest.h>

#include "sinew/base/error.h"
#include "sinew/io/bvh/bvh.h"

namespace sinew::io {
namespace bvh_limits_test {

using math::Vec3d;

std::string error_of(std::string_view text) {
    try {
        read_bvh(as_bytes(text), "test.bvh", {}, silent());
    } catch (const Error& error) {
        return error.what();
    }
    return "no error";
}

std::string chain(int depth) {
    std::string text = "HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 0\n";
    for (int i = 1; i < depth; ++i) text += "JOINT j" + std::to_string(i) + "\n{\nOFFSET 0 1 0\nCHANNELS 0\n";
    for (int i = 0; i < depth; ++i) text += "}\n";
    return text;
}

TEST(BvhErrors, SayWhereAndWhy) {
    EXPECT_EQ(error_of(""), "test.bvh: the file is empty");
    EXPECT_EQ(error_of("solid cube"), "test.bvh:1: expected HIERARCHY, found \"solid\"");
    EXPECT_EQ(error_of("HIERARCHY\nJOINT a"), "test.bvh:2: expected ROOT or MOTION, found \"JOINT\"");
    EXPECT_EQ(error_of("HIERARCHY\nROOT a\nOFFSET 0 0 0"),
              "test.bvh:3: expected { after \"a\", found \"OFFSET\"");
    EXPECT_EQ(error_of("HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANELS 3"),
              "test.bvh:5: expected CHANNELS, JOINT, End Site or }, found \"CHANELS\"");
    EXPECT_EQ(error_of("HIERARCHY\nROOT a\n{\nOFFSET 0 zero 0\n"),
              "test.bvh:4: expected three numbers after OFFSET, found \"zero\"");
    EXPECT_EQ(error_of("HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nOFFSET 0 0 0\n"),
              "test.bvh:5: a second OFFSET in one joint");
    EXPECT_EQ(error_of("HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nEnd Ste\n{"),
              "test.bvh:5: expected Site after End");
    EXPECT_EQ(
        error_of(
            "HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 2 Xposition Yposition\n}\nMOTION\nFrames: 2\nFrame "
            "Time: 1\n1 x\n3 4\n"),
        "test.bvh:10: expected a number, found \"x\"");
}

TEST(BvhErrors, DepthIsLimited) {
    EXPECT_EQ(error_of(chain(512)), "no error");
    EXPECT_NE(error_of(chain(513)).find("nested deeper than 512"), std::string::npos);
}

TEST(BvhErrors, JointsAreLimited) {
    std::string text = "HIERARCHY\n";
    for (int i = 0; i < 65537; ++i) text += "ROOT r\n{\nOFFSET 0 0 0\nCHANNELS 0\n}\n";
    EXPECT_NE(error_of(text).find("more than 65536 joints"), std::string::npos);
}

TEST(BvhErrors, WordsAreLimited) {
    const std::string head = "HIERARCHY\nROOT ";
    const std::string tail = "\n{\nOFFSET 0 0 0\nCHANNELS 1 Xrotation\n}\nMOTION\nFrames: 2\nFrame Time: 1\n";
    EXPECT_EQ(error_of(head + std::string(4096, 'n') + tail + "1\n2\n"), "no error");
    EXPECT_EQ(error_of(head + std::string(4097, 'n') + tail + "1\n2\n"),
              "test.bvh:2: a name of 4097 bytes; at most 4096 are allowed");
    EXPECT_NE(error_of(head + "a" + tail + std::string(5000, '1') + "\n2\n").find("expected a number"),
              std::string::npos);
    EXPECT_NE(error_of(std::string(5000, 'H')).find("a word of 5000 bytes"), std::string::npos);
}

/// Processor seconds of this process: a machine that is busy with other work does not make a reader slow.
double processor_seconds() {
    return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

/// Peak resident memory since `reset`, in bytes; 0 where the system does not say.
struct PeakMemory {
    bool reset() {
        std::ofstream file("/proc/self/clear_refs");
        return static_cast<bool>(file << "5" << std::flush);
    }
    std::size_t bytes() const {
        std::ifstream status("/proc/self/status");
        for (std::string line; std::getline(status, line);) {
            if (line.starts_with("VmHWM:")) return std::stoull(line.substr(6)) * 1024;
        }
        return 0;
    }
};

/// Reads and checks time and memory against the size of the file.
void expect_cheap(const std::string& text, std::size_t frames) {
    PeakMemory memory;
    const bool measured = memory.reset();
    const std::size_t before = memory.bytes();
    const double start = processor_seconds();
    Collector collector;
    const Asset asset = read_bvh(as_bytes(text), "test.bvh", {}, collector);
    const double seconds = processor_seconds() - start;
    const std::size_t after = memory.bytes();
    ASSERT_EQ(asset.character.clips.empty() ? 0 : model::frame_count(asset.character.clips[0]), frames);
    EXPECT_TRUE(collector.has("bvh-frame-count"));
    if (test::sanitized) return;
    EXPECT_LT(seconds, 2);
    if (measured && before > 0) {
        EXPECT_LT(after - before, 10 * text.size() + (std::size_t{4} << 20));
    }
}

// Test 16 of the specification: a claimed 1e12 frames.
TEST(BvhLimits, HugeFrameCountCostsNothing) {
    std::string text =
        "HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation "
        "Yrotation\n}\n"
        "MOTION\nFrames: 1000000000000\nFrame Time: 0.01\n";
    for (int f = 0; f < 200000; ++f) text += "1.5 2.5 3.5 10.25 20.5 30.75\n";
    expect_cheap(text, 200000);
}

TEST(BvhLimits, ShortestNumbersInOneChannelJoints) {
    std::string text = "HIERARCHY\n";
    for (int j = 0; j < 10; ++j)
        text += "ROOT r" + std::to_string(j) + "\n{\nOFFSET 0 0 0\nCHANNELS 1 Xrotation\n}\n";
    text += "MOTION\nFrames: 700000\nFrame Time: 0.01\n";
    for (int f = 0; f < 200000; ++f) text += "0 1 2 3 4 5 6 7 8 9\n";
    expect_cheap(text, 200000);
}

TEST(BvhLimits, ManyChannelsAndManyShortLines) {
    std::string text = "HIERARCHY\n";
    for (int j = 0; j < 2000; ++j) {
        text +=
            "ROOT r" + std::to_string(j) + "\n{\nOFFSET 0 0 0\nCHANNELS 3 Xrotation Yrotation Zrotation\n}\n";
    }
    text += "MOTION\nFrames: 1000000000\nFrame Time: 0.01\n";
    for (int f = 0; f < 1000000; ++f) text += "0\n";
    expect_cheap(text, 1000000 / 6000);
}

TEST(BvhLimits, ManyWarningsCostNothing) {
    std::string text = "HIERARCHY\n";
    for (int j = 0; j < 60000; ++j) text += "root x y\n{\noffset nan 0 0\nchannels 9 rx\n}\n";
    Collector collector;
    const double start = processor_seconds();
    const Asset asset = read_bvh(as_bytes(text), "test.bvh", {}, collector);
    const double seconds = processor_seconds() - start;
    EXPECT_EQ(asset.character.skeleton.size(), 60000u);
    EXPECT_LT(collector.warnings().size(), 10u);
    if (test::sanitized) return;
    EXPECT_LT(seconds, 2);
}

TEST(BvhLimits, CancelStopsTheReading) {
    struct Stopped : Monitor {
        bool cancelled() const override { return true; }
    } monitor;
    const std::string text =
        "HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 1 Xrotation\n}\nMOTION\nFrames: 1\nFrame Time: "
        "0.01\n1\n";
    EXPECT_THROW(read_bvh(as_bytes(text), "test.bvh", {}, monitor), Cancelled);
}

}  // namespace bvh_limits_test
}  // namespace sinew::io
