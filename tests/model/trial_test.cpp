// SPDX-License-Identifier: MIT
#include "sinew/model/trial.h"

#include <gtest/gtest.h>

#include "sinew/base/error.h"

namespace sinew::model {
namespace {

Trial two_markers() {
    Trial trial;
    trial.rate = 100;
    trial.frames = 2;
    trial.to_world.scale = 0.001;
    trial.markers.info = {{"LASI", "", "", PointKind::marker, ""}, {"RASI", "", "", PointKind::marker, ""}};
    trial.markers.positions.assign(4, Vec3f(1000, 0, 0));
    trial.markers.residuals.assign(4, 0.5f);
    return trial;
}

TEST(Trial, MarkersAreFoundIgnoringCaseAndPlacedInMetres) {
    const Trial trial = two_markers();
    EXPECT_EQ(trial.markers.find("rasi"), 1);
    EXPECT_EQ(trial.markers.find("sacr"), -1);
    EXPECT_NEAR((world_position(trial, 1, 1) - math::Vec3d(1, 0, 0)).norm(), 0, 1e-12);
    EXPECT_NO_THROW(validate(trial, "trial"));
}

TEST(Trial, ValidateRefusesEveryBrokenInvariant) {
    const auto refused = [](auto change) {
        Trial trial = two_markers();
        change(trial);
        EXPECT_THROW(validate(trial, "trial"), Error);
    };
    refused([](Trial& t) { t.markers.positions.pop_back(); });
    refused([](Trial& t) { t.markers.residuals.pop_back(); });
    refused([](Trial& t) { t.markers.info[1].label = "LASI"; });
    refused([](Trial& t) { t.markers.positions[2].x() = std::numeric_limits<float>::quiet_NaN(); });
    refused([](Trial& t) { t.analog.values.push_back(0); });
    refused([](Trial& t) { t.events = {{"b", "", 2, "", "", false}, {"a", "", 1, "", "", false}}; });
    refused([](Trial& t) { t.platforms.resize(1), t.platforms[0].channels = {0}; });
}

TEST(Trial, MarkersBecomeJointsWithoutTheirGaps) {
    Trial trial = two_markers();
    trial.frames = 3;
    trial.markers.positions.assign(6, Vec3f(0, 0, 1000));
    trial.markers.residuals.assign(6, 0);
    trial.markers.positions[3].setConstant(std::numeric_limits<float>::quiet_NaN());
    trial.markers.residuals[3] = Points::missing;  // RASI in frame 1
    const Character character = markers_as_joints(trial);
    ASSERT_EQ(character.skeleton.size(), 2u);
    EXPECT_EQ(character.skeleton.joints[1].name, "RASI");
    EXPECT_EQ(character.clips[0].tracks[0].translation.times.size(), 3u);
    EXPECT_EQ(character.clips[0].tracks[1].translation.times.size(), 2u);
    EXPECT_NEAR(character.clips[0].tracks[1].translation.values[1].z(), 1, 1e-6);
    EXPECT_NO_THROW(validate(character, "markers"));
    // One that was never seen is not a joint.
    for (const std::size_t i : {1u, 5u}) {
        trial.markers.positions[i].setConstant(std::numeric_limits<float>::quiet_NaN());
        trial.markers.residuals[i] = Points::missing;
    }
    EXPECT_EQ(markers_as_joints(trial).skeleton.size(), 1u);
}

}  // namespace
}  // namespace sinew::model
