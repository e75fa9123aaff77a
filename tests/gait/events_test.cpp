// SPDX-License-Identifier: MIT
#include "support/data.h"
#include <gtest/gtest.h>

#include "sinew/gait/gait.h"
#include "sinew/io/io.h"

namespace sinew::gait {
namespace {

using math::Vec3d;
using model::Side;

/// A pendulum gait: each foot swings by a sine about the pelvis, which goes ahead. Left strikes at whole
/// seconds plus `shift`, right half a second later; offs are half a second after strikes.
GaitMotion pendulum(double rate = 100, double shift = 0.25) {
    GaitMotion motion;
    motion.rate = rate;
    motion.frames = static_cast<std::size_t>(4 * rate) + 1;
    for (std::size_t f = 0; f < motion.frames; ++f) {
        const double t = motion.time(f);
        const Vec3d pelvis(0, 0.9, 1.2 * t);
        motion.pelvis.push_back(pelvis);
        for (const Side side : {Side::left, Side::right}) {
            const double phase = 2 * math::pi * (t - shift - (side == Side::left ? 0 : 0.5));
            const Vec3d foot = pelvis + Vec3d(side == Side::left ? 0.1 : -0.1, -0.85, 0.3 * std::cos(phase));
            motion.leg(side).heel.push_back(foot);
            motion.leg(side).toe.push_back(foot + Vec3d(0, 0, 0.2));
            motion.leg(side).ankle.push_back(foot + Vec3d(0, 0.08, 0.05));
            motion.leg(side).knee.push_back(foot + Vec3d(0, 0.45, 0.1));
        }
    }
    find_progression(motion);
    return motion;
}

// Mocap test 29.
TEST(GaitEvents, PendulumIsFoundWithinAFrame) {
    const GaitMotion motion = pendulum();
    EXPECT_LT((motion.forward - Vec3d::UnitZ()).norm(), 1e-9);
    EXPECT_NEAR(motion.travel, 4.8, 1e-9);
    const auto events = events_by_rule(motion, EventRule::position);
    std::vector<GaitEvent> truth;
    for (int i = 0; i < 4; ++i) {
        add_event(truth, {Side::left, GaitEventKind::strike, i + 0.25, {}});
        add_event(truth, {Side::left, GaitEventKind::off, i + 0.75, {}});
        add_event(truth, {Side::right, GaitEventKind::strike, i + 0.75, {}});
        if (i > 0) add_event(truth, {Side::right, GaitEventKind::off, i + 0.25, {}});
    }
    for (const GaitEventKind kind : {GaitEventKind::strike, GaitEventKind::off}) {
        const EventError error = compare_events(truth, events, kind, motion.rate);
        EXPECT_EQ(error.missed, 0u);
        EXPECT_LT(error.largest, 1);
    }
}

TEST(GaitEvents, NoLegNoPelvisOrStandingGivesNone) {
    GaitMotion motion = pendulum();
    motion.leg(Side::left).heel.clear();
    for (const GaitEvent& event : events_by_rule(motion, EventRule::combined))
        EXPECT_EQ(event.side, Side::right);
    motion.pelvis.clear();
    EXPECT_TRUE(events_by_rule(motion, EventRule::combined).empty());
    GaitMotion standing = pendulum();
    for (std::size_t f = 0; f < standing.frames; ++f) {
        standing.pelvis[f] = standing.pelvis[0];
        for (LegPoints& leg : standing.legs) leg.heel[f] = leg.heel[0], leg.toe[f] = leg.toe[0];
    }
    find_progression(standing);
    EXPECT_TRUE(standing.on_the_spot);
    EXPECT_TRUE(events_by_rule(standing, EventRule::combined).empty());
}

TEST(GaitEvents, LabelsOfFilesAndTheirContexts) {
    model::Trial trial;
    trial.events = {{"Foot Strike", "Left", 0.1, "", "", false},
                    {"FOOT OFF", "right", 0.2, "", "", false},
                    {"RHS", "", 0.3, "", "", false},
                    {"LTO", "", 0.4, "", "", false},
                    {"Jump", "Left", 0.5, "", "", false},
                    {"Foot Strike", "General", 0.6, "", "", false}};
    const auto events = events_from_file(trial);
    ASSERT_EQ(events.size(), 4u);
    EXPECT_EQ(events[0], (GaitEvent{Side::left, GaitEventKind::strike, 0.1, EventSource::file}));
    EXPECT_EQ(events[1], (GaitEvent{Side::right, GaitEventKind::off, 0.2, EventSource::file}));
    EXPECT_EQ(events[2], (GaitEvent{Side::right, GaitEventKind::strike, 0.3, EventSource::file}));
    EXPECT_EQ(events[3], (GaitEvent{Side::left, GaitEventKind::off, 0.4, EventSource::file}));
}

TEST(GaitEvents, ALegThatTheFileDoesNotNameIsFoundInTheMarkers) {
    model::Trial trial;
    trial.events = {{"Foot Strike", "Right", 0.8, "", "", false},
                    {"Foot Off", "Right", 1.3, "", "", false},
                    {"Foot Strike", "Right", 1.8, "", "", false}};
    std::size_t left = 0, right = 0;
    for (const GaitEvent& event : find_events(trial, pendulum()).events) {
        EXPECT_EQ(event.source, event.side == Side::left ? EventSource::markers : EventSource::file);
        ++(event.side == Side::left ? left : right);
    }
    EXPECT_EQ(right, 3u);
    EXPECT_EQ(left, 8u);
}

TEST(GaitEvents, AnOffThatTheFileLeavesOutIsFoundInTheMarkers) {
    model::Trial trial;
    for (const double time : {0.75, 1.75, 2.75})
        trial.events.push_back({"Foot Strike", "Right", time, "", "", false});
    trial.events.push_back({"Foot Off", "Right", 1.3, "", "", false});
    std::vector<GaitEvent> right;
    for (const GaitEvent& event : find_events(trial, pendulum()).events)
        if (event.side == Side::right) right.push_back(event);
    ASSERT_EQ(right.size(), 5u) << "one off is added, and no strike";
    EXPECT_EQ(right[3].source, EventSource::markers);
    EXPECT_NEAR(right[3].time, 2.25, 0.02);
}

TEST(GaitEvents, EditedListsStaySorted) {
    std::vector<GaitEvent> events;
    add_event(events, {Side::left, GaitEventKind::strike, 2, EventSource::user});
    add_event(events, {Side::left, GaitEventKind::off, 1, EventSource::user});
    EXPECT_EQ(events[0].time, 1);
    EXPECT_EQ(find_event(events, Side::left, GaitEventKind::strike, 2.05), 1);
    EXPECT_EQ(find_event(events, Side::left, GaitEventKind::strike, 2.5), -1);
    EXPECT_EQ(find_event(events, Side::right, GaitEventKind::strike, 2), -1);
}

TEST(GaitEventsRealData, MarkersFindTheEventsOfTheFileWithinThreeFrames) {
    SINEW_NEEDS_DATA();
    for (const char* name : {"c3d/PiG_walk.c3d", "c3d/PlugInC3D.c3d"}) {
        const model::Trial trial = io::read(test::data(name)).trial;
        const GaitMotion motion = gait_motion(trial);
        const auto file = events_from_file(trial);
        const auto found = events_by_rule(motion, EventRule::combined);
        for (const GaitEventKind kind : {GaitEventKind::strike, GaitEventKind::off}) {
            const EventError error = compare_events(file, found, kind, trial.rate);
            EXPECT_LE(error.missed, 1u) << name;  // one lies at the very end
            EXPECT_GE(error.matched, 4u) << name;
            EXPECT_LE(error.largest, 3.0) << name << ' ' << name_of(kind);
        }
    }
}

TEST(GaitEventsRealData, PlatformsAgreeWithTheFile) {
    SINEW_NEEDS_DATA();
    for (const char* name : {"c3d/PiG_walk.c3d", "c3d/PlugInC3D.c3d"}) {
        const model::Trial trial = io::read(test::data(name)).trial;
        const auto plates = events_from_platforms(trial, gait_motion(trial));
        const auto file = events_from_file(trial);
        EXPECT_GE(plates.size(), 4u);
        for (const GaitEvent& event : plates) {
            const int same = find_event(file, event.side, event.kind, event.time, 0.05);
            EXPECT_GE(same, 0) << name << " at " << event.time;
        }
        EventOptions options;
        options.use_file = false;
        const auto found = find_events(trial, gait_motion(trial), options);
        EXPECT_TRUE(std::ranges::any_of(
            found.events, [](const GaitEvent& e) { return e.source == EventSource::platform; }));
        EXPECT_TRUE(std::ranges::any_of(found.events,
                                        [](const GaitEvent& e) { return e.source == EventSource::markers; }));
    }
}

TEST(GaitEventsRealData, AStaticTrialHasNone) {
    SINEW_NEEDS_DATA();
    const model::Trial trial = io::read(test::data("c3d/PiG_static.c3d")).trial;
    const GaitMotion motion = gait_motion(trial);
    EXPECT_TRUE(motion.on_the_spot);
    EXPECT_TRUE(find_events(trial, motion).events.empty());
}

TEST(GaitEvents, APersonAddsRemovesAndMovesThem) {
    const auto event = [](const char* text) { return parse_event(text); };
    EXPECT_EQ(event("left foot strike@1.24"),
              (GaitEvent{model::Side::left, GaitEventKind::strike, 1.24, EventSource::user}));
    EXPECT_EQ(event("Right Foot Off@0.5").kind, GaitEventKind::off);
    for (const char* text : {"left foot strike", "foot strike@1", "left jump@1", "left foot off@x", ""})
        EXPECT_THROW(event(text), Error) << text;
    using Action = EventEdit::Action;
    std::vector<GaitEvent> events = {event("left foot strike@1"), event("left foot off@1.6")};
    const std::vector<EventEdit> edits = {{Action::add, event("right foot strike@1.5"), 0},
                                          {Action::move, event("left foot strike@1.05"), 1.7},
                                          {Action::remove, event("left foot off@1.65"), 0}};
    edit_events(events, edits);
    ASSERT_EQ(events.size(), 2u);
    EXPECT_EQ(events[0], event("right foot strike@1.5"));
    EXPECT_EQ(events[1], event("left foot strike@1.7"));
    const std::vector<EventEdit> none = {{Action::remove, event("left foot strike@1.2"), 0}};
    try {
        edit_events(events, none);
        FAIL();
    } catch (const Error& error) {
        EXPECT_NE(std::string(error.what()).find("1.70"), std::string::npos) << error.what();
    }
}

}  // namespace
}  // namespace sinew::gait
