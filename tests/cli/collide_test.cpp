// SPDX-License-Identifier: MIT
// Contacts through the program.

#include "command.h"
#include "support/shapes.h"
#include <gtest/gtest.h>

#include "sinew/base/file.h"
#include "sinew/io/io.h"

namespace sinew {
namespace {

using test::sinew_report;
using test::TemporaryFolder;

TEST(Collide, ReportsContactsOfEveryFrame) {
    const TemporaryFolder folder;
    const std::string horse = (folder / "horse.glb").string(), tube = (folder / "tube.glb").string(),
                      out = (folder / "contacts.csv").string();
    sinew_report({"sample", "horse", "--faces", "1500", "-o", horse});
    sinew_report({"sample", "tube", "-o", tube});
    const Json report = sinew_report({"collide", horse, tube, "--move", "0,0.6,0", "-o", out});
    ASSERT_GT(report["frame_list"].size(), 10u);
    std::size_t contacts = 0;
    for (const Json& row : report["frame_list"]) {
        contacts += row["contacts"].get<std::size_t>();
        EXPECT_TRUE(row.contains("sphere_tests") && row.contains("refits") && row.contains("seconds"));
    }
    EXPECT_GT(contacts, 0u);
    EXPECT_GT(report["spheres"].get<int>(), 10);
    const std::string text(FileView(out).text());
    EXPECT_EQ(static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')), contacts + 1);
    for (const char* method : {"sbs", "dqs"}) {
        const Json demand =
            sinew_report({"collide", horse, tube, "--method", method, "--move", "0,0.6,0", "--frame", "3"});
        const Json all = sinew_report({"collide", horse, tube, "--method", method, "--move", "0,0.6,0",
                                       "--frame", "3", "--refit", "bottom-up"});
        EXPECT_EQ(demand["frame_list"][0]["contacts"], all["frame_list"][0]["contacts"]);
        EXPECT_LE(demand["frame_list"][0]["refits"].get<int>(), all["frame_list"][0]["refits"].get<int>());
    }
    const Json far = sinew_report({"collide", horse, tube, "--first", "--move", "9,0,0"});
    for (const Json& row : far["frame_list"]) EXPECT_EQ(row["contacts"], 0);
}

TEST(Collide, DrawsContactsAndMeasuresLevels) {
    const TemporaryFolder folder;
    const std::string tube = (folder / "tube.glb").string(), out = (folder / "self.png").string();
    sinew_report({"sample", "tube", "-o", tube});
    const Json report = sinew_report({"collide", tube, "--frame", "5", "-o", out, "--levels"});
    EXPECT_TRUE(std::filesystem::exists(out));
    EXPECT_GT(report["tree"]["leaves"].get<int>(), 1);
    EXPECT_EQ(report["tree"]["radius_by_level"].size(), report["levels"].size());
    ASSERT_GT(report["levels"].size(), 2u);
    EXPECT_GE(report["levels"][2]["on_demand"].get<double>(), report["levels"][2]["best"].get<double>());
    const std::string methods = (folder / "methods.png").string();
    sinew_report({"collide", tube, "--frame", "5", "-o", methods, "--methods", "--level", "2"});
    EXPECT_GT(std::filesystem::file_size(methods), 10000u);
}

TEST(Collide, RenderDrawsContactsOfTwoBodiesAndOfOne) {
    const TemporaryFolder folder;
    const std::string tube = (folder / "tube.glb").string(), out = (folder / "touch.png").string(),
                      alone = (folder / "alone.png").string();
    sinew_report({"sample", "tube", "-o", tube});
    const Json report =
        sinew_report({"render", tube, tube, "--contacts", "--level", "2", "--move", "0.02,0,0", "--method",
                      "lbs", "--frame", "5", "--size", "320x240", "-o", out});
    const Json found = sinew_report({"collide", tube, tube, "--move", "0.02,0,0", "--frame", "5"});
    EXPECT_GT(report["contacts"].get<int>(), 0);
    EXPECT_EQ(report["contacts"], found["frame_list"][0]["contacts"]);
    EXPECT_GT(std::filesystem::file_size(out), 10000u);
    sinew_report({"render", tube, "--contacts", "--frame", "5", "--size", "320x240", "-o", alone});
    EXPECT_GT(std::filesystem::file_size(alone), 3000u);
}

TEST(Collide, FindsTheFirstTouchBetweenFrames) {
    const TemporaryFolder folder;
    const std::string horse = (folder / "horse.glb").string(), tube = (folder / "tube.glb").string();
    sinew_report({"sample", "horse", "--faces", "1500", "-o", horse});
    sinew_report({"sample", "tube", "-o", tube});
    const Json frames = sinew_report({"collide", horse, tube, "--move", "0,0.6,2"});
    std::size_t first = 0;
    while (first < frames["frame_list"].size() && frames["frame_list"][first]["contacts"] == 0) ++first;
    ASSERT_GT(first, 0u) << "not before the first frame";
    ASSERT_LT(first, frames["frame_list"].size());
    for (const char* way : {"straight", "screws"}) {
        const Json report = sinew_report({"collide", horse, tube, "--move", "0,0.6,2", "--between", way});
        const Json& touch = report["first_touch"];
        ASSERT_TRUE(touch.is_object()) << way;
        EXPECT_LT(touch["frame"].get<std::size_t>(), first);
        EXPECT_LE(touch["time"].get<double>(), frames["frame_list"][first]["time"].get<double>());
        EXPECT_EQ(report["frame_list"].size(), touch["frame"].get<std::size_t>() + 1);
    }
    const Json far = sinew_report({"collide", horse, tube, "--between", "screws", "--move", "9,0,0"});
    EXPECT_TRUE(far["first_touch"].is_null());
    EXPECT_EQ(far["frame_list"].size(), frames["frame_list"].size() - 1);
}

TEST(Collide, BudgetLimitsTheSearchAndSaysWhatIsKnown) {
    const TemporaryFolder folder;
    const std::string horse = (folder / "horse.glb").string(), tube = (folder / "tube.glb").string();
    sinew_report({"sample", "horse", "--faces", "1500", "-o", horse});
    sinew_report({"sample", "tube", "-o", tube});
    const std::vector<std::string> query{"collide", horse, tube, "--move", "0,0.6,0", "--frame", "3"};
    const auto with_budget = [&](const char* budget) {
        std::vector<std::string> command = query;
        command.insert(command.end(), {"--budget", budget});
        return sinew_report(command)["frame_list"][0];
    };
    const Json all = sinew_report(query)["frame_list"][0], little = with_budget("3"),
               enough = with_budget("100000");
    EXPECT_EQ(enough["contacts"], all["contacts"]);
    EXPECT_EQ(enough["complete"], true);
    EXPECT_EQ(little["complete"], false);
    EXPECT_GT(little["open_pairs"].get<int>(), 0);
    EXPECT_GT(little["precision"].get<double>(), 0);
    EXPECT_LT(little["sphere_tests"].get<int>(), all["sphere_tests"].get<int>());
    EXPECT_EQ(little["distance"][0], 0);
}

TEST(Collide, MorphsCount) {
    const TemporaryFolder folder;
    const std::string reaching = (folder / "reaching.glb").string(), wall = (folder / "wall.obj").string();
    model::Character character;
    character.mesh = test::cube();
    // From 1 to 2 metres of width within a second, while the wall begins at 1 metre from the middle.
    geometry::Morph reach{"reach", 0, {}, {}, 0};
    for (const math::Vec3f& p : character.mesh.positions) reach.positions.emplace_back(p.x(), 0.0f, 0.0f);
    character.mesh.morphs = {reach};
    model::MorphTrack track;
    track.weight.times = model::KeyTimes::even(0, 0.1, 11);
    for (int k = 0; k <= 10; ++k) track.weight.values.push_back(0.12f * static_cast<float>(k));
    character.clips.push_back({"reaching", {}, {track}});
    io::write(reaching, character);
    model::Character other;
    other.mesh = test::cube({1.5f, 0.1f, 0.1f});
    io::write(wall, other);
    const Json report = sinew_report({"collide", reaching, wall});
    ASSERT_EQ(report["frame_list"].size(), 11u);
    for (std::size_t f = 0; f < 11; ++f)
        EXPECT_EQ(report["frame_list"][f]["contacts"].get<int>() > 0, f >= 9) << f;
}

}  // namespace
}  // namespace sinew
