// SPDX-License-Identifier: MIT
// Gaps, spikes, filters, cuts, mirrors and loops.

#include "sinew/motion/clean.h"

#include "support/data.h"
#include "support/random.h"
#include <gtest/gtest.h>

#include "sinew/base/error.h"
#include "sinew/io/io.h"
#include "sinew/motion/edit.h"
#include "sinew/sample/samples.h"

namespace sinew::motion {
namespace {

using math::pi;
using math::Vec3d;
using math::Vec3f;
using model::Points;
using model::Trial;

/// Four markers of a pelvis that swings and turns, in millimetres, z up.
Vec3d pelvis(double time, std::size_t marker) {
    const Vec3d corners[] = {{100, 120, 0}, {100, -120, 0}, {-80, 50, 20}, {-80, -50, 20}};
    const math::Quatd turn = math::axis_angle<double>(Vec3d::UnitZ(), 0.3 * std::sin(2 * pi * time));
    return turn * corners[marker] + Vec3d(1000 * time, 30 * std::sin(4 * pi * time), 950);
}

Trial swinging(std::size_t frames = 200) {
    Trial trial;
    trial.name = "swing";
    trial.rate = 100;
    trial.frames = frames;
    trial.to_world.scale = 0.001;
    trial.to_world.rotation = math::axis_angle<double>(Vec3d::UnitX(), -pi / 2);
    for (const char* label : {"LASI", "RASI", "LPSI", "RPSI"})
        trial.markers.info.push_back({label, {}, {}, model::PointKind::marker, {}});
    for (std::size_t f = 0; f < frames; ++f) {
        for (std::size_t m = 0; m < 4; ++m) {
            trial.markers.positions.push_back(pelvis(static_cast<double>(f) / 100, m).cast<float>());
            trial.markers.residuals.push_back(1);
        }
    }
    return trial;
}

model::Event event(const char* label, const char* side, double time) {
    model::Event result;
    result.label = label;
    result.context = side;
    result.time = time;
    return result;
}

void lose(Trial& trial, std::size_t marker, std::size_t first, std::size_t count) {
    for (std::size_t f = first; f < first + count; ++f) {
        trial.markers.positions[f * 4 + marker].setConstant(std::numeric_limits<float>::quiet_NaN());
        trial.markers.residuals[f * 4 + marker] = Points::missing;
    }
}

double error_at(const Trial& trial, std::size_t frame, std::size_t marker) {
    return (trial.markers.at(frame, marker).cast<double>() - pelvis(static_cast<double>(frame) / 100, marker))
        .norm();
}

TEST(Filter, HalfThePowerPassesAtTheCutOffAndNothingLags) {
    const double rate = 1000, cutoff = 6;
    const LowPass filter = zero_lag_butterworth(cutoff, rate);
    for (const double frequency : {1.0, 6.0, 24.0}) {
        std::vector<double> wave(8000);
        for (std::size_t i = 0; i < wave.size(); ++i) {
            wave[i] = std::sin(2 * pi * frequency * static_cast<double>(i) / rate);
        }
        const std::vector<double> out = filtered(wave, filter);
        double in_phase = 0, across = 0;
        for (std::size_t i = 2000; i < 6000; ++i) {
            const double angle = 2 * pi * frequency * static_cast<double>(i) / rate;
            in_phase += out[i] * std::sin(angle) / 2000;
            across += out[i] * std::cos(angle) / 2000;
        }
        // Two passes of second order, each with |H|^2 = 1 / (1 + (f / f_c')^4), f_c' the raised corner.
        const double expected = 1 / (1 + (std::sqrt(2.0) - 1) * std::pow(frequency / cutoff, 4));
        EXPECT_NEAR(in_phase, expected, 1e-3) << frequency;
        EXPECT_NEAR(across, 0, 1e-3) << frequency;
    }
    EXPECT_NEAR(1 / (1 + (std::sqrt(2.0) - 1)), std::sqrt(0.5), 1e-12);
}

TEST(Filter, LinesPassUnchangedToTheirEnds) {
    std::vector<double> line(60);
    for (std::size_t i = 0; i < line.size(); ++i) line[i] = 3 - 0.25 * static_cast<double>(i);
    const std::vector<double> out = filtered(line, zero_lag_butterworth(6, 100));
    for (std::size_t i = 0; i < line.size(); ++i) EXPECT_NEAR(out[i], line[i], 0.02) << i;
    EXPECT_TRUE(filtered({}, zero_lag_butterworth(6, 100)).empty());
    EXPECT_THROW(zero_lag_butterworth(50, 100), Error);
    EXPECT_THROW(zero_lag_butterworth(0, 100), Error);
}

TEST(Gaps, ShortOnesAreBridgedByASpline) {
    Trial trial = swinging();
    lose(trial, 0, 50, 10);
    lose(trial, 2, 120, 3);
    const GapReport report = fill_gaps(trial);
    EXPECT_EQ(report.spline, 13U);
    EXPECT_EQ(report.rigid, 0U);
    EXPECT_TRUE(report.left.empty());
    for (std::size_t f = 50; f < 60; ++f) {
        EXPECT_LT(error_at(trial, f, 0), 0.5) << f;
        EXPECT_EQ(trial.markers.residuals[f * 4], 0);
    }
    EXPECT_LT(error_at(trial, 121, 2), 0.02);
    EXPECT_EQ(trial.markers.residuals[49 * 4], 1);
}

TEST(Gaps, LongOnesFollowTheOtherMarkersOfTheSegment) {
    Trial trial = swinging();
    lose(trial, 1, 60, 80);
    const GapReport report = fill_gaps(trial);
    EXPECT_EQ(report.rigid, 80U);
    for (std::size_t f = 60; f < 140; ++f) EXPECT_LT(error_at(trial, f, 1), 0.01) << f;
}

TEST(Gaps, WhatCannotBeKnownStaysMissing) {
    Trial trial = swinging();
    lose(trial, 0, 0, 5);    // no sample before it
    lose(trial, 1, 60, 80);  // two of four: no rigid body
    lose(trial, 2, 100, 20);
    const GapReport report = fill_gaps(trial);
    EXPECT_EQ(report.spline + report.rigid, 0U);
    const std::vector<Gap> expected = {{0, 0, 5}, {1, 60, 80}, {2, 100, 20}};
    EXPECT_EQ(report.left, expected);
    EXPECT_EQ(find_gaps(trial.markers), expected);
    EXPECT_FALSE(trial.markers.valid(2, 0));
    EXPECT_TRUE(trial.markers.at(2, 0).hasNaN());
}

TEST(Spikes, JumpsGoAndTheirNeighboursStay) {
    Trial trial = swinging();
    trial.markers.positions[70 * 4 + 3].x() += 60;
    trial.markers.positions[90 * 4 + 0].z() -= 40;
    EXPECT_EQ(remove_spikes(trial), 2U);
    EXPECT_FALSE(trial.markers.valid(70, 3));
    EXPECT_FALSE(trial.markers.valid(90, 0));
    EXPECT_TRUE(trial.markers.valid(69, 3));
    EXPECT_TRUE(trial.markers.valid(71, 3));
    Trial calm = swinging();
    EXPECT_EQ(remove_spikes(calm), 0U);
}

TEST(Clean, TakesNoiseOutAndLeavesTheRawTrialAlone) {
    test::Random random(3);
    Trial raw = swinging(400);
    for (Vec3f& p : raw.markers.positions) {
        p += Vec3d(random.normal(), random.normal(), random.normal()).cast<float>();
    }
    raw.markers.positions[100 * 4].x() += 80;
    lose(raw, 2, 200, 6);
    const Trial before = raw;
    const CleanResult result = clean(raw);
    // The jump, and of 1600 noisy samples those few that four deviations do not hold.
    EXPECT_GE(result.report.spikes, 1U);
    EXPECT_LE(result.report.spikes, 5U);
    EXPECT_EQ(result.report.gaps.spline, 6 + result.report.spikes);
    EXPECT_EQ(result.report.filtered, 4U);
    EXPECT_GT(result.report.moved_rms, 0.0005);
    EXPECT_LT(result.report.moved_rms, 0.0025);
    double noisy = 0, cleaned = 0;
    for (std::size_t f = 20; f < 380; ++f) {
        for (std::size_t m = 0; m < 4; ++m) {
            if (raw.markers.valid(f, m) && f != 100) noisy += error_at(raw, f, m);
            cleaned += error_at(result.trial, f, m);
        }
    }
    EXPECT_LT(cleaned, 0.6 * noisy);
    for (std::size_t i = 0; i < raw.markers.positions.size(); ++i) {
        if (raw.markers.residuals[i] < 0) continue;
        EXPECT_EQ(raw.markers.positions[i], before.markers.positions[i]);
    }
}

TEST(Clean, ASlowCameraIsNotFilteredAndSaysSo) {
    Trial trial = swinging(20);
    trial.rate = 10;
    Collector warnings;
    const CleanResult result = clean(trial, {}, warnings);
    EXPECT_TRUE(warnings.has("clean-not-filtered"));
    EXPECT_EQ(result.report.filtered, 0U);
    const CleanResult nothing = clean(Trial{});
    EXPECT_EQ(nothing.trial.frames, 0U);
}

TEST(TrialEdit, TrimmingKeepsFramesSamplesAndEventsTogether) {
    Trial trial = swinging(100);
    trial.analog.channels = {{"Fz", {}, "N"}};
    trial.analog.samples_per_frame = 10;
    for (int i = 0; i < 1000; ++i) trial.analog.values.push_back(static_cast<float>(i));
    trial.events = {event("Foot Strike", "Left", 0.1), event("Foot Off", "Left", 0.4),
                    event("Foot Strike", "Left", 0.9)};
    const Trial part = trimmed(trial, 20, 59);
    model::validate(part, "part");
    EXPECT_EQ(part.frames, 40U);
    EXPECT_EQ(part.first_frame, 21);
    EXPECT_EQ(part.markers.at(0, 2), trial.markers.at(20, 2));
    EXPECT_EQ(part.analog.at(0, 0), 200.0f);
    EXPECT_EQ(part.analog.samples(), 400U);
    ASSERT_EQ(part.events.size(), 1U);
    EXPECT_NEAR(part.events[0].time, 0.2, 1e-12);
    EXPECT_THROW(trimmed(trial, 50, 100), Error);
    EXPECT_THROW(trimmed(trial, 9, 8), Error);
}

TEST(TrialEdit, ResamplingFollowsTheCurve) {
    Trial trial = swinging();
    lose(trial, 3, 100, 4);
    for (const double rate : {250.0, 60.0}) {
        const Trial other = resampled(trial, rate);
        model::validate(other, "other");
        EXPECT_EQ(other.frames, static_cast<std::size_t>(std::floor(1.99 * rate + 1e-6)) + 1);
        for (std::size_t f = 8; f + 8 < other.frames; ++f) {
            const double time = static_cast<double>(f) / rate;
            if (!other.markers.valid(f, 0)) continue;
            EXPECT_LT((other.markers.at(f, 0).cast<double>() - pelvis(time, 0)).norm(), 0.2)
                << rate << ' ' << f;
        }
        EXPECT_FALSE(other.markers.valid(static_cast<std::size_t>(1.02 * rate), 3));
    }
    EXPECT_THROW(resampled(trial, 0), Error);
}

TEST(TrialEdit, MirroringSwapsSidesAndTwiceIsNothing) {
    Trial trial = swinging(50);
    trial.events = {event("Foot Strike", "Left", 0.1)};
    const Trial image = mirrored(trial);
    EXPECT_EQ(image.markers.info[0].label, "RASI");
    EXPECT_EQ(image.events[0].context, "Right");
    EXPECT_EQ(image.markers.at(10, 0).y(), -trial.markers.at(10, 0).y());
    EXPECT_EQ(image.markers.at(10, 0).x(), trial.markers.at(10, 0).x());
    // The left marker is still on the left of the way forward, which is x: at positive y.
    EXPECT_GT(image.markers.at(10, static_cast<std::size_t>(image.markers.find("LASI"))).y(), 0);
    const Trial back = mirrored(image);
    EXPECT_EQ(back.markers.info, trial.markers.info);
    EXPECT_EQ(back.markers.positions, trial.markers.positions);
}

TEST(ClipEdit, MirroredTwiceIsTheSameAndOnceSwapsTheLegs) {
    const model::Skeleton man = sample::man_skeleton();
    const model::Clip walk = sample::man_walk(man, {.cycles = 2});
    const model::Clip image = mirrored(man, walk);
    const double t = 0.3;
    const auto a = model::world_matrices(man, model::sample(walk, man, t));
    const auto b = model::world_matrices(man, model::sample(image, man, t));
    const auto left = static_cast<std::size_t>(man.find("LeftFoot"));
    const auto right = static_cast<std::size_t>(man.find("RightFoot"));
    const Vec3d was = a[left].topRightCorner<3, 1>(), is = b[right].topRightCorner<3, 1>();
    EXPECT_NEAR(was.x(), -is.x(), 1e-5);
    EXPECT_NEAR(was.y(), is.y(), 1e-5);
    EXPECT_NEAR(was.z(), is.z(), 1e-5);
    EXPECT_LT(compare(man, walk, man, mirrored(man, image)).max_position_error, 1e-5);
}

TEST(ClipEdit, ALoopOfTheWalkIsOneCycleAndCloses) {
    const model::Skeleton man = sample::man_skeleton();
    const model::Clip walk = sample::man_walk(man, {.cycles = 3});
    const LoopResult loop = looped(man, walk);
    const double rounds = (loop.end - loop.start) / 1.1;
    EXPECT_NEAR(rounds, std::round(rounds), 0.04);
    EXPECT_LT(loop.seam, 0.02);
    EXPECT_GT(loop.travel.z(), 1.0);
    for (const model::Track& track : loop.clip.tracks) {
        EXPECT_LT(math::angle_between(track.rotation.values.front(), track.rotation.values.back()), 1e-3f);
        if (!track.translation.empty()) {
            EXPECT_LT((track.translation.values.front() - track.translation.values.back()).norm(), 1e-5f);
        }
    }
    // A part that does not close by itself is bent until it does.
    const LoopResult bent = looped(man, walk, {.start = 0.2, .end = 0.9, .in_place = false});
    EXPECT_GT(bent.seam, 0.1);
    EXPECT_LT(math::angle_between(bent.clip.tracks[1].rotation.values.front(),
                                  bent.clip.tracks[1].rotation.values.back()),
              1e-3f);
    EXPECT_THROW(looped(man, walk, {.start = 1, .end = 9}), Error);
}

TEST(CleanRealData, AWholeTrialIsFilledAndFiltered) {
    SINEW_NEEDS_DATA();
    const Trial raw = io::read(test::data("c3d/PiG_walk.c3d")).trial;
    const CleanResult result = clean(raw);
    model::validate(result.trial, "cleaned");
    EXPECT_LT(result.report.moved_rms, 0.005);
    EXPECT_LE(find_gaps(result.trial.markers).size(), find_gaps(raw.markers).size());
}

}  // namespace
}  // namespace sinew::motion
