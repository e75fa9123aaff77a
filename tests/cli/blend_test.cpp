// SPDX-License-Identifier: MIT
// Several motions into one, as a user does it.

#include <sstream>

#include "command.h"
#include <gtest/gtest.h>

namespace sinew {
namespace {

using test::sinew_report;
using test::TemporaryFolder;

/// A pole that goes along z at a metre a second for a second; its joint bends by `bend` degrees.
std::string pole_bvh(double bend) {
    std::string text =
        "HIERARCHY\nROOT Hips\n{\n OFFSET 0 0 0\n CHANNELS 6 Xposition Yposition Zposition Zrotation "
        "Xrotation "
        "Yrotation\n JOINT Spine\n {\n  OFFSET 0 1 0\n  CHANNELS 3 Zrotation Xrotation Yrotation\n  End "
        "Site\n  "
        "{\n   OFFSET 0 0.7 0\n  }\n }\n}\nMOTION\nFrames: 11\nFrame Time: 0.1\n";
    for (int f = 0; f <= 10; ++f) text += fmt::format("0 0 {} 0 0 0 0 {} 0\n", 0.1 * f, bend);
    return text;
}

TEST(BlendVerb, JoinsMixesAndLayersFiles) {
    const TemporaryFolder folder;
    const std::string a = (folder / "a.bvh").string(), b = (folder / "b.bvh").string(),
                      out = (folder / "out.bvh").string();
    test::write_text(a, pole_bvh(0));
    test::write_text(b, pole_bvh(40));
    Json report = sinew_report({"blend", a, b, a, "-o", out, "--fade", "0.2", "--units", "m"});
    EXPECT_EQ(report["frames"], 27);
    EXPECT_NEAR(report["duration"].get<double>(), 2.6, 1e-4);
    EXPECT_EQ(report["parts"], 3);
    ASSERT_EQ(report["part_list"].size(), 3u);
    EXPECT_NEAR(report["part_list"][1]["start"].get<double>(), 0.8, 1e-6);
    const std::string motion = test::read_text(out);
    std::istringstream last(motion.substr(motion.rfind('\n', motion.size() - 2) + 1));
    double x = 0, y = 0, z = 0;
    last >> x >> y >> z;
    EXPECT_NEAR(z, 2.6, 1e-3) << last.str();

    report = sinew_report({"blend", a, b, "-o", out, "--weight", "0.25", "--fps", "20", "--units", "m"});
    EXPECT_EQ(report["frames"], 21);
    report = sinew_report({"blend", a, b, "-o", out, "--layer", "Spine", "--units", "m"});
    EXPECT_EQ(report["frames"], 11);
}

TEST(BlendVerb, AListOfShotsMakesOneMotion) {
    const TemporaryFolder folder;
    const std::string list = (folder / "show.json").string(), out = (folder / "show.glb").string();
    test::write_text(folder / "a.bvh", pole_bvh(0));
    test::write_text(list, R"({"production": "Morning", "rate": 10, "fade": 0.2, "sequences": [
        {"sequence": "One", "shots": [{"file": "a.bvh", "repeat": 2}, {"file": "a.bvh", "end": 0.5}]},
        {"sequence": "Two", "shots": [{"shot": "door", "file": "a.bvh", "clip": 0}]}]})");
    Json report = sinew_report({"blend", list, "-o", out});
    EXPECT_EQ(report["production"], "Morning");
    ASSERT_EQ(report["shots"].size(), 3u);
    EXPECT_EQ(report["shots"][2]["sequence"], "Two");
    EXPECT_NEAR(report["duration"].get<double>(), 1 + 0.8 + 0.3 + 0.8, 1e-4);
    EXPECT_EQ(sinew_report({"info", out})["clip_list"][0]["name"], "Morning");
    report = sinew_report({"blend", list, "-o", out, "--sequence", "two"});
    EXPECT_EQ(report["frames"], 11);
}

TEST(BlendVerb, SaysWhatIsWrongAndWhere) {
    const TemporaryFolder folder;
    const std::string a = (folder / "a.bvh").string(), list = (folder / "show.json").string(),
                      out = (folder / "out.bvh").string();
    test::write_text(a, pole_bvh(0));
    const auto said = [&](std::vector<std::string> words, const std::string& expected) {
        words.insert(words.begin(), "blend");
        words.insert(words.end(), {"-o", out});
        const test::CommandResult result = test::sinew(words);
        EXPECT_EQ(result.exit_code, result.err.find("error: --") == std::string::npos ? 1 : 2);
        EXPECT_NE(result.err.find(expected), std::string::npos) << result.err;
    };
    said({a}, "two motions make a blend");
    said({a, a, "--fade", "2"}, "shorten a fade");
    said({a, a, "--layer", "Leg"}, "the skeleton has no joint \"Leg\"");
    said({a, a, "--shot", "1"}, "choose from a list of shots");
    said({a + "@run", a}, a + ": ");
    test::write_text(list, "{\"sequences\":\n [{\"shots\": [{\"file\": \"gone.bvh\"}]}]}");
    said({list}, list + ": /sequences/0/shots/0: ");
    said({list, "--fade", "1"}, list + " defines the transitions");
    test::write_text(list, "{\"sequences\":\n [{]}");
    said({list}, list + ":2: this is not valid JSON");
    EXPECT_FALSE(std::filesystem::exists(out));
}

}  // namespace
}  // namespace sinew
