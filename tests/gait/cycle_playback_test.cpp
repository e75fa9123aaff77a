// SPDX-License-Identifier: MIT
#include <cmath>

#include <gtest/gtest.h>

#include "sinew/base/error.h"
#include "sinew/gait/gait.h"

namespace sinew::gait {
namespace {

using math::Mat3d;
using math::Vec3d;
using model::GaitCycle;
using model::Side;

GaitCycle cycle_of(std::initializer_list<std::pair<const char*, double>> values) {
    GaitCycle cycle;
    for (const Side side : {Side::left, Side::right}) {
        for (const auto& [name, value] : values) cycle.variables.push_back({name, side, 1, {value, value}});
    }
    return cycle;
}

Mat3d world_turn(const model::Character& character, const char* joint, double time = 0) {
    const auto world = model::world_matrices(character, character.clips.data(), time);
    return world.at(static_cast<std::size_t>(character.skeleton.find(joint))).topLeftCorner<3, 3>();
}

double angle(double degrees) {
    return math::radians(degrees);
}

// +Y is up, +Z forward, and the left side at +X.
TEST(CyclePlayback, FlexionMovesBothSidesForward) {
    const model::Character hip = play_cycle(cycle_of({{"HipFlexExt", 20}}));
    for (const char* const side : {"left_thigh", "right_thigh"}) {
        const Vec3d down = world_turn(hip, side) * Vec3d(0, -1, 0);
        EXPECT_NEAR(down.z(), std::sin(angle(20)), 1e-6) << side;
        EXPECT_NEAR(down.x(), 0, 1e-6);
    }
    const model::Character knee = play_cycle(cycle_of({{"KneeFlexExt", 20}}));
    EXPECT_NEAR((world_turn(knee, "left_shank") * Vec3d(0, -1, 0)).z(), -std::sin(angle(20)), 1e-6);
    const model::Character ankle = play_cycle(cycle_of({{"DorsiPlanFlex", 20}}));
    EXPECT_NEAR((world_turn(ankle, "right_foot") * Vec3d(0, 0, 1)).y(), std::sin(angle(20)), 1e-6)
        << "toes up";
    const model::Character tilt = play_cycle(cycle_of({{"PelvicTilt", 10}}));
    EXPECT_NEAR((world_turn(tilt, "pelvis") * Vec3d(0, 1, 0)).z(), std::sin(angle(10)), 1e-6) << "anterior";
}

TEST(CyclePlayback, AdductionAndRotationMirror) {
    const model::Character adduction = play_cycle(cycle_of({{"HipAbAdduct", 10}}));
    EXPECT_NEAR((world_turn(adduction, "left_thigh") * Vec3d(0, -1, 0)).x(), -std::sin(angle(10)), 1e-6);
    EXPECT_NEAR((world_turn(adduction, "right_thigh") * Vec3d(0, -1, 0)).x(), std::sin(angle(10)), 1e-6);
    const model::Character rotation = play_cycle(cycle_of({{"FootRotation", 10}}));
    EXPECT_NEAR((world_turn(rotation, "left_foot") * Vec3d(0, 0, 1)).x(), -std::sin(angle(10)), 1e-6)
        << "internal";
    EXPECT_NEAR((world_turn(rotation, "right_foot") * Vec3d(0, 0, 1)).x(), std::sin(angle(10)), 1e-6);
    GaitCycle left;
    left.variables = {{"PelvicObliquity", Side::left, 1, {8, 8}}, {"PelvicRotation", Side::left, 1, {5, 5}}};
    const Mat3d pelvis = world_turn(play_cycle(left), "pelvis");
    EXPECT_GT((pelvis * Vec3d(1, 0, 0)).y(), 0.13) << "the left side is up";
    EXPECT_GT((pelvis * Vec3d(1, 0, 0)).z(), 0.08) << "and ahead";
    for (model::GaitVariable& each : left.variables) {
        each.side = Side::right;
        each.values = {-each.values[0], -each.values[1]};
    }
    EXPECT_LT((world_turn(play_cycle(left), "pelvis") - pelvis).norm(), 1e-6)
        << "the right side says the same";
}

GaitCycle walking() {
    GaitCycle cycle;
    for (const Side side : {Side::left, Side::right}) {
        model::GaitVariable hip{"HipFlexExt", side, 2, {}}, knee{"KneeFlexExt", side, 1, {}};
        for (int i = 0; i <= 50; ++i) {
            const double angle = 2 * math::pi * i / 50;
            hip.values.insert(hip.values.end(), {15 + 20 * std::cos(angle), 3.0});
            knee.values.push_back(30 - 25 * std::cos(angle - 1) + 0.02 * i);  // does not quite close
        }
        cycle.variables.push_back(hip);
        cycle.variables.push_back(knee);
        cycle.variables.push_back({"OppositeFootContact", side, 1, {side == Side::left ? 48.0 : 52.0}});
        cycle.variables.push_back({"StrideTime", side, 2, {1.2, 0.05}});
        cycle.variables.push_back({"StrideLength", side, 1, {1.3}});
    }
    return cycle;
}

TEST(CyclePlayback, SidesAreApartByTheOppositeContact) {
    Collector collector;
    const model::Character character = play_cycle(walking(), {}, collector);
    EXPECT_FALSE(collector.has("cycle-no-contact"));
    EXPECT_TRUE(collector.has("cycle-no-curve"));
    const double shift = 0.48 * 1.2;
    for (const double time : {0.0, 0.2, 0.5}) {
        EXPECT_LT(
            (world_turn(character, "left_thigh", time) - world_turn(character, "right_thigh", time + shift))
                .norm(),
            5e-3);
    }
    EXPECT_NEAR((world_turn(character, "left_thigh") * Vec3d(0, -1, 0)).z(), std::sin(angle(35)), 1e-6);
}

TEST(CyclePlayback, LoopsOnTheGround) {
    CycleOptions options;
    options.cycles = 2;
    const model::Character character = play_cycle(walking(), options);
    model::validate(character, "cycle");
    EXPECT_EQ(model::frame_count(character.clips[0]), 145u);
    EXPECT_NEAR(model::time_range(character.clips[0]).end, 2.4, 1e-9);
    for (const model::Track& track : character.clips[0].tracks) {
        EXPECT_LT(math::angle_between(track.rotation.values.front(), track.rotation.values.back()), 1e-6f);
        for (std::size_t f = 1; f < track.rotation.values.size(); ++f) {
            EXPECT_LT(math::angle_between(track.rotation.values[f - 1], track.rotation.values[f]), 0.1f)
                << "no jump";
        }
    }
    for (std::size_t f = 0; f < 145; f += 9) {
        const auto world = model::world_matrices(character, character.clips.data(),
                                                 model::frame_time(character.clips[0], f));
        double lowest = 1;
        for (const char* const foot : {"left_foot", "right_foot"}) {
            const auto j = static_cast<std::size_t>(character.skeleton.find(foot));
            lowest = std::min(lowest, math::transform_point(world[j], *character.skeleton.joints[j].tip).y());
        }
        EXPECT_GT(lowest, -1e-6);
        EXPECT_LT(lowest, 0.1);
    }
    options.travel = true;
    const auto path = play_cycle(walking(), options).clips[0].tracks[0].translation.values;
    EXPECT_NEAR(path.back().z() - path.front().z(), 2.6, 1e-5);
}

TEST(CyclePlayback, WhatIsMissingIsSaid) {
    Collector collector;
    play_cycle(cycle_of({{"HipFlexExt", 20}}), {}, collector);
    EXPECT_TRUE(collector.has("cycle-no-time"));
    EXPECT_TRUE(collector.has("cycle-no-contact"));
    EXPECT_TRUE(collector.has("cycle-no-curve"));
    EXPECT_THROW(play_cycle(cycle_of({{"Cadence", 110}})), Error);
    CycleOptions options;
    options.rate = 0;
    EXPECT_THROW(play_cycle(walking(), options), Error);
}

}  // namespace
}  // namespace sinew::gait
