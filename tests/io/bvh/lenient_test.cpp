// SPDX-License-Identifier: MIT
// One test for each rule by which a broken file is still read, with the code of its warning.

#include <gtest/gtest.h>

#include "sinew/base/error.h"
#include "sinew/io/bvh/bvh.h"

namespace sinew::io {
namespace bvh_lenient_test {

using math::Vec3d;

/// What was read, and the codes of the warnings in order, joined by spaces.
struct Result {
    Asset asset;
    std::string codes;
    std::vector<Warning> warnings;

    const std::vector<model::Joint>& joints() const { return asset.character.skeleton.joints; }
    std::size_t frames() const {
        return asset.character.clips.empty() ? 0 : model::frame_count(asset.character.clips[0]);
    }
    double step() const { return asset.character.clips.at(0).tracks.at(0).translation.times.step(); }
    Vec3d position(std::size_t frame, std::size_t joint = 0) const {
        const model::Clip& clip = asset.character.clips.at(0);
        return model::joint_positions(
            model::world_matrices(asset.character, &clip, clip.tracks.at(0).translation.times[frame]))[joint];
    }
};

Result read_text(std::string_view text, const ReadOptions& options = {}) {
    Collector collector;
    Result result{read_bvh(as_bytes(text), "test.bvh", options, collector), "", collector.warnings()};
    for (const Warning& warning : collector.warnings()) {
        result.codes += (result.codes.empty() ? "" : " ") + warning.code;
        EXPECT_TRUE(warning.text.starts_with("test.bvh:")) << warning.text;
    }
    model::validate(result.asset.character, "test.bvh");
    return result;
}

std::string error_of(std::string_view text) {
    try {
        read_text(text);
    } catch (const Error& error) {
        return error.what();
    }
    return "no error";
}

/// A root with three position channels.
std::string point(std::string_view motion) {
    return "HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 3 Xposition Yposition Zposition\n}\nMOTION\n" +
           std::string(motion);
}
std::string point_frames(std::string_view rows) {
    return point("Frames: 2\nFrame Time: 0.1\n" + std::string(rows));
}

TEST(BvhLenient, CleanFileHasNoWarnings) {
    const Result result = read_text(point_frames("1 2 3\n4 5 6\n"));
    EXPECT_EQ(result.codes, "");
    EXPECT_EQ(result.frames(), 2u);
    EXPECT_EQ(result.position(1), Vec3d(4, 5, 6));
}

TEST(BvhLenient, KeywordsInAnyCase) {
    const Result result = read_text(
        "hierarchy\nroot a\n{\noffset 0 0 0\nchannels 3 xposition YPOSITION Zposition\nend site\n{\nOffset 1 "
        "0 0\n}\n}\n"
        "Motion\nframes: 1\nframe time: 0.1\n1 2 3\n");
    EXPECT_EQ(result.codes, "bvh-keyword-case");
    EXPECT_EQ(result.position(0), Vec3d(1, 2, 3));
    EXPECT_EQ(result.joints()[0].tip.value(), Vec3d(1, 0, 0));
    EXPECT_NE(result.warnings[0].text.find("times in the file"), std::string::npos);
}

TEST(BvhLenient, AnyWhiteSpace) {
    for (const std::string_view end : {"\n", "\r\n", "\r", "\n\n", "\f\n", "\v\t\n"}) {
        std::string text;
        for (const char c : point_frames("1\t2 \t 3 \n4 5\f6\n\n")) {
            if (c == '\n') {
                text += end;
            } else {
                text += c;
            }
        }
        const Result result = read_text(text);
        EXPECT_EQ(result.codes, "") << testing::PrintToString(end);
        EXPECT_EQ(result.frames(), 2u);
        EXPECT_EQ(result.position(1), Vec3d(4, 5, 6));
    }
}

TEST(BvhLenient, BracesTouchWords) {
    const Result result = read_text(
        "HIERARCHY ROOT a{OFFSET 0 0 0 CHANNELS 3 Xposition Yposition Zposition JOINT b{OFFSET 1 1 1 "
        "CHANNELS 0}End Site{OFFSET 1 "
        "2 3}}MOTION Frames: 1 Frame Time: 0.1 1 2 3");
    EXPECT_EQ(result.codes, "");
    ASSERT_EQ(result.joints().size(), 2u);
    EXPECT_EQ(result.joints()[0].tip.value(), Vec3d(1, 2, 3));
    EXPECT_EQ(result.position(0, 1), Vec3d(2, 3, 4));
}

TEST(BvhLenient, Utf8ByteOrderMarkIsSkipped) {
    EXPECT_EQ(read_text("\xEF\xBB\xBF" + point_frames("1 2 3\n4 5 6\n")).codes, "");
}

TEST(BvhLenient, Utf16IsConverted) {
    for (const bool little : {true, false}) {
        std::string text = little ? "\xFF\xFE" : "\xFE\xFF";
        for (const char c : point_frames("1 2 3\n4 5 6\n")) {
            text += little ? std::string{c, '\0'} : std::string{'\0', c};
        }
        const Result result = read_text(text);
        EXPECT_EQ(result.codes, "bvh-utf16");
        EXPECT_EQ(result.position(1), Vec3d(4, 5, 6));
    }
}

std::string named(std::string_view root, std::string_view joint) {
    return "HIERARCHY\nROOT " + std::string(root) + "\n{\nOFFSET 0 0 0\nCHANNELS 0\nJOINT " +
           std::string(joint) +
           "\n{\nOFFSET 0 0 0\nCHANNELS 3 Xposition Yposition Zposition\n}\n}\nMOTION\nFrames: 1\nFrame "
           "Time: 0.1\n1 2 3\n";
}

TEST(BvhLenient, NamesMayHoldSpacesColonsAndDots) {
    const Result result = read_text(named("  ns:Left Up.Leg \t", "b"));
    EXPECT_EQ(result.codes, "bvh-name-space");
    EXPECT_EQ(result.joints()[0].name, "ns:Left Up.Leg");
    EXPECT_EQ(read_text(named("mixamorig:Hips", "hand.L")).codes, "");
}

TEST(BvhLenient, EmptyNameIsNumbered) {
    const Result result = read_text(named("a", ""));
    EXPECT_EQ(result.codes, "bvh-empty-name");
    EXPECT_EQ(result.joints()[1].name, "joint_1");
}

TEST(BvhLenient, DuplicateNameIsNumbered) {
    const Result result = read_text(named("Arm", "Arm"));
    EXPECT_EQ(result.codes, "bvh-duplicate-name");
    EXPECT_EQ(result.joints()[1].name, "Arm_2");
    EXPECT_NE(result.warnings[0].text.find(":7:"), std::string::npos) << result.warnings[0].text;
}

TEST(BvhLenient, EndSiteNameIsDropped) {
    const Result result = read_text(
        "HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 3 Xposition Yposition Zposition\nEnd Site Toe "
        "Tip\n{\nOFFSET 1 2 3\n}\n}\n"
        "MOTION\nFrames: 1\nFrame Time: 0.1\n1 2 3\n");
    EXPECT_EQ(result.codes, "");
    EXPECT_EQ(result.joints().size(), 1u);
    EXPECT_EQ(result.joints()[0].tip.value(), Vec3d(1, 2, 3));
}

std::string with_channels(std::string_view channels, std::string_view row) {
    return "HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS " + std::string(channels) +
           "\nEnd Site\n{\nOFFSET 0 0 0\n}\n}\nMOTION\nFrames: 1\nFrame Time: 0.1\n" + std::string(row) +
           "\n";
}

/// The channels put the joint at (1, 2, 3) and are remarked upon by these codes.
void expect_place(const std::string& channels, const std::string& numbers, const std::string& codes) {
    const Result result = read_text(with_channels(channels, numbers));
    EXPECT_EQ(result.codes, codes) << channels;
    EXPECT_EQ(result.position(0), Vec3d(1, 2, 3)) << channels;
}

TEST(BvhLenient, ChannelAliases) {
    expect_place("3 Xpos Ypos Zpos", "1 2 3", "bvh-channel-alias");
    expect_place("3 tx ty tz", "1 2 3", "bvh-channel-alias");
    expect_place("6 tx ty tz rx ry rz", "1 2 3 0 0 0", "bvh-channel-alias");
    expect_place("6 xpos ypos zpos xrot yrot zrot", "1 2 3 0 0 0", "bvh-channel-alias");
}

TEST(BvhLenient, UnknownChannelIsConsumed) {
    expect_place("4 Xposition Wobble Yposition Zposition", "1 99 2 3", "bvh-unknown-channel");
}

TEST(BvhLenient, ScaleChannelIsConsumed) {
    expect_place("4 Xposition Yposition Zposition Xscale", "1 2 3 1", "bvh-scale-channel");
}

TEST(BvhLenient, ChannelCountGivesWayToTheNames) {
    for (const char* count : {"6 ", "2 ", "", "99999999999 "}) {
        expect_place(count + std::string("Xposition Yposition Zposition"), "1 2 3", "bvh-channel-count");
    }
}

TEST(BvhLenient, ChannelsMaySpanLines) {
    expect_place("3 Xposition\n  Yposition\n  Zposition", "1 2 3", "");
}

TEST(BvhLenient, RepeatedPositionAxisIsIgnored) {
    expect_place("4 Xposition Yposition Zposition Xposition", "1 2 3 9", "bvh-repeated-position");
}

TEST(BvhLenient, MissingPositionAxisKeepsOffset) {
    const Result result = read_text(
        "HIERARCHY\nROOT a\n{\nOFFSET 7 8 9\nCHANNELS 1 Yposition\n}\nMOTION\nFrames: 1\nFrame Time: "
        "0.1\n8.5\n");
    EXPECT_EQ(result.codes, "bvh-position-convention");
    EXPECT_EQ(result.position(0), Vec3d(7, 8.5, 9));
}

TEST(BvhLenient, MissingChannelsAreNone) {
    const Result result = read_text(
        "HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 3 Xposition Yposition Zposition\nJOINT b\n{\nOFFSET 1 "
        "0 0\n}\n}\n"
        "MOTION\nFrames: 1\nFrame Time: 0.1\n1 2 3\n");
    EXPECT_EQ(result.codes, "bvh-no-channels");
    EXPECT_EQ(result.position(0, 1), Vec3d(2, 2, 3));
}

TEST(BvhLenient, MissingOffsetIsZero) {
    const Result result = read_text(
        "HIERARCHY\nROOT a\n{\nCHANNELS 3 Xposition Yposition Zposition\n}\nMOTION\nFrames: 1\nFrame Time: "
        "0.1\n1 2 3\n");
    EXPECT_EQ(result.codes, "bvh-no-offset");
    EXPECT_EQ(result.joints()[0].rest.translation, Vec3d(0, 0, 0));
}

TEST(BvhLenient, NumbersInEveryForm) {
    const Result result = read_text(point_frames("+1.5 2e0 -3.25E-1\n.5 5. 1e+2\n"));
    EXPECT_EQ(result.codes, "");
    EXPECT_EQ(result.position(0), Vec3d(1.5, 2, -0.325f));
    EXPECT_EQ(result.position(1), Vec3d(0.5, 5, 100));
}

TEST(BvhLenient, CommaDecimalsWhenThereIsNoPoint) {
    const std::string text =
        "HIERARCHY\nROOT a,b\n{\nOFFSET 0,0 0 0\nCHANNELS 3 Xposition Yposition "
        "Zposition\n}\nMOTION\nFrames: 1\n"
        "Frame Time: 0,25\n1,5 -2,25 3\n";
    const Result result = read_text(text);
    EXPECT_EQ(result.codes, "bvh-comma-decimal");
    EXPECT_EQ(result.position(0), Vec3d(1.5, -2.25, 3));
    EXPECT_EQ(result.step(), 0.25);
    EXPECT_EQ(result.joints()[0].name, "a,b");
    EXPECT_EQ(error_of(point_frames("1.5 2,5 3\n4 5 6\n")), "test.bvh:10: expected a number, found \"2,5\"");
}

TEST(BvhLenient, BrokenNumbersRepeatTheFrameBefore) {
    for (const char* broken :
         {"nan", "NaN", "-nan(ind)", "inf", "-Infinity", "1.#QNAN", "-1.#IND", "1.#INF", "1e999", "1e30"}) {
        const Result result = read_text(point_frames("1 2 3\n4 " + std::string(broken) + " 6\n"));
        EXPECT_EQ(result.codes, "bvh-bad-number") << broken;
        EXPECT_EQ(result.position(1), Vec3d(4, 2, 6)) << broken;
    }
}

TEST(BvhLenient, BrokenNumbersOfTheFirstFrameAreTheRestPose) {
    const std::string head =
        "HIERARCHY\nROOT a\n{\nOFFSET 1 10 3\nCHANNELS 3 Xposition Yposition Zposition\n}\nMOTION\n";
    // Near the rest height: positions replace OFFSET, so the rest value is OFFSET.
    const Result near = read_text(head + "Frames: 3\nFrame Time: 0.1\nnan 10 4\nnan 11 4\nnan 12 4\n");
    EXPECT_EQ(near.position(2), Vec3d(1, 12, 4));
    // Far from it: they are added, so the rest value is zero.
    const Result far = read_text(head + "Frames: 3\nFrame Time: 0.1\nnan 0 4\nnan 1 4\nnan 2 4\n");
    EXPECT_EQ(far.position(2), Vec3d(1, 12, 7));
}

TEST(BvhLenient, BrokenNumbersAreCarriedOverManyFrames) {
    std::string rows = "1 2 3\n";
    for (int f = 1; f < 5000; ++f) rows += "nan " + std::to_string(f) + " 3\n";
    const Result result = read_text(point("Frames: 5000\nFrame Time: 0.1\n" + rows));
    EXPECT_EQ(result.frames(), 5000u);
    EXPECT_EQ(result.position(4999), Vec3d(1, 4999, 3));
    EXPECT_NE(result.warnings.at(0).text.find("4999 numbers"), std::string::npos);
}

TEST(BvhLenient, FramesIsObeyed) {
    const Result result = read_text(point("Frames: 2\nFrame Time: 0.1\n1 2 3\n4 5 6\n7 8 9\n1 1 1\n"));
    EXPECT_EQ(result.codes, "bvh-frame-count");
    EXPECT_NE(result.warnings.at(0).text.find("says 2, but there are 4"), std::string::npos);
    EXPECT_EQ(result.frames(), 2u);
    EXPECT_EQ(result.position(1), Vec3d(4, 5, 6));
}

TEST(BvhLenient, FramesThatCannotBeAreNotBelieved) {
    for (const char* claim : {"7", "1e12", "1000000000000", "0", "-5", "many", "2.5"}) {
        const Result result =
            read_text(point("Frames: " + std::string(claim) + "\nFrame Time: 0.1\n1 2 3\n4 5 6\n"));
        EXPECT_EQ(result.codes, "bvh-frame-count") << claim;
        EXPECT_EQ(result.frames(), 2u) << claim;
    }
}

TEST(BvhLenient, MissingFramesLine) {
    const Result result = read_text(point("Frame Time: 0.1\n1 2 3\n4 5 6\n"));
    EXPECT_EQ(result.codes, "bvh-frame-count");
    EXPECT_EQ(result.frames(), 2u);
}

TEST(BvhLenient, FramesMaySpanLines) {
    const Result result = read_text(point_frames("1 2\n3 4 5\n6\n"));
    EXPECT_EQ(result.codes, "");
    EXPECT_EQ(result.position(1), Vec3d(4, 5, 6));
}

TEST(BvhLenient, PartialFrameIsDropped) {
    const Result result = read_text(point("Frames: 3\nFrame Time: 0.1\n1 2 3\n4 5 6\n7 8"));
    EXPECT_EQ(result.codes, "bvh-partial-frame bvh-frame-count");
    EXPECT_EQ(result.frames(), 2u);
}

TEST(BvhLenient, TornNumberIsDropped) {
    const Result result = read_text(point("Frames: 2\nFrame Time: 0.1\n1 2 3\n4 5 -"));
    EXPECT_EQ(result.codes, "bvh-torn-end bvh-partial-frame bvh-frame-count");
    EXPECT_EQ(result.frames(), 1u);
}

TEST(BvhLenient, SurplusIsIgnored) {
    const Result result = read_text(point_frames("1 2 3 4 5 6\n7 8 9\n"));
    EXPECT_EQ(result.codes, "bvh-surplus-data");
    EXPECT_EQ(result.frames(), 2u);
    EXPECT_EQ(result.position(1), Vec3d(4, 5, 6));
}

TEST(BvhLenient, NoFramesIsASkeleton) {
    const Result none = read_text(point("Frames: 0\nFrame Time: 0.1\n"));
    EXPECT_EQ(none.codes, "bvh-no-frames");
    EXPECT_EQ(none.joints().size(), 1u);
    EXPECT_TRUE(none.asset.character.clips.empty());
    EXPECT_EQ(read_text(point("Frames: 5\nFrame Time: 0.1\n")).codes, "bvh-frame-count bvh-no-frames");
    EXPECT_EQ(read_text(with_channels("0", "")).codes, "bvh-no-frames");
}

TEST(BvhLenient, FrameTimeIsRepaired) {
    for (const char* time : {"0", "-0.1", "nan", "inf", "", "fast", "1e-300", "1e300"}) {
        const Result result = read_text(point("Frames: 1\nFrame Time: " + std::string(time) + "\n1 2 3\n"));
        EXPECT_EQ(result.codes, "bvh-frame-time") << time;
        EXPECT_EQ(result.step(), 1.0 / 30) << time;
    }
    const Result missing = read_text(point("Frames: 1\n1 2 3\n"));
    EXPECT_EQ(missing.codes, "bvh-frame-time");
    EXPECT_EQ(missing.step(), 1.0 / 30);
}

TEST(BvhLenient, FrameTimeInFramesASecond) {
    for (const double rate : {10.0, 60.0, 119.88, 1000.0}) {
        const Result result = read_text(point(fmt::format("Frames: 1\nFrame Time: {}\n1 2 3\n", rate)));
        EXPECT_EQ(result.codes, "bvh-frame-time-fps");
        EXPECT_EQ(result.step(), 1 / rate);
    }
}

TEST(BvhLenient, FrameTimeSnapsToWholeRates) {
    struct Case {
        const char* text;
        double step;
        const char* codes;
    };
    for (const Case& c :
         {Case{"0.0083333", 1.0 / 120, ""}, Case{".008333", 1.0 / 120, ""}, Case{"0.016666", 1.0 / 60, ""},
          Case{"0.0333333", 1.0 / 30, ""}, Case{"0.00833333377", 1.0 / 120, ""}, Case{"0.04", 0.04, ""},
          Case{"0.008335", 1.0 / 120, "bvh-frame-time"}, Case{"0.0083416750", 0.0083416750, ""},
          Case{"0.0333667", 0.0333667, ""}, Case{"0.3", 0.3, ""}, Case{"2", 2, ""}}) {
        for (const char* label : {"Frame Time:", "FrameTime:", "Frame Time :"}) {
            const Result result = read_text(point(fmt::format("Frames: 1\n{} {}\n1 2 3\n", label, c.text)));
            EXPECT_EQ(result.codes, c.codes) << c.text;
            EXPECT_EQ(result.step(), c.step) << c.text;
        }
    }
}

TEST(BvhLenient, MotionLabelsWithoutColon) {
    const Result result = read_text(point("Frames 2\nFrame Time 0.1\n1 2 3\n4 5 6\n"));
    EXPECT_EQ(result.codes, "bvh-no-colon");
    EXPECT_EQ(result.frames(), 2u);
}

TEST(BvhLenient, NoMotionIsASkeleton) {
    const Result result =
        read_text("HIERARCHY\nROOT a\n{\nOFFSET 1 2 3\nCHANNELS 3 Xrotation Yrotation Zrotation\n}\n");
    EXPECT_EQ(result.codes, "bvh-no-motion");
    EXPECT_EQ(result.joints().at(0).rest.translation, Vec3d(1, 2, 3));
    EXPECT_TRUE(result.asset.character.clips.empty());
}

TEST(BvhLenient, NoJoints) {
    const Result result = read_text("HIERARCHY\nMOTION\nFrames: 0\nFrame Time: 0.1\n");
    EXPECT_EQ(result.codes, "bvh-no-joints bvh-no-frames");
    EXPECT_TRUE(result.joints().empty());
}

TEST(BvhLenient, MissingBracesAreClosedUpToDepthTwo) {
    const std::string head = "HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 3 Xposition Yposition Zposition\n";
    const std::string joint = "JOINT b\n{\nOFFSET 1 0 0\nCHANNELS 0\n";
    const std::string motion = "MOTION\nFrames: 1\nFrame Time: 0.1\n1 2 3\n";
    EXPECT_EQ(read_text(head + motion).codes, "bvh-missing-brace");
    const Result two = read_text(head + joint + motion);
    EXPECT_EQ(two.codes, "bvh-missing-brace");
    EXPECT_EQ(two.position(0, 1), Vec3d(2, 2, 3));
    EXPECT_EQ(read_text(head).codes, "bvh-missing-brace bvh-no-motion");
    EXPECT_EQ(error_of(head + joint + joint + motion), "test.bvh:14: 3 braces are not closed before MOTION");
}

TEST(BvhLenient, ExtraBraceIsIgnored) {
    std::string text = point_frames("1 2 3\n4 5 6\n");
    text.insert(text.find("MOTION"), "}\n");
    EXPECT_EQ(read_text(text).codes, "bvh-extra-brace");
}

TEST(BvhLenient, JointInsideEndSiteMakesItAJoint) {
    const Result result = read_text(
        "HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 3 Xposition Yposition Zposition\nEnd Site\n{\nOFFSET 1 "
        "0 0\nJOINT c\n{\n"
        "OFFSET 0 1 0\nCHANNELS 0\n}\n}\n}\nMOTION\nFrames: 1\nFrame Time: 0.1\n1 2 3\n");
    EXPECT_EQ(result.codes, "bvh-joint-in-end-site bvh-empty-name bvh-no-channels");
    ASSERT_EQ(result.joints().size(), 3u);
    EXPECT_EQ(result.joints()[2].parent, 1);
    EXPECT_EQ(result.position(0, 2), Vec3d(2, 3, 3));
    EXPECT_FALSE(result.joints()[0].tip.has_value());
}

TEST(BvhLenient, SecondEndSiteIsLeftOut) {
    const Result result = read_text(
        "HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 3 Xposition Yposition Zposition\nEnd Site\n{\nOFFSET 1 "
        "0 0\n}\n"
        "End Site\n{\nOFFSET 2 0 0\n}\n}\nMOTION\nFrames: 1\nFrame Time: 0.1\n1 2 3\n");
    EXPECT_EQ(result.codes, "bvh-extra-end-site");
    EXPECT_EQ(result.joints()[0].tip.value(), Vec3d(1, 0, 0));
}

TEST(BvhLenient, BadOffsetIsZero) {
    const Result result = read_text(
        "HIERARCHY\nROOT a\n{\nOFFSET 1 nan 1.#INF\nCHANNELS 3 Xposition Yposition Zposition\n}\n"
        "MOTION\nFrames: 1\nFrame Time: 0.1\n1 2 3\n");
    EXPECT_EQ(result.codes, "bvh-bad-number");
    EXPECT_EQ(result.joints()[0].rest.translation, Vec3d(1, 0, 0));
}

}  // namespace bvh_lenient_test
}  // namespace sinew::io
