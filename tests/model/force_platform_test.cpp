// SPDX-License-Identifier: MIT
#include <cmath>

#include <gtest/gtest.h>

#include "sinew/base/error.h"
#include "sinew/model/trial.h"

namespace sinew::model {
namespace {

/// A plate of 400 by 600 whose centre is (200, 300, 0), its x along the laboratory's x, its y against y, its
/// z down; one sample in each frame.
Trial plate_trial(int type, const std::vector<float>& sample, int frames = 1) {
    Trial trial;
    trial.name = "trial";
    trial.rate = 100;
    trial.frames = static_cast<std::size_t>(frames);
    ForcePlatform plate;
    plate.type = type;
    plate.corners = {Vec3f(400, 0, 0), Vec3f(0, 0, 0), Vec3f(0, 600, 0), Vec3f(400, 600, 0)};
    for (std::size_t c = 0; c < sample.size(); ++c) {
        trial.analog.channels.push_back({"c", "", "N", 1, 0});
        plate.channels.push_back(static_cast<int>(c));
    }
    for (int f = 0; f < frames; ++f) {
        trial.analog.values.insert(trial.analog.values.end(), sample.begin(), sample.end());
    }
    trial.platforms = {plate};
    return trial;
}

TEST(ForcePlatform, TheFrameComesFromTheCorners) {
    const PlateFrame frame = plate_frame(plate_trial(2, std::vector<float>(6)).platforms[0]);
    EXPECT_LT((frame.center - Vec3d(200, 300, 0)).norm(), 1e-9);
    EXPECT_LT((frame.axes * Vec3d(1, 2, 3) - Vec3d(1, -2, -3)).norm(), 1e-9);
    EXPECT_THROW(plate_frame(ForcePlatform{}), Error);
}

/// A force of (10, 20, -800) in the plate's axes at its point (50, -60), with a free moment of 1000: as seen
/// by transducers 40 below the surface.
const Vec3d force(10, 20, -800);
const Vec3d place(50, -60, 0);
const Vec3d free_moment(0, 0, 1000);
const Vec3d below(0, 0, 40);

void expect_load(const Wrench& wrench, double tolerance = 1e-2) {
    EXPECT_LT((wrench.force - Vec3d(10, -20, 800)).norm(), tolerance);
    EXPECT_LT((wrench.center - Vec3d(250, 360, 0)).norm(), tolerance);
    EXPECT_NEAR(wrench.free_moment, 1000, 10 * tolerance);
    const Vec3d moment = place.cross(force) + free_moment;
    EXPECT_LT((wrench.moment - Vec3d(moment.x(), -moment.y(), -moment.z())).norm(), 10 * tolerance);
}

std::vector<float> as_channels(const Vec3d& moment) {
    std::vector<float> values;
    for (const double v : {force.x(), force.y(), force.z(), moment.x(), moment.y(), moment.z()}) {
        values.push_back(static_cast<float>(v));
    }
    return values;
}

TEST(ForcePlatform, TypeOneStoresTheCentreOfPressure) {
    const Trial trial = plate_trial(1, {10, 20, -800, 50, -60, 1000});
    expect_load(forces(trial, trial.platforms[0])[0]);
}

TEST(ForcePlatform, TypeTwoStoresTheMomentBelowTheSurface) {
    const Vec3d moment = (place - below).cross(force) + free_moment;
    Trial trial = plate_trial(2, as_channels(moment));
    trial.platforms[0].origin = {0, 0, -40};
    Collector monitor;
    expect_load(forces(trial, trial.platforms[0], {}, monitor)[0]);
    EXPECT_TRUE(monitor.warnings().empty());
    trial.platforms[0].origin = {0, 0, 40};  // some programs store it the other way round
    expect_load(forces(trial, trial.platforms[0], {}, monitor)[0]);
    EXPECT_TRUE(monitor.has("platform-origin"));
}

TEST(ForcePlatform, TypeThreeHasEightForces) {
    // Sensors at (a, b), (-a, b), (-a, -b), (a, -b), 40 below; equal halves of the horizontal forces but for
    // the free moment.
    const double a = 120, b = 200;
    const Vec3d moment = (place - below).cross(force) + free_moment;
    // z1 + z2 + z3 + z4 = Fz, b (z1 + z2 - z3 - z4) = Mx, a (-z1 + z2 + z3 - z4) = My, and no twist.
    const double s = force.z() / 4, x = moment.x() / (4 * b), y = moment.y() / (4 * a);
    // b (-x12 + x34) + a (y14 - y23) = Mz, all of it from the x pair.
    const double half = moment.z() / (2 * b);
    std::vector<float> channels;
    for (const double v : {force.x() / 2 - half, force.x() / 2 + half, force.y() / 2, force.y() / 2,
                           s + x - y, s + x + y, s - x + y, s - x - y}) {
        channels.push_back(static_cast<float>(v));
    }
    Trial trial = plate_trial(3, channels);
    trial.platforms[0].origin = {120, 200, -40};
    expect_load(forces(trial, trial.platforms[0])[0]);
}

TEST(ForcePlatform, TypeFourIsCalibrated) {
    const Vec3d moment = place.cross(force) + free_moment;
    Trial trial = plate_trial(4, as_channels(moment));
    // Channel 0 is stored halved, and a tenth of it leaks into force y: column after column.
    std::vector<float> matrix(36);
    for (std::size_t i = 0; i < 6; ++i) matrix[7 * i] = 1;
    matrix[0] = 2;
    matrix[1] = 0.1f;
    trial.analog.values[0] /= 2;
    trial.analog.values[1] -= 0.5f;
    EXPECT_THROW(forces(trial, trial.platforms[0]), Error);
    trial.platforms[0].calibration = matrix;
    expect_load(forces(trial, trial.platforms[0])[0]);
}

TEST(ForcePlatform, FramesWithoutLoadAreTheZero) {
    Trial trial = plate_trial(2, {1, 2, 3, 4, 5, 6}, 4);
    const std::vector<float> load = as_channels(place.cross(force) + free_moment);
    for (std::size_t c = 0; c < 6; ++c) trial.analog.values[18 + c] += load[c];
    trial.platforms[0].zero_frames = {1, 3};
    const std::vector<Wrench> wrenches = forces(trial, trial.platforms[0]);
    EXPECT_LT(wrenches[0].force.norm(), 1e-5);
    EXPECT_TRUE(wrenches[0].center.hasNaN());
    expect_load(wrenches[3], 0.05);
    ForceOptions options;
    options.zero = false;
    EXPECT_NEAR(forces(trial, trial.platforms[0], options)[0].force.x(), 1, 1e-6);
    trial.platforms[0].zero_frames = {1, 9};  // beyond the trial: no correction
    EXPECT_NEAR(forces(trial, trial.platforms[0])[0].force.x(), 1, 1e-6);
}

TEST(ForcePlatform, UnknownTypesAndMissingChannelsAreRefused) {
    Trial trial = plate_trial(2, std::vector<float>(6));
    trial.platforms[0].type = 7;
    EXPECT_THROW(forces(trial, trial.platforms[0]), Error);
    trial.platforms[0].type = 3;
    EXPECT_THROW(forces(trial, trial.platforms[0]), Error);
    trial.platforms[0].type = 2;
    trial.platforms[0].channels[5] = 6;
    EXPECT_THROW(forces(trial, trial.platforms[0]), Error);
}

}  // namespace
}  // namespace sinew::model
