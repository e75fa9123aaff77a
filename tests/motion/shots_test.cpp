// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "sinew/base/error.h"
#include "sinew/motion/edit.h"

namespace sinew::motion {
namespace shots_test {

constexpr const char* morning = R"({"production": "Morning", "rate": 10, "rig": "man.glb", "fade": 0.2,
 "sequences": [
  {"sequence": "Street", "fade": 0.4, "match_steps": true, "shots": [
    {"file": "walk.bvh", "start": 1, "end": 3},
    {"file": "moves.glb", "clip": "run", "fade": 0.5, "repeat": 2, "match_steps": false}]},
  {"sequence": "Home", "shots": [{"shot": "door", "file": "open.bvh", "align": false}]}]})";

std::string refusal(std::string_view json) {
    try {
        parse_production(json, "show.json");
    } catch (const Error& error) {
        return error.what();
    }
    return "";
}

/// One joint that is at z = `from` + time.
model::Clip ramp(double from, double seconds) {
    model::Clip clip;
    clip.tracks.resize(1);
    clip.tracks[0].translation = {
        model::KeyTimes::even(0, seconds, 2),
        {math::Vec3f(0, 0, static_cast<float>(from)), math::Vec3f(0, 0, static_cast<float>(from + seconds))}};
    return clip;
}

TEST(Shots, WhatIsSaidOutsideHoldsInsideUntilSomethingElseIsSaid) {
    const Production production = parse_production(morning, "show.json");
    EXPECT_EQ(production.name, "Morning");
    EXPECT_EQ(production.rig, "man.glb");
    EXPECT_EQ(production.rate, 10);
    ASSERT_EQ(production.sequences.size(), 2u);
    const std::vector<Shot>& street = production.sequences[0].shots;
    ASSERT_EQ(street.size(), 2u);
    EXPECT_EQ(street[0].name, "10");
    EXPECT_EQ(street[1].name, "20");
    EXPECT_EQ(street[0].fade, 0.4);
    EXPECT_EQ(street[1].fade, 0.5);
    EXPECT_TRUE(street[0].match_steps && !street[1].match_steps);
    EXPECT_EQ(street[1].clip, "run");
    EXPECT_EQ(street[1].repeat, 2);
    EXPECT_EQ(street[0].start, 1);
    EXPECT_FALSE(street[1].start);
    const Shot& door = production.sequences[1].shots[0];
    EXPECT_EQ(door.name, "door");
    EXPECT_EQ(door.fade, 0.2);
    EXPECT_TRUE(!door.align && !door.match_steps && street[0].align);
    EXPECT_EQ(door.location, "show.json: /sequences/1/shots/0");
}

TEST(Shots, ErrorsSayWhere) {
    EXPECT_EQ(refusal("{\"production\": \"x\",\n\"rate\": }"),
              "show.json:2: this is not valid JSON, here or just before");
    EXPECT_EQ(refusal("[]"), "show.json: expected an object in braces");
    EXPECT_EQ(refusal("{}"), "show.json: \"sequences\" must be a list with at least one entry");
    const auto shot = [](const char* text) {
        return refusal(fmt::format(R"({{"sequences": [{{"shots": [{{"file": "a.bvh"}}, {}]}}]}})", text));
    };
    const std::string place = "show.json: /sequences/0/shots/1: ";
    EXPECT_EQ(shot("{}"), place + "the shot names no \"file\"");
    EXPECT_EQ(shot(R"({"file": [[1]]})"), place + "\"file\" must be text, but is an array");
    EXPECT_EQ(shot(R"({"file": "a", "fade": -1})"),
              place + "\"fade\" must be a number from 0 to 3600, but is -1");
    EXPECT_EQ(shot(R"({"file": "a", "start": 2, "end": 2})"),
              place + "the shot ends at 2 s, not after its start at 2 s");
    EXPECT_EQ(shot(R"({"file": "a", "repeat": 1.5})"),
              place + "\"repeat\" must be a whole number, but is 1.5");
    EXPECT_EQ(shot(R"({"file": "a", "align": 1})"), place + "\"align\" must be true or false, but is 1");
    Collector collector;
    parse_production(R"({"sequences": [{"shots": [{"file": "a", "fadde": 1}]}]})", "show.json", collector);
    ASSERT_TRUE(collector.has("shots-unknown-key"));
    EXPECT_NE(collector.warnings()[0].text.find("/sequences/0/shots/0: \"fadde\""), std::string::npos);
}

TEST(Shots, SequencesAndShotsAreChosenByName) {
    const Production all = parse_production(morning, "show.json");
    EXPECT_EQ(selected(all, "", "").sequences.size(), 2u);
    const Production home = selected(all, "home", "");
    ASSERT_EQ(home.sequences.size(), 1u);
    EXPECT_EQ(home.sequences[0].shots[0].name, "door");
    EXPECT_EQ(selected(all, "", "20").sequences[0].shots.size(), 1u);
    const auto said = [&](const char* sequence, const char* shot) -> std::string {
        try {
            selected(all, sequence, shot);
        } catch (const Error& error) {
            return error.what();
        }
        return "";
    };
    EXPECT_EQ(said("Roof", ""), "Morning: has no sequence \"Roof\"; there are Street, Home");
    EXPECT_EQ(said("Street", "door"), "Morning: has no shot \"door\"; there are 10, 20");
}

TEST(Shots, AProductionIsItsShotsInOrder) {
    model::Skeleton skeleton;
    skeleton.joints.push_back({"root", -1, {}, {}});
    const Production production = parse_production(morning, "show.json");
    std::vector<std::string> asked;
    Collector collector;
    const Produced result = produce(
        production, skeleton,
        [&](const Shot& shot) {
            asked.push_back(shot.file);
            return shot.file == "walk.bvh" ? ramp(100, 5) : ramp(-3, 2);
        },
        {}, collector);
    EXPECT_EQ(asked, (std::vector<std::string>{"walk.bvh", "moves.glb", "open.bvh"}));
    EXPECT_EQ(result.clip.name, "Morning");
    // 2 s of the walk, twice 2 s of the run with fades of 0.5 s, 2 s of the door with one of 0.2 s.
    EXPECT_NEAR(model::time_range(result.clip).end, 2 + 1.5 + 1.5 + 1.8, 1e-6);
    EXPECT_EQ(model::frame_count(result.clip), 69u);
    ASSERT_EQ(result.shots.size(), 3u);
    EXPECT_NEAR(result.shots[1].start, 1.5, 1e-9);
    EXPECT_NEAR(result.shots[1].end, 5, 1e-9);
    EXPECT_NEAR(result.shots[2].start, 4.8, 1e-9);
    const auto z = [&](double time) { return model::sample(result.clip.tracks[0].translation, time).z(); };
    for (const double t : {0.0, 1.5, 1.8, 3.2, 4.8}) EXPECT_NEAR(z(t), 101 + t, 1e-4) << t;
    EXPECT_NEAR(z(6.8), -1, 1e-4);  // the door stays where its file has it
    Production beyond = production;
    beyond.sequences[0].shots[0].end = 7;
    EXPECT_THROW(produce(beyond, skeleton, [](const Shot&) { return ramp(0, 5); }), Error);
}

}  // namespace shots_test
}  // namespace sinew::motion
