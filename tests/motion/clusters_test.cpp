// SPDX-License-Identifier: MIT
// Joints from clusters of markers that sit anywhere on their segments.

#include "sinew/motion/markers/clusters.h"

#include "reference/marker_trial.h"
#include <gtest/gtest.h>

#include "sinew/base/error.h"
#include "sinew/gait/gait.h"
#include "sinew/motion/markers/calibrate.h"
#include "sinew/motion/solve.h"
#include "sinew/rig/skeletonize.h"
#include "sinew/sample/samples.h"

namespace sinew::motion {
namespace {

using math::Vec3d;

/// Plates of four markers on the outer side of the man's segments, as CAST has them.
SubjectModel man_with_clusters() {
    SubjectModel subject;
    subject.skeleton = sample::man_skeleton();
    const auto rest = model::rest_world_matrices(subject.skeleton);
    const auto plate = [&](const std::string& joint, const std::string& label, const Vec3d& from_joint) {
        const int j = subject.skeleton.find(joint);
        EXPECT_GE(j, 0) << joint;
        const math::Mat4d& frame = rest[static_cast<std::size_t>(j)];
        const Vec3d middle = frame.topRightCorner<3, 1>() + from_joint;
        int n = 0;
        for (const Vec3d& corner : {Vec3d(0.005, 0.05, 0.04), Vec3d(-0.01, 0.05, -0.04),
                                    Vec3d(0, -0.05, 0.05), Vec3d(0.012, -0.05, -0.03)}) {
            subject.attachments.push_back(
                {j,
                 frame.topLeftCorner<3, 3>().transpose() * (middle + corner - frame.topRightCorner<3, 1>()),
                 1});
            subject.names.push_back(label + std::to_string(++n));
        }
    };
    plate("Hips", "PEL", {0, 0.08, -0.1});
    for (const auto& [side, letter, sign] : {std::tuple("Left", "L", 1.0), std::tuple("Right", "R", -1.0)}) {
        const std::string s(side), l(letter);
        plate(s + "UpperLeg", l + "THI", {sign * 0.1, -0.2, 0});
        plate(s + "LowerLeg", l + "TIB", {sign * 0.06, -0.2, 0});
        plate(s + "Foot", l + "FOO", {sign * 0.03, -0.03, 0.06});
    }
    // Feet have three.
    for (std::size_t i = subject.names.size(); i-- > 0;) {
        if (!subject.names[i].ends_with("FOO4")) continue;
        subject.names.erase(subject.names.begin() + static_cast<std::ptrdiff_t>(i));
        subject.attachments.erase(subject.attachments.begin() + static_cast<std::ptrdiff_t>(i));
    }
    return subject;
}

model::Trial cluster_trial(const model::Clip& walk) {
    model::Trial trial = record_markers(man_with_clusters(), walk, {.noise = 0.0005});
    for (model::PointInfo& info : trial.markers.info) {
        // As laboratories call them.
        for (const auto& [place, label] : {std::pair("PEL", "PV"), std::pair("THI", "TH"),
                                           std::pair("TIB", "SK"), std::pair("FOO", "FT")}) {
            const std::size_t at = info.label.find(place);
            if (at != std::string::npos) info.label.replace(at, 3, label);
        }
    }
    return trial;
}

TEST(Clusters, AWalkIsSolvedFromClustersAlone) {
    const model::Skeleton man = sample::man_skeleton();
    const model::Clip walk = sample::man_walk(man, {.cycles = 3});
    const model::Trial trial = cluster_trial(walk);
    Collector warnings;
    const SolveResult result = solve(trial, rig::skeleton_template("biped"), {}, nullptr, warnings);
    EXPECT_TRUE(warnings.has("solve-clusters"));
    EXPECT_EQ(result.clusters.joints.size(), 6U);
    for (const ClusterJoint& joint : result.clusters.joints) EXPECT_LT(joint.spread, 0.004) << joint.name;
    EXPECT_LT(result.rms, 0.006);
    const gait::GaitTraces truth =
        gait::angles_from_clip(man, model::resampled(walk, trial.rate), Vec3d::UnitZ());
    const gait::GaitTraces found = gait::angles_from_clip(result.skeleton, result.clip, Vec3d::UnitZ());
    for (const model::Side side : {model::Side::left, model::Side::right}) {
        for (const gait::GaitCurve angle : {gait::GaitCurve::hip_flexion, gait::GaitCurve::knee_flexion}) {
            double squares = 0;
            const std::size_t n = std::min(truth.of(side, angle).size(), found.of(side, angle).size());
            for (std::size_t f = 0; f < n; ++f)
                squares += std::pow(found.of(side, angle)[f] - truth.of(side, angle)[f], 2);
            EXPECT_LT(std::sqrt(squares / static_cast<double>(n)), 5)
                << model::name_of(side) << ' ' << gait::info(angle).title;
        }
    }
}

TEST(Clusters, WhatTheyDoNotShowIsSaid) {
    const model::Skeleton man = sample::man_skeleton();
    const model::Trial spot = cluster_trial(sample::man_walk(man, {.cycles = 1, .in_place = true}));
    try {
        solve(spot, rig::skeleton_template("biped"));
        ADD_FAILURE() << "a body that goes nowhere was solved";
    } catch (const Error& error) {
        EXPECT_NE(error.reason().find("does not walk"), std::string::npos) << error.reason();
        EXPECT_NE(error.reason().find("PEL1"), std::string::npos) << error.reason();
    }
    model::Trial legless = cluster_trial(sample::man_walk(man, {.cycles = 2}));
    int n = 0;
    for (model::PointInfo& info : legless.markers.info)
        if (info.label.find("SK") != std::string::npos) info.label = "*" + std::to_string(++n);
    ClusterReport report;
    EXPECT_FALSE(complete_clusters(legless, map_markers(legless.markers), report));
    EXPECT_NE(report.missing.find("thigh and shank"), std::string::npos);
}

}  // namespace
}  // namespace sinew::motion
