// SPDX-License-Identifier: MIT
// Curves that speak against themselves are said to.

#include <cmath>

#include <gtest/gtest.h>

#include "sinew/gait/report.h"
#include "sinew/math/quaternion.h"

namespace sinew::gait {
namespace {

using math::Quatd;
using math::Vec3d;
using model::Side;

/// A knee that bends by 0 to 60 degrees like a hinge, seen from a thigh and by a shank that are turned about
/// their long axes.
GaitTraces hinge(double thigh, double shank, double varus = 0) {
    GaitTraces traces;
    for (int f = 0; f < 100; ++f) {
        const double flexion = 30 - 30 * std::cos(2 * math::pi * f / 100);
        const Quatd rotation = math::axis_angle<double>(Vec3d::UnitZ(), -math::radians(thigh)) *
                               math::axis_angle<double>(Vec3d::UnitY(), math::radians(flexion)) *
                               math::axis_angle<double>(Vec3d::UnitX(), math::radians(varus)) *
                               math::axis_angle<double>(Vec3d::UnitZ(), math::radians(shank));
        const Vec3d a = math::degrees(1) * math::to_euler({1, 0, 2}, rotation);
        for (const Side side : {Side::left, Side::right}) {
            const double sign = side == Side::left ? -1 : 1;
            traces.of(side, GaitCurve::hip_rotation).push_back(0);
            traces.of(side, GaitCurve::knee_flexion).push_back(a[0]);
            traces.of(side, GaitCurve::knee_adduction).push_back(sign * a[1]);
            traces.of(side, GaitCurve::knee_rotation).push_back(sign * a[2]);
        }
    }
    return traces;
}

const std::string& doubt(const CurveDoubts& doubts, std::size_t side, GaitCurve curve) {
    return doubts[side][static_cast<std::size_t>(curve)];
}

TEST(GaitDoubts, AThighTurnedAboutItsAxisIsNoticed) {
    for (const double turn : {20.0, -20.0}) {
        const CurveDoubts doubts = doubts_of(hinge(turn, turn));
        for (const std::size_t side : {0u, 1u}) {
            for (const GaitCurve curve :
                 {GaitCurve::hip_rotation, GaitCurve::knee_adduction, GaitCurve::knee_rotation})
                EXPECT_NE(doubt(doubts, side, curve).find("an axis 20° from"), std::string::npos)
                    << doubt(doubts, side, curve);
            EXPECT_TRUE(doubt(doubts, side, GaitCurve::hip_flexion).empty());
            EXPECT_TRUE(doubt(doubts, side, GaitCurve::knee_flexion).empty());
        }
    }
}

TEST(GaitDoubts, WhatMarkersAreUsuallyOffByIsNot) {
    for (const CurveDoubts& doubts :
         {doubts_of(hinge(0, 0)), doubts_of(hinge(8, 8)), doubts_of(hinge(0, 20)), doubts_of({})})
        for (const auto& side : doubts)
            for (const std::string& each : side) EXPECT_EQ(each, "");
}

TEST(GaitDoubts, KneesThatNobodyHas) {
    const CurveDoubts turned = doubts_of(hinge(0, 35)), bowed = doubts_of(hinge(0, 0, 12));
    EXPECT_NE(doubt(turned, 0, GaitCurve::knee_rotation).find("turned by 35°"), std::string::npos);
    EXPECT_NE(doubt(turned, 1, GaitCurve::ankle_rotation).find("turned by 35°"), std::string::npos);
    EXPECT_TRUE(doubt(turned, 0, GaitCurve::hip_rotation).empty()) << "that is a matter of the shank";
    EXPECT_NE(doubt(bowed, 1, GaitCurve::hip_rotation).find("12° in v"), std::string::npos);
}

TEST(GaitDoubts, TheyAreOnThePageInTheTableAndInTheReport) {
    GaitAnalysis a;
    a.rate = 100;
    a.frames = 100;
    a.traces = hinge(20, 20);
    a.doubts = doubts_of(a.traces);
    GaitPage page;
    const std::string html = gait_page(page, a), csv = to_csv(a);
    EXPECT_NE(html.find("curve left doubt"), std::string::npos);
    EXPECT_NE(html.find("left, right: do not rely on it"), std::string::npos);
    EXPECT_NE(csv.find("untrusted,left,hip_rotation,"), std::string::npos);
    const Json json = to_json(a);
    ASSERT_FALSE(json["untrusted"].empty());
    EXPECT_EQ(json["untrusted"][0]["curve"], "hip_rotation");
    a.doubts = {};
    EXPECT_EQ(gait_page(page, a).find("do not rely"), std::string::npos);
    EXPECT_EQ(gait_page(page, a).find("curve left doubt"), std::string::npos);
}

/// Markers of a walk without a wand on the left thigh in some frames.
TEST(GaitDoubts, WhatNoMarkerShowedIsNotInACurve) {
    model::GaitCycle cycle;
    for (const Side side : {Side::left, Side::right})
        for (const char* const name : {"HipFlexExt", "HipRotation", "KneeFlexExt", "KneeRotation"})
            cycle.variables.push_back({name, side, 1, std::vector<double>(101, 5.0)});
    CycleOptions options;
    options.rate = 100;
    const model::Character body = play_cycle(cycle, options);
    model::Trial trial;
    trial.rate = 100;
    trial.frames = model::frame_count(body.clips[0]);
    ASSERT_GT(trial.frames, 60u);
    for (const char* const label : {"LASI", "RASI", "SACR", "LTHI", "LKNE", "LTIB", "LANK", "LHEE", "LTOE",
                                    "RKNE", "RTHI", "RTIB", "RANK", "RHEE", "RTOE"}) {
        model::PointInfo info;
        info.label = label;
        trial.markers.info.push_back(info);
    }
    for (std::size_t f = 0; f < trial.frames; ++f)
        for (std::size_t m = 0; m < trial.markers.count(); ++m) {
            const bool hidden = m == 3 && f >= 20 && f < 40;
            trial.markers.positions.push_back(math::Vec3f::Constant(
                hidden ? std::numeric_limits<float>::quiet_NaN() : static_cast<float>(m)));
            trial.markers.residuals.push_back(hidden ? model::Points::missing : 0);
        }
    GaitOptions how;
    how.angles = AngleSource::solved;
    const GaitAnalysis a = analyse_gait(trial, how, silent(), &body);
    const auto& rotation = a.traces.of(Side::left, GaitCurve::hip_rotation);
    EXPECT_TRUE(std::isfinite(rotation[19]) && std::isfinite(rotation[40]));
    for (std::size_t f = 20; f < 40; ++f) EXPECT_TRUE(std::isnan(rotation[f])) << f;
    for (const GaitCurve curve : {GaitCurve::hip_flexion, GaitCurve::knee_flexion})
        EXPECT_TRUE(std::isfinite(a.traces.of(Side::left, curve)[30])) << "the knee was seen";
    EXPECT_TRUE(std::isfinite(a.traces.of(Side::right, GaitCurve::hip_rotation)[30]));
}

}  // namespace
}  // namespace sinew::gait
