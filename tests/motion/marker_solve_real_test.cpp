// Trials of laboratories, against what their own programs computed.

#include "support/data.h"
#include <gtest/gtest.h>

#include "sinew/base/error.h"
#include "sinew/io/asset.h"
#include "sinew/motion/clean.h"
#include "sinew/motion/solve.h"
#include "sinew/sample/skeleton_templates.h"

namespace sinew::motion {
namespace {

using math::degrees;
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
    s.result = solve(s.trial, sample::skeleton_template("biped"), {}, nullptr, monitor);
    return s;
}

/// A leg of one frame: segment axes from the joint centres and from how the joints are turned since rest.
struct Leg {
    Mat3d pelvis, thigh, shank, foot;

    Leg(const model::Skeleton& s, const std::vector<math::Mat4d>& world, const std::vector<math::Mat4d>& rest,
        const std::string& side) {
        const auto index = [&](const std::string& name) { return static_cast<std::size_t>(s.find(name)); };
        const auto turn = [&](const std::string& name) -> Mat3d {
            const std::size_t j = index(name);
            return world[j].topLeftCorner<3, 3>() * rest[j].topLeftCorner<3, 3>().transpose();
        };
        const auto centre = [&](const std::string& name) -> Vec3d {
            return world[index(name)].topRightCorner<3, 1>();
        };
        const auto along = [](const Vec3d& up, const Mat3d& turned) {
            Mat3d axes;
            axes.col(1) = up.normalized();
            axes.col(0) = (turned.col(0) - turned.col(0).dot(axes.col(1)) * axes.col(1)).normalized();
            axes.col(2) = axes.col(0).cross(axes.col(1));
            return axes;
        };
        const Vec3d hip = centre(side + "UpperLeg"), knee = centre(side + "LowerLeg");
        pelvis = turn("Hips");
        thigh = along(hip - knee, turn(side + "UpperLeg"));
        shank = along(knee - centre(side + "Foot"), turn(side + "LowerLeg"));
        foot = turn(side + "Foot");
    }

