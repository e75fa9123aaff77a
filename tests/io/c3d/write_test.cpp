// SPDX-License-Identifier: MIT
#include <cmath>

#include "io/c3d/support.h"
#include <gtest/gtest.h>

#include "sinew/base/error.h"

namespace sinew::io {
namespace c3d_write_test {

using model::PointKind;

constexpr C3dProcessor processors[] = {C3dProcessor::intel, C3dProcessor::dec, C3dProcessor::mips};

/// A trial that came from nowhere: everything that the format can hold.
Asset full_trial() {
    Asset asset;
    model::Trial& t = asset.trial;
    t.rate = 120;
    t.frames = 6;
    t.first_frame = 41;
    t.unit = "mm";
    t.to_world.scale = 0.001;
    t.to_world.rotation = math::Quatd(Eigen::AngleAxisd(-math::pi / 2, math::Vec3d::UnitX()));
    t.markers.info = {{"LASI", "Ann", "left hip", PointKind::marker, ""},
                      {"C7", "", "", PointKind::marker, ""}};
    t.outputs.info = {{"LHip", "Ann", "", PointKind::angle, "deg"}, {"LPow", "", "", PointKind::power, "W"}};
    for (model::Points* set : {&t.markers, &t.outputs}) {
        for (int i = 0; i < 12; ++i) {
            const auto v = static_cast<float>(i);
            set->positions.push_back({v * 12.3f + 0.1f, 900 - v, v * v * 0.7f});
            set->residuals.push_back(static_cast<float>(i % 5));
            set->cameras.push_back(static_cast<std::uint8_t>(i));
        }
    }
    t.markers.positions[3].setConstant(std::nanf(""));
    t.markers.residuals[3] = -1;
    t.markers.cameras[3] = 0;
    t.analog.samples_per_frame = 2;
    for (int c = 0; c < 8; ++c) t.analog.channels.push_back({"F" + std::to_string(c), "force", "N", 0.5, 16});
    for (int i = 0; i < 6 * 2 * 8; ++i) t.analog.values.push_back(static_cast<float>(i) * 1.5f - 20);
    t.events = {{"RHS", "", 0.0078125, "", "", true}, {"Foot Strike", "Left", 0.03125, "Ann", "hard", false}};
    model::ForcePlatform plate;
    plate.corners = {math::Vec3f(400, 0, 0), math::Vec3f(0, 0, 0), math::Vec3f(0, 600, 0),
                     math::Vec3f(400, 600, 0)};
    plate.origin = {1, 2, -30};
    plate.channels = {0, 1, 2, 3, 4, 5};
    plate.zero_frames = {1, 2};
    t.platforms = {plate, plate, plate};
    t.platforms[1].type = 4;
    t.platforms[1].calibration.assign(36, 0.25f);
    t.platforms[2].type = 3;
    t.platforms[2].channels = {0, 1, 2, 3, 4, 5, 6, 7};
    t.rotations.labels = {"Pelvis", "Thigh"};
    for (int i = 0; i < 12; ++i) {
        t.rotations.matrices.push_back(math::Mat4f::Constant(static_cast<float>(i)));
        t.rotations.reliability.push_back(0.5f);
    }
    return asset;
}

void expect_same(const model::Trial& a, const model::Trial& b, float points, float analog) {
    EXPECT_EQ(a.rate, b.rate);
    EXPECT_EQ(a.frames, b.frames);
    EXPECT_EQ(a.first_frame, b.first_frame);
    EXPECT_EQ(a.unit, b.unit);
    EXPECT_TRUE(a.to_world.matrix().isApprox(b.to_world.matrix(), 1e-9));
    EXPECT_TRUE(test::same_points(a.markers, b.markers, points));
    EXPECT_TRUE(test::same_points(a.outputs, b.outputs, points));
    EXPECT_TRUE(test::same_values(a.analog.values, b.analog.values, analog));
    ASSERT_EQ(a.events.size(), b.events.size());
    for (std::size_t i = 0; i < a.events.size(); ++i) {
        EXPECT_EQ(a.events[i].label, b.events[i].label);
        EXPECT_EQ(a.events[i].context, b.events[i].context);
        EXPECT_EQ(a.events[i].subject, b.events[i].subject);
        EXPECT_EQ(a.events[i].description, b.events[i].description);
        EXPECT_EQ(a.events[i].hidden, b.events[i].hidden);
        EXPECT_NEAR(a.events[i].time, b.events[i].time, 1e-6);
    }
    EXPECT_EQ(a.platforms, b.platforms);
    EXPECT_EQ(a.rotations.labels, b.rotations.labels);
    EXPECT_EQ(a.rotations.reliability, b.rotations.reliability);
    EXPECT_EQ(a.rotations.matrices, b.rotations.matrices);
}

TEST(C3dWrite, ATrialReadsBackAsItWasForEveryProcessor) {
    const Asset asset = full_trial();
    for (const C3dProcessor processor : processors) {
        for (const bool integers : {false, true}) {
            C3dOptions options;
            options = {processor, integers};
            const std::string file = encode_c3d(asset, "trial.c3d", options, silent());
            EXPECT_EQ(file.size() % 512, 0u);
            EXPECT_EQ(static_cast<int>(file[515]), 84 + static_cast<int>(processor));
            const test::C3dResult once = test::read_c3d(file);
            EXPECT_TRUE(once.warnings.empty()) << once.codes();
            // Fresh integers are rounded once to a scale of max / 32000, residuals too.
            expect_same(asset.trial, once.asset.trial, integers ? 0.015f : 1.0f, 0);
            EXPECT_EQ(asset.trial.analog.channels, once.asset.trial.analog.channels);
            // What came from a file stays as it is.
            const test::C3dResult twice =
                test::read_c3d(encode_c3d(once.asset, "trial.c3d", options, silent()));
            expect_same(once.asset.trial, twice.asset.trial, 0, 0);
            EXPECT_EQ(once.asset.trial.parameters, twice.asset.trial.parameters);
        }
    }
}

TEST(C3dWrite, RealsKeepEveryBitOfPositionsAndAnalog) {
    Asset asset = full_trial();
    for (model::AnalogChannel& channel : asset.trial.analog.channels) {
        channel.scale = static_cast<double>(-0.37f) * static_cast<double>(0.013f);  // never exact
        channel.offset = 0;
    }
    for (float& value : asset.trial.analog.values) value = static_cast<float>(value * -0.37 * 0.013);
    for (const C3dProcessor processor : processors) {
        C3dOptions options;
        options.processor = processor;
        const test::C3dResult once = test::read_c3d(encode_c3d(asset, "trial.c3d", options, silent()));
        const test::C3dResult twice = test::read_c3d(encode_c3d(once.asset, "trial.c3d", options, silent()));
        EXPECT_EQ(once.asset.trial.analog.values, twice.asset.trial.analog.values);
        for (std::size_t i = 0; i < 12; ++i) {
            if (i != 3) {
                EXPECT_EQ(asset.trial.markers.positions[i], once.asset.trial.markers.positions[i]);
            }
        }
        EXPECT_TRUE(test::same_values(asset.trial.analog.values, once.asset.trial.analog.values, 1e-7f));
    }
}

TEST(C3dWrite, UnknownGroupsAreKept) {
    Asset asset = full_trial();
    model::ParameterGroup group{"LAB", "our own", true, {}};
    group.parameters.push_back({"NAMES", "who", true, {5, 2, 1}, std::vector<std::string>{"Ann", "Bob\xE4"}});
    group.parameters.push_back({"LETTER", "", false, {}, std::vector<std::string>{"x"}});
    group.parameters.push_back({"BYTES", "", false, {3}, std::vector<std::int8_t>{-1, 2, 127}});
    group.parameters.push_back({"WORDS", "", false, {2, 2}, std::vector<std::int16_t>{1, -2, 32767, -32768}});
    group.parameters.push_back({"REALS", "", false, {1, 1, 1, 1, 1, 1, 2}, std::vector<float>{0.1f, -1e20f}});
    group.parameters.push_back({"NONE", "nothing", false, {3, 0}, std::vector<float>{}});
    asset.trial.parameters.groups.push_back(group);
    for (const C3dProcessor processor : processors) {
        C3dOptions options;
        options.processor = processor;
        const test::C3dResult result = test::read_c3d(encode_c3d(asset, "trial.c3d", options, silent()));
        ASSERT_NE(result.asset.trial.parameters.group("LAB"), nullptr);
        EXPECT_EQ(*result.asset.trial.parameters.group("LAB"), group);
    }
}

TEST(C3dWrite, ChangedDataGetNewParameters) {
    test::C3dResult result = test::read_c3d(write_c3d(full_trial(), "trial.c3d", {}, silent()));
    model::Trial& t = result.asset.trial;
    t.markers.info[1].label = "T10";
    t.markers.info[0].label = std::string(40, 'L');
    t.events.push_back({"Foot Off", "Right", 0.04, "Ann", "", false});
    t.events.erase(t.events.begin());
    t.platforms.resize(1);
    t.platforms[0].origin.z() = -31;
    t.analog.channels.pop_back();
    t.analog.values.resize(t.frames * 2 * t.analog.channels.size());
    t.rotations = {};
    for (std::size_t i = 0; i < t.outputs.count(); ++i) t.outputs.info[i].kind = PointKind::moment;
    for (std::size_t i = 0; i < t.outputs.count(); ++i) t.outputs.info[i].unit = "Nmm";
    const test::C3dResult again = test::read_c3d(write_c3d(result.asset, "trial.c3d", {}, silent()));
    EXPECT_TRUE(again.warnings.empty()) << again.codes();
    expect_same(t, again.asset.trial, 0, 0);
}

TEST(C3dWrite, ManyLabelsChannelsAndFrames) {
    Asset asset;
    model::Trial& t = asset.trial;
    t.rate = 100;
    t.frames = 66000;
    t.first_frame = 3;
    t.to_world.scale = 0.001;
    t.markers.info = {{"A", "", "", PointKind::marker, ""}};
    t.markers.positions.assign(t.frames, math::Vec3f(1, 2, 3));
    t.markers.residuals.assign(t.frames, 0);
    t.analog.samples_per_frame = 1;
    C3dOptions options;
    options.integers = true;
    const test::C3dResult frames = test::read_c3d(encode_c3d(asset, "long.c3d", options, silent()));
    EXPECT_TRUE(frames.warnings.empty()) << frames.codes();
    EXPECT_EQ(frames.asset.trial.frames, 66000u);
    EXPECT_EQ(frames.asset.trial.first_frame, 3);
    t.frames = 2;
    t.markers = {};
    for (int i = 0; i < 600; ++i) {
        t.markers.info.push_back({"M" + std::to_string(i), "", "", PointKind::marker, ""});
        t.analog.channels.push_back({"C" + std::to_string(i), "", "V", 0.5 + i, 0});
    }
    t.markers.positions.assign(1200, math::Vec3f(1, 2, 3));
    t.markers.residuals.assign(1200, 0);
    t.analog.values.assign(1200, 2);
    const test::C3dResult wide = test::read_c3d(write_c3d(asset, "wide.c3d", {}, silent()));
    EXPECT_TRUE(wide.warnings.empty()) << wide.codes();
    EXPECT_EQ(wide.asset.trial.markers.info, t.markers.info);
    EXPECT_EQ(wide.asset.trial.analog.channels, t.analog.channels);
}

TEST(C3dWrite, WhatTheFormatCannotHoldIsSaid) {
    EXPECT_THROW(write_c3d({}, "none.c3d", {}, silent()), Error);
    Asset asset = full_trial();
    asset.trial.analog.values[5] = std::numeric_limits<float>::infinity();
    C3dOptions options;
    options.processor = C3dProcessor::dec;
    EXPECT_THROW(encode_c3d(asset, "dec.c3d", options, silent()), Error);
    options = {C3dProcessor::intel, true};
    Collector monitor;
    asset.trial.markers.residuals[0] = 1000;
    encode_c3d(asset, "int.c3d", options, monitor);
    EXPECT_TRUE(monitor.has("c3d-clipped"));
    EXPECT_TRUE(monitor.has("c3d-residual"));
}

}  // namespace c3d_write_test
}  // namespace sinew::io
