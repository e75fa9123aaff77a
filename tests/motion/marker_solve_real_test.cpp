// SPDX-License-Identifier: MIT
// Trials of laboratories, against what their own programs computed.

#include "support/data.h"
#include <gtest/gtest.h>

#include "sinew/base/error.h"
#include "sinew/gait/gait.h"
#include "sinew/io/io.h"
#include "sinew/motion/clean.h"
#include "sinew/motion/markers/calibrate.h"
#include "sinew/motion/solve.h"
#include "sinew/rig/skeletonize.h"

namespace sinew::motion {
namespace {

using math::Mat3d;
using math::Vec3d;
using model::Trial;

struct Solved {
    Trial trial;
    SolveResult result;
};

Solved solve_file(const char* name, Monitor& monitor = silent()) {
    Solved s;
    s.trial = clean(io::read(test::data(name)).trial).trial;
    s.result = solve(s.trial, rig::skeleton_template("biped"), {}, nullptr, monitor);
    return s;
}

/// Root of the mean square of solved minus stored angle, in degrees.
double difference(const Solved& s, model::Side side, gait::GaitCurve angle) {
    const gait::GaitTraces stored = gait::traces_from_outputs(s.trial);
    const gait::GaitTraces solved =
        gait::angles_from_clip(s.result.skeleton, s.result.clip, gait::gait_motion(s.trial).forward);
    double squares = 0, count = 0;
    for (std::size_t f = 0; f < s.trial.frames; ++f) {
        const double truth = stored.of(side, angle)[f];
        if (!std::isfinite(truth)) continue;
        squares += std::pow(solved.of(side, angle)[f] - truth, 2);
        ++count;
    }
    EXPECT_GT(count, 100);
    return std::sqrt(squares / count);
}

void expect_stored_sagittal_angles(const Solved& s) {
    for (const model::Side side : {model::Side::left, model::Side::right}) {
        for (const gait::GaitCurve angle : {gait::GaitCurve::hip_flexion, gait::GaitCurve::knee_flexion,
                                            gait::GaitCurve::ankle_dorsiflexion}) {
            EXPECT_LT(difference(s, side, angle), 3) << model::name_of(side) << ' ' << info(angle).title;
        }
    }
}

TEST(MarkerSolveRealData, PlugInGaitWalkAgreesWithItsStoredAngles) {
    SINEW_NEEDS_DATA();
    Collector warnings;
    const Solved s = solve_file("c3d/PiG_walk.c3d", warnings);
    EXPECT_EQ(s.result.map.set, "plug-in-gait");
    EXPECT_EQ(s.result.map.markers.size(), 16U);
    EXPECT_EQ(s.result.map.unlabelled.size(), 9U);
    EXPECT_EQ(s.result.map.computed.size(), 36U);
    EXPECT_LT(s.result.rms, 0.015);
    EXPECT_TRUE(warnings.has("solve-unlabelled"));
    EXPECT_TRUE(warnings.has("solve-held"));
    expect_stored_sagittal_angles(s);
}

TEST(MarkerSolveRealData, AnotherLaboratoryAndAPartialTrial) {
    SINEW_NEEDS_DATA();
    Collector warnings;
    const Solved s = solve_file("c3d/PlugInC3D.c3d", warnings);
    EXPECT_LT(s.result.rms, 0.015);
    EXPECT_FALSE(s.result.unsolved.empty());  // the patient comes into view late
    EXPECT_TRUE(warnings.has("solve-unsolved"));
    // Its heel and toe markers were not put at one height: the flat foot shows by how much.
    expect_stored_sagittal_angles(s);
}

TEST(MarkerSolveRealData, CmuMarkersMoveTheCmuSkeleton) {
    SINEW_NEEDS_DATA();
    const Trial trial = clean(io::read(test::data("c3d/cmu_02_01.c3d")).trial).trial;
    const model::Character truth = io::read(test::data("bvh/cmu_02_01.bvh")).character;
    SolveOptions options;
    options.keep_bones = true;
    const SolveResult result = solve(trial, truth.skeleton, options);
    EXPECT_EQ(result.skeleton.joints[1].rest.translation, truth.skeleton.joints[1].rest.translation);
    EXPECT_EQ(result.map.set, "cmu");
    EXPECT_EQ(result.map.markers.size(), 41U);
    EXPECT_LT(result.rms, 0.015);
    // The laboratory's x is the skeleton's z; the motion has one frame, a T-pose, before the markers begin.
    const Mat3d turn = Eigen::AngleAxisd(-math::pi / 2, Vec3d::UnitY()).toRotationMatrix();
    double sum = 0, count = 0;
    std::vector<double> error(truth.skeleton.size(), 0);
    for (std::size_t f = 0; f < trial.frames; f += 4) {
        const double t = static_cast<double>(f) / trial.rate;
        const auto a =
            model::joint_positions(model::world_matrices(truth, &truth.clips[0], t + 1 / trial.rate));
        const auto b = model::joint_positions(
            model::world_matrices(result.skeleton, model::sample(result.clip, result.skeleton, t)));
        for (std::size_t j = 0; j < a.size(); ++j) {
            error[j] += (a[j] - turn * b[j]).norm();
            sum += (a[j] - turn * b[j]).norm();
            ++count;
        }
    }
    EXPECT_LT(sum / count, 0.025);
    // Shoulders and head are not raised or bowed to where the file's short trunk does not reach.
    for (const char* name : {"LeftArm", "RightArm", "Head"}) {
        const auto joint = static_cast<std::size_t>(truth.skeleton.find(name));
        EXPECT_LT(error[joint] / count * static_cast<double>(error.size()), 0.040) << name;
    }
}

TEST(MarkerSolveRealData, StaticTrialCalibratesTheWalk) {
    SINEW_NEEDS_DATA();
    const Trial still = io::read(test::data("c3d/PiG_static.c3d")).trial;
    const Trial walk = clean(io::read(test::data("c3d/PiG_walk.c3d")).trial).trial;
    const SolveResult result = solve(walk, rig::skeleton_template("biped"), {}, &still);
    EXPECT_LT(result.rms, 0.015);
    EXPECT_LT(result.calibration.rms, 0.002);
    Collector warnings;
    const SolveResult alone = solve(still, rig::skeleton_template("biped"), {}, nullptr, warnings);
    EXPECT_TRUE(alone.still);
    EXPECT_TRUE(warnings.has("solve-still"));
}

TEST(MarkerSolveRealData, OtherMarkerSets) {
    SINEW_NEEDS_DATA();
    const Solved cleveland = solve_file("trc/walk_free_01.trc");
    EXPECT_EQ(cleveland.result.map.set, "cleveland");
    EXPECT_EQ(cleveland.result.map.markers.size(), 41U);
    EXPECT_LT(cleveland.result.rms, 0.015);
    const Solved cast = solve_file("trc/blanks_for_missing.trc");
    EXPECT_EQ(cast.result.map.set, "cast");
    EXPECT_LT(cast.result.rms, 0.015);
    Collector warnings;
    const Solved clusters = solve_file("c3d/Eb015pr.c3d", warnings);
    EXPECT_LT(clusters.result.rms, 0.015);
    EXPECT_EQ(clusters.result.clusters.joints.size(), 6U);
    EXPECT_TRUE(warnings.has("solve-clusters"));
}

}  // namespace
}  // namespace sinew::motion