    /// Angle by which the distal segment's `axis` (2 forward, 1 up) is turned about the proximal left axis.
    static double sagittal(const Mat3d& proximal, const Vec3d& axis) {
        const Vec3d local = proximal.transpose() * axis;
        return degrees(std::atan2(local.z(), local.y()));
    }
    double hip() const { return -sagittal(pelvis, thigh.col(1)); }
    double knee() const { return sagittal(thigh, shank.col(1)); }
    double ankle() const { return 90 - sagittal(shank, foot.col(2)); }
};

struct Difference {
    double rms = 0;
    double spread = 0;  ///< what is left when a constant is taken off
};

/// Solved minus stored sagittal angle of "Hip", "Knee" or "Ankle".
Difference compare_angle(const Solved& s, const std::string& side, const std::string& joint) {
    const std::string label = side.substr(0, 1) + joint + "Angles";
    int p = s.trial.outputs.find(label);
    if (p < 0) p = s.trial.outputs.find(label + "V");
    EXPECT_GE(p, 0) << label;
    const auto rest = model::rest_world_matrices(s.result.skeleton);
    double sum = 0, squares = 0, n = 0;
    for (std::size_t f = 0; f < s.trial.frames; ++f) {
        if (!s.trial.outputs.valid(f, static_cast<std::size_t>(p))) continue;
        const auto world = model::world_matrices(
            s.result.skeleton,
            model::sample(s.result.clip, s.result.skeleton, static_cast<double>(f) / s.trial.rate));
        const Leg leg(s.result.skeleton, world, rest, side);
        const double angle = joint == "Hip" ? leg.hip() : joint == "Knee" ? leg.knee() : leg.ankle();
        const double d = angle - s.trial.outputs.at(f, static_cast<std::size_t>(p)).x();
        sum += d;
        squares += d * d;
        ++n;
    }
    EXPECT_GT(n, 100);
    return {std::sqrt(squares / n), std::sqrt(std::max(0.0, squares / n - sum * sum / (n * n)))};
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
    for (const char* side : {"Left", "Right"}) {
        for (const char* joint : {"Hip", "Knee", "Ankle"}) {
            EXPECT_LT(compare_angle(s, side, joint).rms, 3) << side << joint;
        }
    }
}

TEST(MarkerSolveRealData, AnotherLaboratoryAndAPartialTrial) {
    SINEW_NEEDS_DATA();
    Collector warnings;
    const Solved s = solve_file("c3d/PlugInC3D.c3d", warnings);
    EXPECT_LT(s.result.rms, 0.015);
    EXPECT_FALSE(s.result.unsolved.empty());  // the patient comes into view late
    EXPECT_TRUE(warnings.has("solve-unsolved"));
    for (const char* side : {"Left", "Right"}) {
        EXPECT_LT(compare_angle(s, side, "Hip").rms, 3.5) << side;
        EXPECT_LT(compare_angle(s, side, "Knee").rms, 3) << side;
        // The zero of its ankles was set in a static trial that is not in the file.
        EXPECT_LT(compare_angle(s, side, "Ankle").spread, 3) << side;
    }
    EXPECT_LT(compare_angle(s, "Left", "Ankle").rms, 3);
}

TEST(MarkerSolveRealData, CmuMarkersMoveTheCmuSkeleton) {
    SINEW_NEEDS_DATA();
    const Trial trial = clean(io::read(test::data("c3d/cmu_02_01.c3d")).trial).trial;
    const model::Character truth = io::read(test::data("bvh/cmu_02_01.bvh")).character;
    SolveOptions options;
    options.calibrate.scale = false;
    const SolveResult result = solve(trial, truth.skeleton, options);
    EXPECT_EQ(result.map.set, "cmu");
    EXPECT_EQ(result.map.markers.size(), 41U);
    EXPECT_LT(result.rms, 0.015);
    // The laboratory's x is the skeleton's z; the motion has one frame, a T-pose, before the markers begin.
    const Mat3d turn = Eigen::AngleAxisd(-math::pi / 2, Vec3d::UnitY()).toRotationMatrix();
    double sum = 0, count = 0;
    for (std::size_t f = 0; f < trial.frames; f += 4) {
        const double t = static_cast<double>(f) / trial.rate;
        const auto a =
            model::joint_positions(model::world_matrices(truth, &truth.clips[0], t + 1 / trial.rate));
        const auto b = model::joint_positions(
            model::world_matrices(result.skeleton, model::sample(result.clip, result.skeleton, t)));
        for (std::size_t j = 0; j < a.size(); ++j) {
            sum += (a[j] - turn * b[j]).norm();
            ++count;
        }
    }
    EXPECT_LT(sum / count, 0.040);
}

TEST(MarkerSolveRealData, StaticTrialCalibratesTheWalk) {
    SINEW_NEEDS_DATA();
    const Trial still = io::read(test::data("c3d/PiG_static.c3d")).trial;
    const Trial walk = clean(io::read(test::data("c3d/PiG_walk.c3d")).trial).trial;
    const SolveResult result = solve(walk, sample::skeleton_template("biped"), {}, &still);
    EXPECT_LT(result.rms, 0.015);
    EXPECT_LT(result.calibration.rms, 0.002);
    Collector warnings;
    const SolveResult alone = solve(still, sample::skeleton_template("biped"), {}, nullptr, warnings);
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
    // Clusters alone say which segments there are, not where their joints lie: that is an error that says so.
    try {
        solve_file("c3d/Eb015pr.c3d");
        ADD_FAILURE() << "clusters without a pelvis were solved";
    } catch (const Error& error) {
        EXPECT_NE(error.reason().find("known markers: "), std::string::npos);
        EXPECT_NE(error.reason().find("PEL1"), std::string::npos);
    }
}

}  // namespace
}  // namespace sinew::motion
