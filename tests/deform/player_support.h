// SPDX-License-Identifier: MIT
#pragma once
// What the tests of playing share: two joints that turn, how far poses are apart, every instruction set.

#include <limits>
#include <string>

#include "support/motion.h"
#include <gtest/gtest.h>
#include <hwy/targets.h>

#include "sinew/base/error.h"
#include "sinew/deform/playback/hierarchy.h"

namespace sinew::deform {

using math::Mat4d;
using math::Quatd;
using math::Transform;
using math::Vec3d;
using model::PackedClip;
using model::Skeleton;
using test::Random;

inline constexpr double nan = std::numeric_limits<double>::quiet_NaN();
inline constexpr double infinity = std::numeric_limits<double>::infinity();

/// Runs `body` with each instruction set of this machine.
template <class Body>
void on_every_target(const Body& body) {
    for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) {
        SCOPED_TRACE(hwy::TargetName(target));
        hwy::SetSupportedTargetsForTest(target);
        body();
    }
    hwy::SetSupportedTargetsForTest(0);
}

inline double largest_difference(const Mat34f& a, const Mat4d& b) {
    return (to_mat4(a) - b).cwiseAbs().maxCoeff();
}

inline double largest(std::span<const Mat4d> matrices) {
    double size = 1;
    for (const Mat4d& m : matrices) size = std::max(size, m.cwiseAbs().maxCoeff());
    return size;
}

inline double difference(const Transform& a, const Transform& b) {
    return std::max({(a.translation - b.translation).norm(), math::angle_between(a.rotation, b.rotation),
                     (a.scale - b.scale).norm()});
}

inline double difference(const LocalPose& a, std::span<const Transform> b) {
    double max = 0;
    for (std::size_t j = 0; j < b.size(); ++j) max = std::max(max, difference(a[j], b[j]));
    return max;
}

/// The reason of the error that `body` throws, or "" when it does not.
template <class Body>
std::string refusal(const Body& body) {
    try {
        body();
    } catch (const Error& error) {
        return error.reason();
    }
    return "";
}

/// A skeleton of two joints whose second turns about z by `speed` radians a second, 31 frames in a second.
struct Turning {
    Skeleton skeleton{{{"root", -1, {}, {}}, {"arm", 0, {{1, 0, 0}, Quatd::Identity(), Vec3d::Ones()}, {}}}};
    model::Clip clip;

    explicit Turning(double speed = 2) {
        clip.name = "turning";
        model::Track track;
        track.joint = 1;
        track.rotation.times = model::KeyTimes::even(0, 1.0 / 30, 31);
        for (int f = 0; f <= 30; ++f)
            track.rotation.values.push_back(
                math::axis_angle<double>(Vec3d::UnitZ(), speed * f / 30).cast<float>());
        clip.tracks.push_back(track);
    }
};

inline double angle_about_z(const LocalPose& pose, std::size_t joint) {
    return math::rotation_vector(pose[joint].rotation).z();
}

}  // namespace sinew::deform
