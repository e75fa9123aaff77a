// SPDX-License-Identifier: MIT
// The conventional gait model on a body whose angles are known, and on files that store its angles.

#include "support/data.h"
#include <gtest/gtest.h>

#include "sinew/base/error.h"
#include "sinew/gait/gait.h"
#include "sinew/io/io.h"
#include "sinew/math/quaternion.h"

namespace sinew::gait {
namespace {

using math::Mat3d;
using math::Vec3d;
using model::Side;

constexpr double leg_length = 0.9, knee_width = 0.1, ankle_width = 0.07, asis = 0.24, radius = 0.007;

Mat3d rotation(int axis, double degrees) {
    return math::axis_angle<double>(Vec3d::Unit(axis), math::radians(degrees)).toRotationMatrix();
}

/// How a laboratory put its markers, in degrees: wands beside the plane of the knee, an ankle axis that the
/// torsion of the tibia turns outwards.
struct Placement {
    double thigh_wand = 0, torsion = 0;
    bool segments = false;  ///< the file stores joint centres and axes as Plug-in Gait does
};

/// Angles of one leg in degrees, with clinical signs.
struct Pose {
    double hip_flexion = 0, hip_adduction = 0, hip_rotation = 0, knee_flexion = 0, dorsiflexion = 0;
};

/// A trial with z up that walks along x, in millimetres. Markers are put where the model assumes them.
class MarkerBody {
  public:
    explicit MarkerBody(const Placement& placement = {}) : placement_(placement) {
        trial_.rate = 100;
        trial_.to_world.scale = 0.001;
        trial_.to_world.rotation = math::axis_angle<double>(Vec3d::UnitX(), -math::pi / 2);
        for (const char* const label : {"LASI", "RASI", "LPSI", "RPSI", "LTHI", "LKNE", "LTIB", "LANK",
                                        "LHEE", "LTOE", "RTHI", "RKNE", "RTIB", "RANK", "RHEE", "RTOE"})
            name(label);
        for (const char* const label :
             {"LFEP", "LFEO", "LTIO", "LTIL", "LTOO", "LTOP", "RFEP", "RFEO", "RTIO", "RTIL", "RTOO", "RTOP"})
            if (placement_.segments) name(label);
    }

    void add(const Vec3d& pelvis, double tilt, const Pose& pose) {
        const Mat3d axes = rotation(1, tilt);  // forward, left, up of the laboratory are x, y, z
        std::vector<Vec3d> points = {
            pelvis + axes * Vec3d(0, asis / 2, 0), pelvis + axes * Vec3d(0, -asis / 2, 0),
            pelvis + axes * Vec3d(-0.15, 0.05, 0), pelvis + axes * Vec3d(-0.15, -0.05, 0)};
        std::vector<Vec3d> stored;
        for (const double side : {1.0, -1.0}) {
            const double c = 0.115 * leg_length - 0.0153, depth = 0.1288 * leg_length - 0.04856 + radius;
            const Vec3d hip =
                pelvis + axes * Vec3d(c * std::cos(0.5) * std::sin(0.314) - depth * std::cos(0.314),
                                      side * (asis / 2 - c * std::sin(0.5)),
                                      -c * std::cos(0.5) * std::cos(0.314) - depth * std::sin(0.314));
            const Mat3d thigh = axes * rotation(1, -pose.hip_flexion) *
                                rotation(0, -side * pose.hip_adduction) *
                                rotation(2, -side * pose.hip_rotation);
            const Mat3d shank = thigh * rotation(1, pose.knee_flexion);
            const Mat3d distal = shank * rotation(2, side * placement_.torsion);
            const Mat3d foot = distal * rotation(1, -pose.dorsiflexion);
            const Vec3d knee = hip - 0.42 * thigh.col(2), ankle = knee - 0.4 * shank.col(2);
            const Vec3d knee_marker = knee + side * (knee_width / 2 + radius) * thigh.col(1),
                        ankle_marker = ankle + side * (ankle_width / 2 + radius) * distal.col(1);
            const Mat3d wand = thigh * rotation(2, side * placement_.thigh_wand);
            points.push_back(knee_marker + 0.2 * thigh.col(2) + side * 0.03 * wand.col(1));
            points.push_back(knee_marker);
            points.push_back(ankle_marker + 0.2 * shank.col(2) + side * 0.03 * distal.col(1));
            points.push_back(ankle_marker);
            points.push_back(ankle + foot * Vec3d(-0.05, 0, -0.06));
            points.push_back(ankle + foot * Vec3d(0.14, 0, -0.06));
            for (const Vec3d& point :
                 {hip, knee, ankle, Vec3d(ankle + 0.1 * shank.col(1)),
                  Vec3d(ankle + foot * Vec3d(0.2, 0, -0.06)), Vec3d(ankle + foot * Vec3d(0.14, 0, -0.06))})
                if (placement_.segments) stored.push_back(point);
        }
        points.insert(points.end(), stored.begin(), stored.end());
        for (const Vec3d& point : points) {
            trial_.markers.positions.push_back((1000 * point).cast<float>());
            trial_.markers.residuals.push_back(0);
        }
        ++trial_.frames;
    }
    const model::Trial& trial() const { return trial_; }
    model::Trial& trial() { return trial_; }

