// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "sinew/model/trial.h"
#include "sinew/render/view.h"

namespace sinew::render {
namespace {

/// A plate of 400 by 600 mm about (200, 300, 0), z up in the laboratory; type 1 states force, place and free
/// moment. 10 frames of 2 samples: nothing in the first five, then 700 N at (250, 360).
model::Trial standing() {
    model::Trial trial;
    trial.rate = 100;
    trial.frames = 10;
    trial.to_world.scale = 0.001;
    trial.to_world.rotation = math::Quatd(std::sqrt(0.5), -std::sqrt(0.5), 0, 0);  // z up becomes y up
    model::ForcePlatform plate;
    plate.type = 1;
    plate.corners = {Vec3f(400, 0, 0), Vec3f(0, 0, 0), Vec3f(0, 600, 0), Vec3f(400, 600, 0)};
    trial.analog.samples_per_frame = 2;
    for (int c = 0; c < 6; ++c) {
        trial.analog.channels.push_back({"c", "", "N", 1, 0});
        plate.channels.push_back(c);
    }
    for (int sample = 0; sample < 20; ++sample)
        for (const float value : {0.0f, 0.0f, -700.0f, 50.0f, -60.0f, 0.0f})
            trial.analog.values.push_back(sample < 10 ? 0.0f : value);
    trial.platforms = {plate};
    return trial;
}

TEST(ForceOverlay, AnArrowStandsWhereTheFootDoes) {
    const ForceOverlay forces(standing());
    ASSERT_FALSE(forces.empty());
    EXPECT_EQ(forces.at(0.02).segments.size(), 4u) << "the outline alone";
    EXPECT_TRUE(forces.at(0.02).bones.empty());
    const Overlay loaded = forces.at(0.07);
    ASSERT_EQ(loaded.segments.size(), 5u);
    EXPECT_LT((loaded.segments[0].start - Vec3f(0.4f, 0, 0)).norm(), 1e-6f);
    EXPECT_LT((loaded.segments[4].start - Vec3f(0.25f, 0, -0.36f)).norm(), 1e-5f);
    EXPECT_LT((loaded.segments[4].end - Vec3f(0.25f, 0.7f, -0.36f)).norm(), 1e-5f)
        << "up, a metre a kilonewton";
    ASSERT_EQ(loaded.bones.size(), 1u);
    EXPECT_EQ(loaded.bones[0].end, loaded.segments[4].end);
    EXPECT_EQ(forces.at(99).segments.size(), 5u) << "the last sample stays";
}

TEST(ForceOverlay, APlateWithoutForcesIsAnOutlineAndAWarning) {
    model::Trial trial = standing();
    trial.platforms[0].type = 9;
    Collector collector;
    const ForceOverlay forces(trial, {}, collector);
    EXPECT_EQ(forces.at(0.07).segments.size(), 4u);
    ASSERT_EQ(collector.warnings().size(), 1u);
    EXPECT_EQ(collector.warnings()[0].code, "platform-unused");
    EXPECT_TRUE(ForceOverlay(model::Trial{}).empty());
}

}  // namespace
}  // namespace sinew::render
