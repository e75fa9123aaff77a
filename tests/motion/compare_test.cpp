// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "sinew/base/error.h"
#include "sinew/motion/edit.h"

namespace sinew::motion {
namespace {

using math::Quatd;
using math::Vec3d;
using model::Clip;
using model::KeyTimes;
using model::Skeleton;

/// A root and an arm of length 2 along x; the arm has a hand at its end.
Skeleton arm(const std::string& prefix = "") {
    Skeleton s;
    s.joints = {{prefix + "root", -1, {}, {}},
                {prefix + "elbow", 0, {Vec3d(2, 0, 0), Quatd::Identity(), Vec3d::Ones()}, {}},
                {prefix + "hand", 1, {Vec3d(2, 0, 0), Quatd::Identity(), Vec3d::Ones()}, {}}};
    return s;
}

/// The elbow turns by `degrees` over a second, in eleven frames.
Clip bend(float degrees) {
    Clip clip;
    model::Track track;
    track.joint = 1;
    track.rotation.times = KeyTimes::even(0, 0.1, 11);
    for (int i = 0; i <= 10; ++i) {
        const float angle = degrees * static_cast<float>(math::pi) / 180 * static_cast<float>(i) / 10;
        track.rotation.values.push_back(math::axis_angle<float>(math::Vec3f::UnitZ(), angle));
    }
    clip.tracks = {track};
    return clip;
}

TEST(MotionCompare, KnownAnswer) {
    // Against rest only the hand differs, by the chord 4 sin(angle / 2); at the end 60 degrees: 2.
    const MotionDifference d = compare(arm(), bend(60), arm("mixamorig:"), Clip{});
    EXPECT_EQ(d.joints, 3u);
    EXPECT_EQ(d.frames, 11u);
    EXPECT_NEAR(d.max_position_error, 2, 1e-6);
    double sum = 0;
    for (int i = 0; i <= 10; ++i) sum += 4 * std::sin(math::radians(60) * i / 20);
    EXPECT_NEAR(d.mean_position_error, sum / 33, 1e-6);
    EXPECT_EQ(d.worst_joint, "hand");
    EXPECT_NEAR(d.worst_time, 1, 1e-9);
    EXPECT_NEAR(d.max_percent, 50, 1e-4);  // of a skeleton 4 long
    EXPECT_NEAR(d.mean_percent, 25 * d.mean_position_error, 1e-9);
}

TEST(MotionCompare, EqualMotionsOfOtherRates) {
    const Clip clip = bend(90);
    const MotionDifference d = compare(arm(), clip, arm(), model::resampled(clip, 60));
    EXPECT_LT(d.max_position_error, 1e-5);
    EXPECT_EQ(compare(arm(), clip, arm(), clip).max_position_error, 0);
    EXPECT_EQ(compare(arm(), Clip{}, arm(), Clip{}).frames, 1u);
}

TEST(MotionCompare, NothingInCommon) {
    EXPECT_THROW(compare(arm(), bend(1), arm("x_"), bend(1)), Error);
}

}  // namespace
}  // namespace sinew::motion
