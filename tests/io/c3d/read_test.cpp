// SPDX-License-Identifier: MIT
#include <cmath>

#include "io/c3d/support.h"
#include <gtest/gtest.h>

#include "sinew/base/error.h"

namespace sinew::io {
namespace c3d_read_test {

using math::Vec3d;
using test::C3dBuilder;
using test::C3dResult;

/// Two points over three frames, four analog values per frame, an event of each kind.
C3dBuilder trial_of(int processor, bool reals) {
    C3dBuilder b(processor);
    b.points = 2;
    b.scale = reals ? -0.5 : 0.5;
    b.analog_values = 4;
    b.samples = 2;
    b.first = 11;
    b.point_group(3);
    b.group(2, "ANALOG").words(2, "USED", {2}).reals(2, "RATE", {200});
    b.texts(2, "LABELS", {"Fx", "Fz"}).texts(2, "UNITS", {"N", "N"});
    b.reals(2, "SCALE", {0.25, 2}).words(2, "OFFSET", {8, 0}).reals(2, "GEN_SCALE", {2});
    b.group(3, "EVENT").words(3, "USED", {1}).texts(3, "LABELS", {"Foot Strike"});
    b.texts(3, "CONTEXTS", {"Left"}).reals(3, "TIMES", {0, 0.12}, {2, 1});
    b.events = {{0.01, "RHS ", 1}};
    for (int f = 0; f < 3; ++f) {
        const double unit = reals ? 0.5 : 1;  // integers count steps of the scale
        b.point(unit * (100 + f), unit * -7, unit * 1000, 0x0503);
        b.point(unit * 2, 0, 0, f == 1 ? -1 : 4);
        for (int a = 0; a < 4; ++a) b.value(10 * f + a);
    }
    return b;
}

// Test 19 of the specification: three processors, integers and reals, one truth.
TEST(C3dRead, AllEncodingsGiveTheSameTrial) {
    for (const int processor : {84, 85, 86}) {
        for (const bool reals : {false, true}) {
            const C3dResult result = test::read_c3d(trial_of(processor, reals).build());
            EXPECT_TRUE(result.warnings.empty()) << result.codes();
            const model::Trial& t = result.asset.trial;
            ASSERT_EQ(t.frames, 3u);
            EXPECT_EQ(t.first_frame, 11);
            EXPECT_EQ(t.rate, 100);
            ASSERT_EQ(t.markers.count(), 2u);
            EXPECT_EQ(t.markers.info[1].label, "b");
            EXPECT_EQ(t.markers.at(2, 0), math::Vec3f(51, -3.5f, 500));
            EXPECT_EQ(t.markers.residuals[0], 1.5f);
            EXPECT_EQ(t.markers.cameras[0], 5);
            EXPECT_FALSE(t.markers.valid(1, 1));
            EXPECT_TRUE(std::isnan(t.markers.at(1, 1).x()));
            EXPECT_EQ(t.markers.residuals[3], -1);
            ASSERT_EQ(t.analog.samples(), 6u);
            EXPECT_EQ(t.analog.at(5, 0), (22 - 8) * 0.5f);
            EXPECT_EQ(t.analog.at(5, 1), 23 * 4.0f);
            ASSERT_EQ(t.events.size(), 2u);
            EXPECT_EQ(t.events[0].label, "RHS");
            EXPECT_TRUE(t.events[0].hidden);
            EXPECT_EQ(t.events[1].context, "Left");
            EXPECT_NEAR(t.events[1].time, 0.02, 1e-6);  // round(12) - (11 - 1) = frame 2
        }
    }
}

// Test 20.
TEST(C3dRead, ResidualAndCamerasShareOneWord) {
    C3dBuilder b;
    b.points = 1;
    b.scale = 0.1;
    b.point_group(2).point(1, 2, 3, 0x0503).point(1, 2, 3, 0xFFFF);
    const model::Points points = test::read_c3d(b.build()).asset.trial.markers;
    EXPECT_FLOAT_EQ(points.residuals[0], 0.3f);
    EXPECT_EQ(points.cameras[0], 5);
    EXPECT_FALSE(points.valid(1, 0));
}

// Test 21.
TEST(C3dRead, AnalogIsScaledFromSignedOrUnsigned) {
    for (const std::string format : {"SIGNED", "UNSIGNED"}) {
        C3dBuilder b;
        b.scale = 1;
        b.analog_values = 1;
        b.samples = 1;
        b.point_group(2).group(2, "ANALOG").words(2, "USED", {1}).reals(2, "SCALE", {0.5});
        b.reals(2, "GEN_SCALE", {0.01}).words(2, "OFFSET", {2048}, {1}).texts(2, "FORMAT", {format});
        b.value(2148).value(0xFFFF);
        const model::Analog analog = test::read_c3d(b.build()).asset.trial.analog;
        EXPECT_EQ(analog.at(0, 0), 0.5f);
        EXPECT_FLOAT_EQ(analog.at(1, 0), (format == "SIGNED" ? -2049 : 63487) * 0.005f);
    }
}

// Test 22.
TEST(C3dRead, MoreFramesThanAWordCanCount) {
    for (const int how : {0, 1, 2, 3}) {
        C3dBuilder b;
        b.points = 1;
        b.scale = 1;
        b.point_group(-1);
        b.first = 1;
        b.last = 65535;
        b.group(2, "TRIAL");
        if (how == 0) {
            b.words(2, "ACTUAL_START_FIELD", {1, 0}).words(2, "ACTUAL_END_FIELD", {4464, 1});
        } else if (how == 1) {
            b.reals(1, "LONG_FRAMES", {70000});
        } else if (how == 2) {
            b.reals(1, "FRAMES", {70000});
        }
        for (int f = 0; f < 70000; ++f) b.point(f % 1000, 0, 1, 0);
        const std::string file = b.build();
        const C3dResult whole = test::read_c3d(file);
        // Without any statement the padding of the last block cannot be told from frames.
        EXPECT_EQ(whole.asset.trial.frames, how == 3 ? (file.size() - 1024) / 8 : 70000u) << how;
        EXPECT_EQ(whole.asset.trial.markers.at(69999, 0).x(), 999);
        const C3dResult cut = test::read_c3d(file.substr(0, 1024 + 8 * 12345 + 5));
        EXPECT_EQ(cut.asset.trial.frames, 12345u);
        if (how != 3) {
            EXPECT_TRUE(cut.has("c3d-truncated"));
        }
    }
}

// Test 23.
TEST(C3dRead, ParametersAreColumnMajorAndContinue) {
    C3dBuilder b;
    b.points = 0;
    b.point_group(1).group(2, "SEG", "limits", true);
    b.reals(2, "DATA_LIMITS", {-1, -2, -3, 4, 5, 6}, {3, 2});
    const model::Parameters p = test::read_c3d(b.build()).asset.trial.parameters;
    const model::Parameter& limits = *p.find("seg", "data_limits");
    EXPECT_EQ(std::get<std::vector<float>>(limits.values), (std::vector<float>{-1, -2, -3, 4, 5, 6}));
    EXPECT_EQ(limits.dimensions, (std::vector<std::uint8_t>{3, 2}));
    EXPECT_TRUE(p.group("SEG")->locked);
    EXPECT_EQ(p.group("SEG")->description, "limits");
}

TEST(C3dRead, LabelsContinueBeyond255) {
    C3dBuilder b;
    b.points = 300;
    b.group(1, "POINT").words(1, "USED", {300}).words(1, "FRAMES", {1}).reals(1, "SCALE", {-1});
    b.reals(1, "RATE", {100});
    std::vector<std::string> first, second;
    for (int i = 1; i <= 300; ++i) (i <= 255 ? first : second).push_back("M" + std::to_string(i));
    b.texts(1, "LABELS", first).texts(1, "LABELS2", second);
    for (int i = 0; i < 300; ++i) b.point(i, i, i, 0);
    const model::Trial t = test::read_c3d(b.build()).asset.trial;
    ASSERT_EQ(t.markers.count(), 300u);
    EXPECT_EQ(t.markers.info[254].label, "M255");
    EXPECT_EQ(t.markers.info[255].label, "M256");
    EXPECT_EQ(t.markers.info[299].label, "M300");
}

TEST(C3dRead, EveryTypeWithNoneToSevenDimensions) {
    C3dBuilder b;
    b.point_group(1).group(4, "MINE", "my own", false);
    std::vector<int> dimensions;
    for (int n = 0; n <= 7; ++n) {
        const std::string name = "D" + std::to_string(n);
        std::size_t count = 1;
        for (const int d : dimensions) count *= static_cast<std::size_t>(d);
        test::C3dBytes words(84), reals(84), bytes(84);
        std::string texts;
        for (std::size_t i = 0; i < count; ++i) {
            const int value = static_cast<int>(i);
            words.word(value * 3), reals.real(value * 0.5), bytes.byte(value),
                texts += static_cast<char>('A' + i);
        }
        b.parameter(4, name + "W", 2, dimensions, words.bytes, "words")
            .parameter(4, name + "R", 4, dimensions, reals.bytes);
        b.parameter(4, name + "B", 1, dimensions, bytes.bytes, "", true);
        b.parameter(4, name + "T", -1, dimensions, texts);
        dimensions.push_back(n < 2 ? 3 : n == 2 ? 2 : 1);
    }
    b.parameter(4, "NONE", 4, {3, 0}, "");
    const C3dResult result = test::read_c3d(b.build());
    EXPECT_TRUE(result.warnings.empty()) << result.codes();
    const model::Parameters& p = result.asset.trial.parameters;
    EXPECT_EQ(std::get<std::vector<std::int16_t>>(p.find("MINE", "D0W")->values),
              std::vector<std::int16_t>{0});
    EXPECT_EQ(std::get<std::vector<std::string>>(p.find("MINE", "D0T")->values),
              std::vector<std::string>{"A"});
    EXPECT_EQ(std::get<std::vector<std::string>>(p.find("MINE", "D2T")->values),
              (std::vector<std::string>{"ABC", "DEF", "GHI"}));
    EXPECT_EQ(p.find("MINE", "D7R")->dimensions, (std::vector<std::uint8_t>{3, 3, 2, 1, 1, 1, 1}));
    EXPECT_EQ(p.find("MINE", "D7R")->number(17), 8.5);
    EXPECT_EQ(p.find("MINE", "D3B")->number(17), 17);
    EXPECT_TRUE(p.find("MINE", "D3B")->locked);
    EXPECT_EQ(p.find("MINE", "D1W")->description, "words");
    EXPECT_TRUE(p.find("MINE", "NONE")->empty());
}

TEST(C3dRead, ModelOutputsAreNoMarkers) {
    C3dBuilder b;
    b.points = 4;
    b.point_group(2).texts(1, "ANGLES", {"b"}).texts(1, "MOMENTS", {"d"});
    b.texts(1, "TYPE_GROUPS", {"ANGLES", "ANGLE", "MOMENTS", "MOMENT"}, {7, 2, 2});
    b.texts(1, "ANGLE_UNITS", {"deg"}).texts(1, "MOMENT_UNITS", {"Nmm"});
    for (int f = 0; f < 2; ++f) {
        b.point(1, f, 0, 0).point(0, 0, 0, 0).point(3, f, 0, 0).point(4, 4, 4, f == 0 ? 0 : -1);
    }
    const model::Trial t = test::read_c3d(b.build()).asset.trial;
    ASSERT_EQ(t.markers.count(), 2u);
    ASSERT_EQ(t.outputs.count(), 2u);
    EXPECT_EQ(t.markers.info[1].label, "c");
    EXPECT_EQ(t.markers.at(1, 1), math::Vec3f(3, 1, 0));
    EXPECT_EQ(t.outputs.info[0].kind, model::PointKind::angle);
    EXPECT_EQ(t.outputs.info[0].unit, "deg");
    EXPECT_EQ(t.outputs.info[1].kind, model::PointKind::moment);
    EXPECT_TRUE(t.outputs.valid(1, 0)) << "an angle of zero is an angle";
    EXPECT_FALSE(t.outputs.valid(1, 1));
}

TEST(C3dRead, SegmentRotationsFollowTheData) {
    C3dBuilder b;
    b.points = 0;
    b.point_group(2).group(9, "ROTATION").words(9, "USED", {1}).words(9, "DATA_START", {0});
    b.reals(9, "RATE", {200}).words(9, "RATIO", {2}).texts(9, "LABELS", {"Pelvis"});
    test::C3dBytes rotations(84);
    for (int s = 0; s < 4; ++s) {
        for (int i = 0; i < 16; ++i) rotations.real(100 * s + i);
        rotations.real(s == 3 ? -1 : 0.5);
    }
    b.rotations = rotations.bytes;
    const C3dResult result = test::read_c3d(b.build());
    const model::SegmentRotations& r = result.asset.trial.rotations;
    EXPECT_EQ(result.asset.trial.frames, 2u);
    ASSERT_EQ(r.samples(), 4u);
    EXPECT_EQ(r.samples_per_frame, 2u);
    EXPECT_EQ(r.labels[0], "Pelvis");
    EXPECT_EQ(r.matrices[2](1, 3), 213);  // column 3, row 1
    EXPECT_EQ(r.reliability[2], 0.5f);
    EXPECT_LT(r.reliability[3], 0);
}

TEST(C3dRead, AxesComeFromTheScreenAndUnitsFromTheirName) {
    const auto world = [](std::vector<std::string> axes, const std::string& unit,
                          const ReadOptions& options = {}) {
        C3dBuilder b;
        b.points = 1;
        b.group(1, "POINT").words(1, "USED", {1}).words(1, "FRAMES", {1}).reals(1, "SCALE", {-1});
        b.texts(1, "X_SCREEN", {axes[0]}).texts(1, "Y_SCREEN", {axes[1]}).texts(1, "UNITS", {unit});
        b.point(1, 2, 3, 0);
        return model::world_position(test::read_c3d(b.build(), options).asset.trial, 0, 0);
    };
    EXPECT_LT((world({"+X", "+Z"}, "m") - Vec3d(1, 3, -2)).norm(), 1e-9);
    EXPECT_LT((world({"+Y", "+Z"}, "mete") - Vec3d(2, 3, 1)).norm(), 1e-9);
    EXPECT_LT((world({"+X", "+Y"}, "mm") - Vec3d(0.001, 0.002, 0.003)).norm(), 1e-9);
    EXPECT_LT((world({"-X", "-Z"}, "cm") - Vec3d(-0.01, -0.03, -0.02)).norm(), 1e-9);
    EXPECT_LT((world({"+Z", "+X"}, "in") - 0.0254 * Vec3d(3, 1, 2)).norm(), 1e-9);
    ReadOptions options;
    options.units = "cm";
    options.up = "y";
    EXPECT_LT((world({"+X", "+Z"}, "m", options) - Vec3d(0.01, 0.02, 0.03)).norm(), 1e-9);
    options.up = "w";
    EXPECT_THROW(world({"+X", "+Z"}, "m", options), Error);
}

TEST(C3dRead, UnitsAndAxesAreGuessedFromTheDataWhenNobodySays) {
    const auto guessed = [](double size, int up) {
        C3dBuilder b;
        b.points = 3;
        b.group(1, "POINT").words(1, "USED", {3}).words(1, "FRAMES", {1}).reals(1, "SCALE", {-1});
        b.texts(1, "LABELS", {"LASI", "LHEE", "RTOE"});
        for (const double height : {1.0, 0.0, 0.1}) {
            double p[3] = {0.1, 0.2, 0.3};
            p[up] = height;
            b.point(size * p[0], size * p[1], size * p[2], 0);
        }
        return test::read_c3d(b.build()).asset;
    };
    for (const auto& [size, unit] : {std::pair(1.0, "m"), std::pair(100.0, "cm"), std::pair(1000.0, "mm")}) {
        for (int up = 0; up < 3; ++up) {
            const Asset asset = guessed(size, up);
            EXPECT_EQ(asset.trial.unit, unit);
            EXPECT_NEAR(model::world_position(asset.trial, 0, 0).y(), 1, 1e-6);
            ASSERT_EQ(asset.guesses.size(), 2u);
            EXPECT_EQ(asset.guesses[0].subject, "units");
            EXPECT_EQ(asset.guesses[1].value, std::string(1, "xyz"[up]));
        }
    }
}

TEST(C3dRead, PlatformsHaveTheirChannelsAndCorners) {
    C3dBuilder b;
    b.scale = 1;
    b.analog_values = 9;
    b.samples = 1;
    b.point_group(1).group(2, "ANALOG").words(2, "USED", {9});
    b.group(3, "FORCE_PLATFORM").words(3, "USED", {3}).words(3, "TYPE", {3, 4, 2}).words(3, "ZERO", {1, 1});
    b.words(3, "CHANNEL", {1, 2, 3, 4, 5, 6, 7, 8, 9, 8, 7, 6, 5, 4, 0, 0, 1, 2, 3, 4, 5, 99, 0, 0}, {8, 3});
    std::vector<double> corners, matrices;
    for (int i = 0; i < 36; ++i) corners.push_back(i);
    for (int i = 0; i < 108; ++i) matrices.push_back(i);
    b.reals(3, "CORNERS", corners, {3, 4, 3}).reals(3, "ORIGIN", {1, 2, -3, 4, 5, -6, 7, 8, -9}, {3, 3});
    b.reals(3, "CAL_MATRIX", matrices, {6, 6, 3});
    for (int i = 0; i < 9; ++i) b.value(i);
    const C3dResult result = test::read_c3d(b.build());
    const std::vector<model::ForcePlatform>& plates = result.asset.trial.platforms;
    ASSERT_EQ(plates.size(), 2u);  // the third names channel 99
    EXPECT_TRUE(result.has("c3d-platform"));
    EXPECT_EQ(plates[0].type, 3);
    EXPECT_EQ(plates[0].channels, (std::vector<int>{0, 1, 2, 3, 4, 5, 6, 7}));
    EXPECT_EQ(plates[0].zero_frames, (std::array{1, 1}));
    EXPECT_EQ(plates[1].channels, (std::vector<int>{8, 7, 6, 5, 4, 3}));
    EXPECT_EQ(plates[1].corners[1], math::Vec3f(15, 16, 17));
    EXPECT_EQ(plates[1].origin, math::Vec3f(4, 5, -6));
    EXPECT_EQ(plates[1].calibration[1], 37);
}

}  // namespace c3d_read_test
}  // namespace sinew::io