  private:
    void name(const char* label) {
        model::PointInfo info;
        info.label = label;
        trial_.markers.info.push_back(info);
    }

    Placement placement_;
    model::Trial trial_;
};

BodyMeasures measures() {
    BodyMeasures m;
    for (const char* const text :
         {"LegLength=900", "KneeWidth=100", "AnkleWidth=70", "InterAsisDistance=240"})
        set_measure(m, text);
    return m;
}

TEST(ConventionalModel, KnownAnglesAreFoundOnBothSides) {
    MarkerBody standing, moving;
    standing.add({0, 0, 1}, 0, {});
    const Pose pose{30, 5, 8, 40, 12};
    moving.add({0, 0, 1}, 10, pose);
    moving.add({0.1, 0, 1}, 10, {});
    const ConventionalModel found = conventional_model(moving.trial(), measures(), &standing.trial());
    ASSERT_EQ(found.frames.size(), 2u);
    const GaitTraces angles = angles_of(found.frames, Vec3d::UnitX());
    for (const Side side : {Side::left, Side::right}) {
        using enum GaitCurve;
        EXPECT_NEAR(angles.of(side, pelvic_tilt)[0], 10, 0.01);
        EXPECT_NEAR(angles.of(side, pelvic_obliquity)[0], 0, 0.01);
        EXPECT_NEAR(angles.of(side, hip_flexion)[0], 30, 0.01);
        EXPECT_NEAR(angles.of(side, hip_adduction)[0], 5, 0.01);
        EXPECT_NEAR(angles.of(side, hip_rotation)[0], 8, 0.01);
        EXPECT_NEAR(angles.of(side, knee_flexion)[0], 40, 0.01);
        EXPECT_NEAR(angles.of(side, knee_adduction)[0], 0, 0.01);
        EXPECT_NEAR(angles.of(side, knee_rotation)[0], 0, 0.01);
        EXPECT_NEAR(angles.of(side, ankle_dorsiflexion)[0], 12, 0.01);
        EXPECT_NEAR(angles.of(side, ankle_rotation)[0], 0, 0.01);
        EXPECT_NEAR(angles.of(side, foot_progression)[1], 0, 0.01);
        EXPECT_TRUE(angles.of(side, elbow_flexion).empty());
    }
}

TEST(ConventionalModel, JointCentresAreThoseOfTheBody) {
    MarkerBody standing;
    standing.add({0, 0, 1}, 0, {});
    const ConventionalModel found = conventional_model(standing.trial(), measures(), &standing.trial());
    const LegFrame& leg = found.frames[0].legs[0];
    EXPECT_NEAR((leg.hip - leg.knee).norm(), 0.42, 1e-5);
    EXPECT_NEAR((leg.knee - leg.ankle).norm(), 0.40, 1e-5);
    // Davis 1991 by hand: 0.115 * 0.9 - 0.0153 = 0.0882, 0.12 - 0.0882 sin 0.5 = 0.077715 m aside.
    EXPECT_NEAR(-leg.hip.z(), 0.077715, 1e-5);
}

TEST(ConventionalModel, WhatIsMissingIsNamed) {
    MarkerBody body;
    body.add({0, 0, 1}, 0, {});
    try {
        conventional_model(body.trial(), {});
        FAIL();
    } catch (const Error& error) {
        EXPECT_NE(std::string(error.what()).find("LKneeWidth"), std::string::npos);
    }
    body.trial().markers.info[4].label = "*1";
    try {
        conventional_model(body.trial(), measures());
        FAIL();
    } catch (const Error& error) {
        EXPECT_NE(std::string(error.what()).find("LTHI"), std::string::npos);
    }
    body.trial().markers.info[4].label = "LTHI";
    // Without a static trial and without offsets the foot is unknown, and said to be.
    const ConventionalModel found = conventional_model(body.trial(), measures());
    EXPECT_EQ(found.notes.size(), 2u);
    EXPECT_TRUE(
        angles_of(found.frames, Vec3d::UnitX()).of(Side::left, GaitCurve::ankle_dorsiflexion).empty());
}

TEST(ConventionalModel, APelvisThatNobodyHasIsAnError) {
    const auto error_of = [](const model::Trial& trial) -> std::string {
        try {
            conventional_model(trial, measures());
        } catch (const Error& error) {
            return error.what();
        }
        return {};
    };
    MarkerBody body;
    body.add({0, 0, 1}, 0, {});
    EXPECT_EQ(error_of(body.trial()), "");
    auto& info = body.trial().markers.info;
    std::swap(info[0].label, info[1].label), std::swap(info[2].label, info[3].label);
    EXPECT_NE(error_of(body.trial()).find("the pelvis is upside down"), std::string::npos);
    std::swap(info[0].label, info[1].label), std::swap(info[2].label, info[3].label);
    body.trial().to_world.scale = 0.01;
    EXPECT_NE(error_of(body.trial()).find("2.4 m apart"), std::string::npos);
}

TEST(ConventionalModel, MeasuresComeFromParametersAndPeople) {
    model::Trial trial;
    model::Parameter width;
    width.name = "LKNEEWIDTH";
    width.values = std::vector<float>{102};
    trial.parameters.set("PROCESSING", width);
    width.name = "BODYMASS";
    width.values = std::vector<float>{74};
    trial.parameters.set("PROCESSING", width);
    BodyMeasures m = measures_of(trial);
    EXPECT_NEAR(*m.legs[0].knee_width, 0.102, 1e-9);
    EXPECT_FALSE(m.legs[1].knee_width.has_value());
    EXPECT_NEAR(*m.mass, 74, 1e-9);
    set_measure(m, "RLegLength=920");
    EXPECT_NEAR(*m.leg_length(), 0.92, 1e-9);
    EXPECT_THROW(set_measure(m, "Shoe=43"), Error);
    EXPECT_THROW(set_measure(m, "KneeWidth"), Error);
}

TEST(ConventionalModel, BodiesAreReadAsLaboratoriesWriteThem) {
    const auto read = [](std::string name, model::Parameter::Values value) {
        model::Trial trial;
        model::Parameter parameter;
        parameter.name = std::move(name);
        parameter.values = std::move(value);
        trial.parameters.set("SUBJECT", parameter);
        return measures_of(trial);
    };
    EXPECT_NEAR(*read("WEIGHT", std::vector<float>{82.7f}).mass, 82.7, 1e-4);
    for (const float height : {1630.0f, 163.0f, 1.63f})
        EXPECT_NEAR(*read("HEIGHT", std::vector<float>{height}).height, 1.63, 1e-4) << height;
    for (const float height : {0.0f, 3.0f, 30.0f, 1e5f})
        EXPECT_FALSE(read("HEIGHT", std::vector<float>{height}).height.has_value()) << height;
    EXPECT_EQ(read("GENDER", std::vector<std::string>{"f"}).sex, Sex::female);
    EXPECT_EQ(read("SEX", std::vector<std::string>{"Male"}).sex, Sex::male);
    EXPECT_FALSE(read("SEX", std::vector<std::string>{"M,F"}).sex.has_value());
}

TEST(ConventionalModel, AnglesThatCannotBeComputedAreAnError) {
    MarkerBody body;
    for (int f = 0; f < 20; ++f) body.add({0.01 * f, 0, 1}, 0, {});
    GaitOptions options;
    options.angles = AngleSource::solved;
    EXPECT_THROW(analyse_gait(body.trial(), options), Error);  // no measures, and no fitted skeleton
    options.measures = measures();
    EXPECT_EQ(analyse_gait(body.trial(), options).traces.source, "the conventional gait model");
    options.angles = AngleSource::file;
    EXPECT_THROW(analyse_gait(body.trial(), options), Error);
}

TEST(ConventionalModel, MeasuresAreReadOffTheSegmentsThatAFileStores) {
    MarkerBody body({12, 20, true});
    const Pose pose{30, 5, 8, 40, 12};
    for (int f = 0; f < 20; ++f) body.add({0.01 * f, 0, 1}, 10, pose);
    const BodyMeasures found = measures_of(body.trial());
    EXPECT_TRUE(found.recovered);
    EXPECT_NEAR(*found.asis_width, asis, 1e-4);
    for (const LegMeasures& leg : found.legs) {
        EXPECT_NEAR(*leg.leg_length, leg_length, 1e-3);
        EXPECT_NEAR(*leg.knee_width, knee_width, 1e-5);
        EXPECT_NEAR(*leg.ankle_width, ankle_width, 1e-5);
        EXPECT_NEAR(math::degrees(*leg.tibial_torsion), -20, 0.01) << "outwards is negative";
        EXPECT_GT(std::abs(math::degrees(*leg.thigh_rotation)), 2);
    }
    GaitOptions options;
    options.angles = AngleSource::solved;
    const GaitAnalysis a = analyse_gait(body.trial(), options);
    EXPECT_NE(a.traces.source.find("segments that the file stores"), std::string::npos);
    for (const Side side : {Side::left, Side::right}) {
        using enum GaitCurve;
        EXPECT_NEAR(a.traces.of(side, hip_flexion)[3], 30, 0.02);
        EXPECT_NEAR(a.traces.of(side, hip_adduction)[3], 5, 0.02);
        EXPECT_NEAR(a.traces.of(side, hip_rotation)[3], 8, 0.02);
        EXPECT_NEAR(a.traces.of(side, knee_flexion)[3], 40, 0.02);
        EXPECT_NEAR(a.traces.of(side, knee_adduction)[3], 0, 0.02);
        EXPECT_NEAR(a.traces.of(side, knee_rotation)[3], 0, 0.02);
        EXPECT_NEAR(a.traces.of(side, ankle_dorsiflexion)[3], 12, 0.02);
        EXPECT_NEAR(a.traces.of(side, ankle_rotation)[3], 0, 0.02);
    }
    // Points that only look like segments, and move against the markers, are none.
    for (int f = 0; f < 20; ++f)
        body.trial().markers.positions[static_cast<std::size_t>(28 * f + 17)].x() +=
            static_cast<float>(5 * (f % 5));
    EXPECT_FALSE(measures_of(body.trial()).recovered);
}

TEST(ConventionalModelRealData, AnglesWithinThreeDegreesWhereOnlySegmentsAreStored) {
    SINEW_NEEDS_DATA();
    const GaitAnalysis a = analyse_gait(io::read(test::data("c3d/PlugInC3D.c3d")).trial);
    ASSERT_EQ(a.agreement.size(), 1u);
    EXPECT_EQ(a.agreement[0].model, AngleModel::conventional);
    for (const std::size_t s : {0u, 1u})
        for (std::size_t i = 0; i <= static_cast<std::size_t>(GaitCurve::ankle_rotation); ++i)
            EXPECT_LT(a.agreement[0].rms[s][i].value(), 3) << info(curve_at(i)).key;
}

TEST(ConventionalModelRealData, EqualsTheAnglesThatPlugInGaitStored) {
    SINEW_NEEDS_DATA();
    GaitOptions options;
    options.standing = io::read(test::data("c3d/PiG_static.c3d")).trial;
    const GaitAnalysis a = analyse_gait(io::read(test::data("c3d/PiG_walk.c3d")).trial, options);
    ASSERT_EQ(a.agreement.size(), 1u);
    for (const std::size_t s : {0u, 1u}) {
        for (std::size_t i = 0; i <= static_cast<std::size_t>(GaitCurve::ankle_rotation); ++i)
            EXPECT_LT(a.agreement[0].rms[s][i].value(), 0.01) << info(curve_at(i)).key;
        for (const GaitCurve moment : {GaitCurve::hip_moment, GaitCurve::knee_moment, GaitCurve::ankle_moment,
                                       GaitCurve::hip_side_moment, GaitCurve::knee_side_moment})
            EXPECT_LT(a.agreement[0].rms[s][static_cast<std::size_t>(moment)].value(), 0.08)
                << info(moment).key;
        for (const GaitCurve power : {GaitCurve::hip_power, GaitCurve::knee_power, GaitCurve::ankle_power})
            EXPECT_LT(a.agreement[0].rms[s][static_cast<std::size_t>(power)].value(), 0.3) << info(power).key;
    }
}

TEST(ConventionalModelRealData, StoredMomentsOfHalfTheCyclesGiveWayToComputedOnes) {
    SINEW_NEEDS_DATA();
    const model::Trial trial = io::read(test::data("c3d/PiG_walk.c3d")).trial;
    const GaitAnalysis a = analyse_gait(trial);
    for (const Side side : {Side::left, Side::right})
        for (const GaitCurve curve : {GaitCurve::hip_moment, GaitCurve::ankle_power})
            EXPECT_FALSE(a.curve(side, curve).empty()) << info(curve).key;
    EXPECT_TRUE(std::ranges::any_of(a.notes, [](const std::string& note) {
        return note.starts_with("moments and powers are computed");
    }));
}

TEST(GaitModels, AFitThatDisagreesWithTheFileIsDoubted) {
    MarkerBody body;
    for (int f = 0; f < 20; ++f) body.add({0.01 * f, 0, 1}, 0, {20, 0, 0, 30, 0});
    model::Trial trial = body.trial();
    model::PointInfo stored;
    stored.label = "LHipAngles";
    stored.kind = model::PointKind::angle;
    trial.outputs.info = {stored};
    for (int f = 0; f < 20; ++f) {
        trial.outputs.positions.emplace_back(20.0f, 0.0f, 45.0f);  // 45 degrees off in rotation
        trial.outputs.residuals.push_back(0);
    }
    GaitOptions options;
    options.measures = measures();
    const GaitAnalysis a = analyse_gait(trial, options);
    EXPECT_NEAR(*a.agreement.at(0).rms[0][static_cast<std::size_t>(GaitCurve::hip_flexion)], 0, 0.01);
    EXPECT_NEAR(*a.agreement.at(0).rms[0][static_cast<std::size_t>(GaitCurve::hip_rotation)], 45, 0.1);
    EXPECT_TRUE(std::ranges::any_of(a.notes, [](const std::string& note) {
        return note.find("left hip rotation by 45°") != std::string::npos;
    }));
}

}  // namespace
}  // namespace sinew::gait
