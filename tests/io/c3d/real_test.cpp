// SPDX-License-Identifier: MIT
// Trials of real laboratories.

#include <cmath>

#include "io/c3d/support.h"
#include "support/data.h"
#include <gtest/gtest.h>

#include "sinew/model/trial.h"

namespace sinew::io {
namespace c3d_real_test {

test::C3dResult read_real(std::string_view name) {
    Collector monitor;
    test::C3dResult result;
    result.asset = read(test::data("c3d/" + std::string(name)), {}, monitor);
    result.warnings = monitor.warnings();
    return result;
}

TEST(C3dReal, SixEncodingsOfOneTrialReadEqual) {
    SINEW_NEEDS_DATA();
    const model::Trial first = read_real("Eb015pr.c3d").asset.trial;
    EXPECT_EQ(first.markers.count(), 26u);
    EXPECT_EQ(first.analog.count(), 16u);
    EXPECT_EQ(first.frames, 450u);
    for (const std::string name : {"pi", "pr", "si", "sr", "vi", "vr"}) {
        const test::C3dResult other = read_real("Eb015" + name + ".c3d");
        EXPECT_TRUE(other.warnings.empty()) << other.codes();
        const model::Trial& t = other.asset.trial;
        const float half_scale = name.ends_with('i') ? 0.0833333358f / 2 : 0;
        EXPECT_TRUE(test::same_points(first.markers, t.markers, half_scale)) << name;
        EXPECT_EQ(first.analog.channels, t.analog.channels);
        EXPECT_EQ(first.analog.values, t.analog.values);
        EXPECT_EQ(first.events, t.events);
        EXPECT_EQ(first.platforms, t.platforms);
        EXPECT_TRUE(first.to_world.matrix().isApprox(t.to_world.matrix()));
    }
    ASSERT_EQ(first.events.size(), 3u);
    EXPECT_EQ(first.events[1].label, "RHS");
    EXPECT_NEAR(first.events[1].time, 5.4, 1e-6);
}

TEST(C3dReal, EveryTrialSurvivesWritingInEveryEncoding) {
    SINEW_NEEDS_DATA();
    for (const char* name : {"Eb015pi.c3d", "PiG_static.c3d", "PiG_walk.c3d", "PlugInC3D.c3d", "TESTBPI.c3d",
                             "cmu_02_01.c3d", "force_type2.c3d"}) {
        const Asset asset = read_real(name).asset;
        const model::Trial& t = asset.trial;
        const double scale = std::get<std::vector<float>>(t.parameters.find("POINT", "SCALE")->values)[0];
        for (const C3dProcessor processor : {C3dProcessor::intel, C3dProcessor::dec, C3dProcessor::mips}) {
            for (const bool integers : {scale > 0, false}) {
                C3dOptions options;
                options = {processor, integers};
                test::C3dResult again = test::read_c3d(encode_c3d(asset, "again.c3d", options, silent()));
                EXPECT_TRUE(again.warnings.empty()) << name << again.codes();
                model::Trial& u = again.asset.trial;
                EXPECT_TRUE(test::same_points(t.markers, u.markers)) << name;
                EXPECT_TRUE(test::same_points(t.outputs, u.outputs)) << name;
                EXPECT_TRUE(test::same_values(t.analog.values, u.analog.values)) << name;
                EXPECT_EQ(t.analog.channels, u.analog.channels);
                EXPECT_EQ(t.events, u.events);
                EXPECT_EQ(t.platforms, u.platforms);
                EXPECT_EQ(t.first_frame, u.first_frame);
                // Only these two say how and where this file keeps its data.
                for (const char* own : {"SCALE", "DATA_START"}) {
                    u.parameters.find("POINT", own)->values = t.parameters.find("POINT", own)->values;
                }
                EXPECT_EQ(t.parameters, u.parameters) << name;
            }
        }
    }
}

TEST(C3dReal, PlugInGaitTrialsHaveAnglesEventsAndForces) {
    SINEW_NEEDS_DATA();
    const test::C3dResult walk = read_real("PiG_walk.c3d");
    EXPECT_TRUE(walk.warnings.empty()) << walk.codes();
    const model::Trial& t = walk.asset.trial;
    EXPECT_EQ(t.rate, 100);
    EXPECT_EQ(t.first_frame, 725);
    EXPECT_EQ(t.frames, 293u);
    EXPECT_EQ(t.markers.count(), 61u);
    EXPECT_EQ(t.outputs.count(), 36u);
    const int hip = t.outputs.find("LHipAnglesV");
    ASSERT_GE(hip, 0);
    EXPECT_EQ(t.outputs.info[static_cast<std::size_t>(hip)].kind, model::PointKind::angle);
    EXPECT_EQ(t.outputs.info[static_cast<std::size_t>(hip)].unit, "deg");
    ASSERT_EQ(t.events.size(), 12u);
    EXPECT_EQ(t.events[0].context + " " + t.events[0].label, "Right Foot Strike");
    EXPECT_NEAR(t.events[0].time, 7.31 - 7.24, 1e-5);
    EXPECT_EQ(t.analog.samples_per_frame, 10u);
    EXPECT_EQ(t.analog.channels[2].label, "Fz1");
    // The pelvis is about a metre above the floor.
    EXPECT_NEAR(model::world_position(t, 100, static_cast<std::size_t>(t.markers.find("LASI"))).y(), 0.98,
                0.05);
    ASSERT_EQ(t.platforms.size(), 3u);
    for (const model::ForcePlatform& platform : t.platforms) {
        double greatest = 0;
        for (const model::Wrench& wrench : model::forces(t, platform)) {
            greatest = std::max(greatest, wrench.force.z());
            if (wrench.force.z() < 300) continue;
            const model::PlateFrame frame = model::plate_frame(platform);
            EXPECT_LT(std::abs(wrench.center.x() - frame.center.x()), 200 + 1);
            EXPECT_LT(std::abs(wrench.center.y() - frame.center.y()), 300 + 1);
        }
        EXPECT_NEAR(greatest, 74 * 9.81, 0.2 * 74 * 9.81);  // PROCESSING:Bodymass is 74
    }
}

TEST(C3dReal, ForcesOfAWalkCarryTheBody) {
    SINEW_NEEDS_DATA();
    const model::Trial t = read_real("Eb015vr.c3d").asset.trial;
    ASSERT_EQ(t.platforms.size(), 2u);
    for (const model::ForcePlatform& platform : t.platforms) {
        double greatest = 0;
        for (const model::Wrench& wrench : model::forces(t, platform)) {
            greatest = std::max(greatest, wrench.force.z());
        }
        EXPECT_NEAR(greatest, 82.7 * 9.81, 0.05 * 82.7 * 9.81);  // SUBJECT:WEIGHT is 82.7
    }
}

TEST(C3dReal, OtherFilesHoldWhatTheyAreKnownFor) {
    SINEW_NEEDS_DATA();
    const model::Trial cmu = read_real("cmu_02_01.c3d").asset.trial;
    EXPECT_EQ(cmu.markers.count(), 41u);
    EXPECT_EQ(cmu.markers.info[0].subject, "TakeoMonday");
    EXPECT_EQ(cmu.markers.info[0].label, "LBWT");
    EXPECT_EQ(cmu.rate, 120);
    EXPECT_EQ(cmu.first_frame, 50);
    EXPECT_EQ(cmu.frames, 343u);
    const model::Trial dec = read_real("PlugInC3D.c3d").asset.trial;
    EXPECT_EQ(dec.markers.count(), 54u);
    EXPECT_EQ(dec.outputs.count(), 32u);
    EXPECT_EQ(dec.analog.count(), 36u);
    EXPECT_EQ(dec.events.size(), 8u);
    const test::C3dResult plate = read_real("force_type2.c3d");
    EXPECT_TRUE(plate.has("c3d-parameter-group"));
    EXPECT_EQ(plate.asset.trial.markers.info[0].description, "Sacrum");
    EXPECT_EQ(plate.asset.trial.frames, 199u);
    EXPECT_EQ(plate.asset.trial.platforms.size(), 1u);
    const model::Trial moved = read_real("TESTBPI.c3d").asset.trial;  // parameters at block 11
    EXPECT_TRUE(test::same_points(moved.markers, read_real("Eb015pi.c3d").asset.trial.markers));
}

}  // namespace c3d_real_test
}  // namespace sinew::io
