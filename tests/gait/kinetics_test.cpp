// SPDX-License-Identifier: MIT
// Forces, moments, powers and muscles with known answers.

#include <cmath>

#include <gtest/gtest.h>

#include "sinew/base/error.h"
#include "sinew/gait/report.h"

namespace sinew::gait {
namespace {

using math::Mat3d;
using math::Vec3d;
using model::Side;

constexpr double mass = 70, g = 9.81, thigh = 0.42, shank = 0.4, foot = 0.2, rate = 100;

/// A straight left leg below a hip at a fixed position, turned forward about the left axis by an angle; it
/// walks along +z, its left is +x.
BodyFrame leg_at(double angle) {
    BodyFrame body;
    Mat3d upright;
    upright << Vec3d::UnitZ(), Vec3d::UnitX(), Vec3d::UnitY();
    const Mat3d turn = Eigen::AngleAxisd(-angle, Vec3d::UnitX()).toRotationMatrix();
    body.pelvis = upright;
    LegFrame& leg = body.legs[0];
    leg.thigh = leg.shank = leg.ankle_axes = leg.foot = turn * upright;
    leg.hip = Vec3d(0.1, 1, 0);
    leg.knee = leg.hip - thigh * (turn * Vec3d::UnitY());
    leg.ankle = leg.knee - shank * (turn * Vec3d::UnitY());
    leg.toe = leg.ankle + foot * (turn * Vec3d::UnitZ());
    return body;
}

GroundReactions one_hit(std::size_t frames) {
    GroundReactions ground;
    PlateHit hit;
    hit.side = Side::left;
    hit.start = 0, hit.end = static_cast<double>(frames) / rate;
    hit.clean = true;
    ground.hits = {hit};
    for (auto& each : ground.feet) each.resize(frames);
    return ground;
}

TEST(Kinetics, StandingOnOneLegIsStatics) {
    const std::vector<BodyFrame> frames(60, leg_at(0));
    GroundReactions ground = one_hit(60);
    for (GroundReaction& each : ground.feet[0]) {
        each.force = Vec3d(0, mass * g, 0);
        each.center = frames[0].legs[0].ankle + Vec3d(0, -0.05, 0.08);  // 8 cm before the ankle
    }
    GaitTraces traces;
    add_kinetics(frames, rate, ground, {}, mass, Vec3d::UnitZ(), traces);
    const auto at = [&](GaitCurve curve) { return traces.of(Side::left, curve).at(30); };
    // Plantar flexor: the force has an arm of 8 cm, the foot's own weight one of 10 cm.
    EXPECT_NEAR(at(GaitCurve::ankle_moment), g * 0.08 - 0.0145 * g * 0.1, 1e-6);
    // Above it everything is in line with the hip: extensor moments hold the same force, of the other sign.
    EXPECT_NEAR(at(GaitCurve::knee_moment), -(g * 0.08 - 0.0145 * g * 0.1), 1e-6);
    EXPECT_NEAR(at(GaitCurve::hip_moment), g * 0.08 - 0.0145 * g * 0.1, 1e-6);
    EXPECT_NEAR(at(GaitCurve::hip_side_moment), 0, 1e-6);
    EXPECT_NEAR(at(GaitCurve::ankle_power), 0, 1e-6);
    EXPECT_NEAR(at(GaitCurve::ground_up), g, 1e-9);
    EXPECT_TRUE(traces.of(Side::right, GaitCurve::hip_moment).empty());
}

TEST(Kinetics, ForceAsideNeedsAbductors) {
    const std::vector<BodyFrame> frames(60, leg_at(0));
    GroundReactions ground = one_hit(60);
    for (GroundReaction& each : ground.feet[0]) {
        each.force = Vec3d(0, mass * g, 0);
        each.center = frames[0].legs[0].ankle + Vec3d(-0.05, 0, 0.1);  // towards the right foot
    }
    GaitTraces traces;
    add_kinetics(frames, rate, ground, {}, mass, Vec3d::UnitZ(), traces);
    EXPECT_NEAR(traces.of(Side::left, GaitCurve::hip_side_moment).at(30), g * 0.05, 1e-6);
    EXPECT_NEAR(traces.of(Side::left, GaitCurve::knee_side_moment).at(30), g * 0.05, 1e-6);
}

TEST(Kinetics, ASwingingLegIsAPendulum) {
    // Half a swing a second: far below the filter.
    std::vector<BodyFrame> frames;
    const double w = math::pi, size = 0.4;
    for (int f = 0; f < 300; ++f) frames.push_back(leg_at(size * std::sin(w * f / rate)));
    GaitTraces traces;
    add_kinetics(frames, rate, one_hit(300), {}, mass, Vec3d::UnitZ(), traces);
    // Inertia about the hip and first moment of thigh, shank and foot, per kilogram of the body.
    const auto rod = [](double part, double gyration, double length) {
        return part * gyration * gyration * length * length;
    };
    const double leg = thigh + shank, rc = thigh + 0.433 * shank, rt = 0.433 * thigh;
    const double foot_arm2 = leg * leg + 0.01;  // the centre of the foot is 10 cm before the ankle
    const double inertia = rod(0.1, 0.323, thigh) + 0.1 * rt * rt + rod(0.0465, 0.302, shank) +
                           0.0465 * rc * rc + rod(0.0145, 0.475, foot) + 0.0145 * foot_arm2;
    for (const int f : {120, 150, 185}) {
        const double angle = size * std::sin(w * f / rate), acceleration = -w * w * angle;
        const double weight =
            g * ((0.1 * rt + 0.0465 * rc + 0.0145 * leg) * std::sin(angle) + 0.0145 * 0.1 * std::cos(angle));
        // Flexion (forward) is positive of the angle; the moment is positive for extension.
        EXPECT_NEAR(traces.of(Side::left, GaitCurve::hip_moment).at(f), -(inertia * acceleration + weight),
                    0.004)
            << f;
        const double speed = size * w * std::cos(w * f / rate);
        EXPECT_NEAR(traces.of(Side::left, GaitCurve::hip_power).at(f),
                    (inertia * acceleration + weight) * speed, 0.008)
            << f;
    }
}

/// A plate of 60 by 40 cm with its z axis down, and feet that step over it along x of the laboratory.
model::Trial step_on_plate(double other_foot) {
    model::Trial trial;
    trial.rate = 100;
    trial.frames = 150;
    trial.to_world.scale = 0.001;
    trial.to_world.rotation = math::axis_angle<double>(Vec3d::UnitX(), -math::pi / 2);
    trial.analog.samples_per_frame = 10;
    for (const char* const label : {"Fx1", "Fy1", "Fz1", "Mx1", "My1", "Mz1"}) {
        model::AnalogChannel channel;
        channel.label = label;
        channel.unit = label[0] == 'F' ? "N" : "Nmm";
        trial.analog.channels.push_back(channel);
    }
    model::ForcePlatform plate;
    plate.corners = {math::Vec3f(600, 0, 0), math::Vec3f(0, 0, 0), math::Vec3f(0, 400, 0),
                     math::Vec3f(600, 400, 0)};
    plate.channels = {0, 1, 2, 3, 4, 5};
    trial.platforms = {plate};
    const model::PlateFrame frame = model::plate_frame(plate);
    for (std::size_t s = 0; s < 1500; ++s) {
        const bool loaded = s >= 400 && s < 1000;
        // 700 N up at the position (300, 150) of the laboratory, in the axes of the plate.
        const Vec3d force = frame.axes.transpose() * Vec3d(0, 0, loaded ? 700 : 0);
        const Vec3d arm = frame.axes.transpose() * Vec3d(Vec3d(300, 150, 0) - frame.center);
        const Vec3d moment = arm.cross(force);
        for (const Vec3d& each : {force, moment})
            for (int axis = 0; axis < 3; ++axis)
                trial.analog.values.push_back(static_cast<float>(each[axis]));
    }
    for (const char* const label : {"LHEE", "LTOE", "RHEE", "RTOE", "SACR"}) {
        model::PointInfo info;
        info.label = label;
        trial.markers.info.push_back(info);
    }
    for (std::size_t f = 0; f < trial.frames; ++f) {
        const float x = static_cast<float>(10.0 * static_cast<double>(f));
        for (const math::Vec3f& each :
             {math::Vec3f(220, 150, 30), math::Vec3f(400, 150, 20),
              math::Vec3f(static_cast<float>(other_foot), 300, 30),
              math::Vec3f(static_cast<float>(other_foot) + 180, 300, 20), math::Vec3f(x, 200, 1000)}) {
            trial.markers.positions.push_back(each);
            trial.markers.residuals.push_back(0);
        }
    }
    return trial;
}

TEST(GroundReactions, AStepOfOneFootIsClean) {
    const model::Trial trial = step_on_plate(-900);
    const GroundReactions ground = ground_reactions(trial, gait_motion(trial));
    ASSERT_EQ(ground.hits.size(), 1u);
    EXPECT_TRUE(ground.hits[0].clean) << ground.hits[0].why;
    EXPECT_EQ(ground.hits[0].side, Side::left);
    EXPECT_NEAR(ground.hits[0].start, 0.4, 0.0011);
    EXPECT_NEAR(ground.hits[0].end, 1.0, 0.0011);
    const GroundReaction& middle = ground.feet[0][70];
    EXPECT_LT((middle.force - Vec3d(0, 700, 0)).norm(), 1e-3);
    EXPECT_LT((middle.center - Vec3d(0.3, 0, -0.15)).norm(), 1e-5);
    EXPECT_EQ(ground.feet[0][20].force.norm(), 0);
    GaitAnalysis a;
    a.frames = trial.frames, a.rate = trial.rate, a.ground = ground;
    const std::string mot = to_mot(a);
    EXPECT_NE(mot.find("nRows=150"), std::string::npos);
    EXPECT_NE(mot.find("\t700.000000\t"), std::string::npos) << mot.substr(0, 400);
    // Markers of the same file for OpenSim: where the force acts, in the trial's unit.
    const model::Trial upright = with_axes_of_mot(trial);
    const auto heel = static_cast<std::size_t>(trial.markers.find("LHEE"));
    const Vec3d at =
        trial.to_world.scale * upright.markers.positions[70 * trial.markers.count() + heel].cast<double>();
    EXPECT_LT((at - gait_motion(trial).leg(Side::left).heel[70]).norm(), 1e-6);
    EXPECT_LT((at - gait_motion(upright).leg(Side::left).heel[70]).norm(), 1e-6);
}

TEST(GroundReactions, TwoFeetOnAPlateAreNotUsed) {
    const model::Trial trial = step_on_plate(260);
    const GroundReactions ground = ground_reactions(trial, gait_motion(trial));
    ASSERT_EQ(ground.hits.size(), 1u);
    EXPECT_FALSE(ground.hits[0].clean);
    EXPECT_EQ(ground.hits[0].why, "the other foot is on the platform too");
    EXPECT_EQ(ground.feet[0][70].force.norm(), 0);
    GaitAnalysis a;
    a.ground = ground;
    EXPECT_THROW(to_mot(a), Error);
}

TEST(Emg, TheEnvelopeOfASineIsItsMean) {
    model::Trial trial;
    trial.name = "muscle";
    trial.rate = 100;
    trial.frames = 100;
    trial.analog.samples_per_frame = 10;
    for (const char* const label : {"EMG1", "Fz1", "Soleus"}) {
        model::AnalogChannel channel;
        channel.label = label;
        channel.unit = "V";
        trial.analog.channels.push_back(channel);
    }
    for (int s = 0; s < 1000; ++s) {
        const auto value = static_cast<float>(0.25 + std::sin(2 * math::pi * 100 * s / 1000.0 + 0.3));
        for (int c = 0; c < 3; ++c) trial.analog.values.push_back(value);
    }
    const std::vector<EmgChannel> found = emg_channels(trial);
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].label, "EMG1");
    EXPECT_NEAR(found[0].raw[0], 0.25 + std::sin(0.3), 1e-6);
    // The mean of ten samples of |sin| a period, 2 / pi in the limit.
    EXPECT_NEAR(found[0].envelope[500], 2 / math::pi, 0.02);
    for (int s = 400; s < 420; ++s)
        EXPECT_NEAR(found[0].rectified[static_cast<std::size_t>(s)],
                    std::abs(std::sin(2 * math::pi * 100 * s / 1000.0 + 0.3)), 0.01);
    // All three are in the page and in the drawing: raw, rectified with its envelope.
    GaitAnalysis a;
    a.rate = 100, a.frames = 100;
    a.emg = found;
    a.emg_curves.push_back({"EMG1", {}});
    for (const std::string& picture : {gait_page({}, a), gait_svg({}, a)}) {
        EXPECT_NE(picture.find("raw, V"), std::string::npos);
        EXPECT_NE(picture.find("rectified and envelope, V"), std::string::npos);
        const std::size_t envelope = picture.find("class=\"curve envelope\"");
        EXPECT_GT(envelope, picture.find("rectified and envelope, V"));
        EXPECT_EQ(picture.find("class=\"curve envelope\"", envelope + 1), std::string::npos);
    }
    const std::vector<std::string> soleus = {"soleus"}, none = {"gluteus"};
    EXPECT_EQ(emg_channels(trial, soleus).at(0).label, "Soleus");
    EXPECT_THROW(emg_channels(trial, none), Error);
}

}  // namespace
}  // namespace sinew::gait
