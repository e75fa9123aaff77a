// SPDX-License-Identifier: MIT
#include "io/mesh/mesh_support.h"

#include "sinew/base/error.h"
#include "sinew/io/trial/trial_formats.h"

namespace sinew::io {
namespace mot_test {

const std::string plain =
    "walk\nversion=1\nnRows=3\nnColumns=6\ninDegrees=yes\nUnits are S.I.\nendheader\n"
    "time\tpelvis_tilt\tpelvis_list\thip_flexion_l\tknee_angle_r\tground_force_r_vy\n"
    "0.50\t-5\t2\t30\t-10\t0\n0.51\t-6\t3\t31\t-20\t700.5\n0.52\t-7\t4\tNaN\t-30\t701\n";

Asset read(std::string_view text, Monitor& monitor = silent()) {
    Asset asset = read_mot(as_bytes(text), "walk.mot", {}, monitor);
    model::validate(asset.trial, "walk.mot");
    return asset;
}

std::string changed(std::string text, std::string_view from, std::string_view to) {
    const std::size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return text.replace(at, from.size(), to);
}

float output(const model::Trial& trial, std::size_t frame, const char* label, int component) {
    const int at = trial.outputs.find(label);
    EXPECT_GE(at, 0) << label;
    return at < 0 ? 0 : trial.outputs.at(frame, static_cast<std::size_t>(at))[component];
}

TEST(Mot, CoordinatesBecomeModelOutputsAndColumnsChannels) {
    Collector collector;
    const model::Trial trial = read(plain, collector).trial;
    EXPECT_EQ(trial.frames, 3u);
    EXPECT_EQ(trial.rate, 100);
    EXPECT_EQ(trial.first_frame, 51);
    EXPECT_EQ(trial.analog.count(), 5u);
    EXPECT_EQ(trial.analog.channels[4].label, "ground_force_r_vy");
    EXPECT_EQ(trial.analog.channels[4].unit, "N");
    EXPECT_EQ(trial.analog.channels[2].unit, "deg");
    EXPECT_FLOAT_EQ(trial.analog.at(1, 4), 700.5f);
    // OpenSim tilts forward by negative angles, and its list raises the left side.
    EXPECT_FLOAT_EQ(output(trial, 0, "LPelvisAngles", 0), 5);
    EXPECT_FLOAT_EQ(output(trial, 0, "LPelvisAngles", 1), 2);
    EXPECT_FLOAT_EQ(output(trial, 0, "RPelvisAngles", 1), -2);
    EXPECT_FLOAT_EQ(output(trial, 1, "LHipAngles", 0), 31);
    EXPECT_FLOAT_EQ(output(trial, 2, "RKneeAngles", 0), 30);
    EXPECT_FALSE(trial.outputs.valid(2, static_cast<std::size_t>(trial.outputs.find("LHipAngles"))));
    ASSERT_EQ(collector.warnings().size(), 1u);
    EXPECT_EQ(collector.warnings()[0].code, "mot-knee");
}

TEST(Mot, WritingAddsNoAngleThatWasNotRead) {
    // The hip has one angle, with a gap: its other two are not known, which is not 0.
    const std::string text = write_mot(read(plain), "again.mot", {}, silent());
    EXPECT_EQ(text.find("hip_adduction_l"), std::string::npos) << text;
    EXPECT_EQ(text.find("hip_rotation_l"), std::string::npos) << text;
    EXPECT_EQ(read(text).trial.analog.count(), 5u);
}

TEST(Mot, RadiansBecomeDegreesAndForcesStay) {
    const model::Trial trial = read(changed(plain, "inDegrees=yes", "inDegrees=no")).trial;
    EXPECT_NEAR(output(trial, 0, "LHipAngles", 0), math::degrees(30.0), 1e-2);
    EXPECT_FLOAT_EQ(trial.analog.at(1, 4), 700.5f);
}

TEST(Mot, UnevenTimesAreReadAtEvenOnes) {
    Collector collector;
    const model::Trial trial =
        read("a\nendheader\ntime x\n0 0\n0.1 1\n0.2 2\n0.5 5\n0.6 6\n", collector).trial;
    EXPECT_TRUE(collector.has("mot-uneven"));
    ASSERT_EQ(trial.frames, 7u);
    for (std::size_t f = 0; f < 7; ++f) EXPECT_NEAR(trial.analog.at(f, 0), static_cast<double>(f), 1e-5);
}

TEST(Mot, WhatIsWrongIsSaidWithItsLine) {
    const auto expect = [](const std::string& text, std::string_view part) {
        try {
            read(text);
            ADD_FAILURE() << "was read: " << part;
        } catch (const Error& error) {
            EXPECT_HAS(std::string(error.what()), part);
        }
    };
    expect("", "endheader");
    expect(changed(plain, "endheader", "end"), "endheader");
    expect(changed(plain, "time\t", "frame\t"), "walk.mot:8: expected names of columns");
    expect(changed(plain, "700.5", "lots"), "walk.mot:10: \"lots\" in column 6 is not a number");
    expect(changed(plain, "\t700.5", ""), "walk.mot:10: has 5 cells under 6");
    expect(changed(plain, "0.51", "0.49"), "walk.mot:10: the time 0.49 does not follow 0.5");
    expect(changed(plain, "pelvis_list", "pelvis_tilt"), "two columns \"pelvis_tilt\"");
    expect("a\nendheader\ntime x\n0 1\n", "a motion needs two");
    Collector collector;
    read(changed(plain, "nRows=3", "nRows=9"), collector);
    EXPECT_TRUE(collector.has("mot-rows"));
}

TEST(Mot, AnglesAndChannelsGoThereAndBack) {
    Asset asset = read(changed(plain, "NaN", "32"));
    const Asset again = read(write_mot(asset, "again.mot", {}, silent()));
    EXPECT_EQ(again.trial.analog.values, asset.trial.analog.values);
    EXPECT_EQ(again.trial.outputs.positions, asset.trial.outputs.positions);
    EXPECT_EQ(again.trial.first_frame, 51);
    // Of a trial whose channels are faster than its frames, the angles alone.
    asset.trial.analog.samples_per_frame = 3;
    asset.trial.frames = 1;
    EXPECT_THROW(write_mot(asset, "again.mot", {}, silent()), Error);
    Asset angles = read(changed(plain, "NaN", "32"));
    angles.trial.analog = {};
    const model::Trial only = read(write_mot(angles, "again.mot", {}, silent())).trial;
    EXPECT_FLOAT_EQ(output(only, 1, "RKneeAngles", 0), 20);
    EXPECT_FLOAT_EQ(output(only, 1, "RPelvisAngles", 1), -3);
    for (model::PointInfo& info : angles.trial.outputs.info) info.label += "V";
    EXPECT_FLOAT_EQ(output(read(write_mot(angles, "again.mot", {}, silent())).trial, 1, "LHipAngles", 0), 31);
    angles.trial.outputs = {};
    EXPECT_THROW(write_mot(angles, "again.mot", {}, silent()), Error);
}

}  // namespace mot_test
}  // namespace sinew::io
