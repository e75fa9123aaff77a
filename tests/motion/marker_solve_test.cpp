// SPDX-License-Identifier: MIT
// Markers to a moving skeleton: trials of which the truth is known, and what can be wrong with them.

#include "reference/marker_trial.h"
#include "support/random.h"
#include <Eigen/Cholesky>
#include <gtest/gtest.h>

#include "sinew/base/error.h"
#include "sinew/motion/clean.h"
#include "sinew/motion/markers/calibrate.h"
#include "sinew/motion/solve.h"
#include "sinew/sample/samples.h"

namespace sinew::motion {
namespace {

using math::degrees;
using math::Mat3d;
using math::Quatd;
using math::Vec3d;
using model::Trial;

struct Walker {
    SubjectModel subject = with_plug_in_gait_markers(sample::man_skeleton());
    model::Clip walk = sample::man_walk(subject.skeleton, {.cycles = 2});

    Trial record(const MarkerTrialOptions& options = {}) const {
        return record_markers(subject, walk, options);
    }
};

/// A joint of the clinic: how a segment is turned against another, whatever lies between.
struct JointAngle {
    const char* distal;
    const char* proximal;
};
constexpr JointAngle measured[] = {
    {"Hips", ""},
    {"UpperChest", "Hips"},
    {"LeftUpperLeg", "Hips"},
    {"LeftLowerLeg", "LeftUpperLeg"},
    {"LeftFoot", "LeftLowerLeg"},
    {"RightUpperLeg", "Hips"},
    {"RightLowerLeg", "RightUpperLeg"},
    {"RightFoot", "RightLowerLeg"},
    {"LeftUpperArm", "UpperChest"},
    {"LeftLowerArm", "LeftUpperArm"},
    {"RightUpperArm", "UpperChest"},
    {"RightLowerArm", "RightUpperArm"},
};

Quatd relative(const model::Skeleton& skeleton, const std::vector<math::Transform>& local,
               const JointAngle& joint) {
    const auto world = model::world_matrices(skeleton, local);
    const auto turn = [&](const char* name) -> Quatd {
        const int j = skeleton.find(name);
        if (j < 0) return Quatd::Identity();
        return math::from_matrix<double>(world[static_cast<std::size_t>(j)].topLeftCorner<3, 3>());
    };
    return turn(joint.proximal).conjugate() * turn(joint.distal);
}

/// Root mean square of the angle between the true and the solved joint, all three axes together, degrees.
double angle_error(const Walker& walker, const SolveResult& result, const JointAngle& joint) {
    double sum = 0;
    for (std::size_t f = 0; f < result.poses.size(); ++f) {
        const double t = static_cast<double>(f) / 100;
        const Quatd truth =
            relative(walker.subject.skeleton, model::sample(walker.walk, walker.subject.skeleton, t), joint);
        const Quatd solved = relative(result.skeleton, model::sample(result.clip, result.skeleton, t), joint);
        const double angle = degrees(math::angle_between(truth, solved));
        sum += angle * angle;
    }
    return std::sqrt(sum / static_cast<double>(result.poses.size()));
}

void erase(Trial& trial, const std::string& label) {
    const int p = trial.markers.find(label);
    ASSERT_GE(p, 0) << label;
    for (std::size_t f = 0; f < trial.frames; ++f) {
        const std::size_t i = f * trial.markers.count() + static_cast<std::size_t>(p);
        trial.markers.positions[i].setConstant(std::numeric_limits<float>::quiet_NaN());
        trial.markers.residuals[i] = model::Points::missing;
    }
}

bool holds(const std::vector<std::string>& names, const char* name) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

TEST(TreeSystem, SolvesWhatADenseSolverSolves) {
    test::Random random(5);
    const std::vector<int> parents = {-1, 0, 1, 1, 3, 0, 5};
    TreeSystem tree(parents);
    const auto n = static_cast<Eigen::Index>(parents.size());
    // J^T J of rows that each touch a node and its ancestors.
    Eigen::MatrixXd dense = Eigen::MatrixXd::Zero(3 * n, 3 * n);
    for (std::size_t k = 0; k < parents.size(); ++k) {
        for (int row = 0; row < 5; ++row) {
            Eigen::VectorXd r = Eigen::VectorXd::Zero(3 * n);
            r.segment<3>(3 * static_cast<Eigen::Index>(k)) = random.vector();
            for (const int a : tree.ancestors(k)) r.segment<3>(3 * a) = random.vector();
            dense += r * r.transpose();
        }
    }
    Eigen::VectorXd right(3 * n);
    for (std::size_t k = 0; k < parents.size(); ++k) {
        const auto at = 3 * static_cast<Eigen::Index>(k);
        tree.diagonal(k) = dense.block<3, 3>(at, at);
        tree.right(k) = random.vector();
        right.segment<3>(at) = tree.right(k);
        for (std::size_t i = 0; i < tree.ancestors(k).size(); ++i) {
            tree.coupling(k, i) = dense.block<3, 3>(at, 3 * tree.ancestors(k)[i]);
        }
    }
    std::vector<Vec3d> solution;
    ASSERT_TRUE(tree.solve(0, solution));
    const Eigen::VectorXd expected = dense.llt().solve(right);
    for (std::size_t k = 0; k < parents.size(); ++k) {
        EXPECT_LT((solution[k] - expected.segment<3>(3 * static_cast<Eigen::Index>(k))).norm(), 1e-6);
    }
}

TEST(PoseSolver, JacobianIsTheDifferenceQuotient) {
    test::Random random(7);
    Walker walker;
    auto& knee = walker.subject.skeleton
                     .joints[static_cast<std::size_t>(walker.subject.skeleton.find("LeftLowerLeg"))];
    knee.limits = model::JointLimits{random.rotation(), Vec3d(-1, 0, 0), Vec3d(1, 0, 0)};  // a skew hinge
    PoseSolver solver(walker.subject.skeleton, walker.subject.attachments);
    Pose pose = rest_pose(walker.subject.skeleton);
    for (Quatd& q : pose.rotation) q = q * random.rotation(0.5);
    std::vector<Vec3d> here, there;
    solver.points(pose, here);
    Eigen::MatrixXd jacobian;
    Eigen::VectorXd pull;
    solver.jacobian(pose, jacobian, pull);
    EXPECT_EQ(jacobian.rows(), 117);
    // The thigh turned about the world's axes: its three columns move what is attached to it.
    const auto thigh = static_cast<std::size_t>(walker.subject.skeleton.find("LeftUpperLeg"));
    const auto hips = static_cast<std::size_t>(walker.subject.skeleton.joints[thigh].parent);
    const Mat3d above = solver.rotation(hips);
    double least = 1e9;
    for (Eigen::Index node = 0; node + 2 < jacobian.cols(); node += 3) {
        double worst = 0;
        for (int axis = 0; axis < 3; ++axis) {
            Pose moved = pose;
            const Vec3d turn = above.transpose() * (1e-6 * Vec3d::Unit(axis));
            moved.rotation[thigh] = math::from_rotation_vector<double>(turn) * pose.rotation[thigh];
            solver.points(moved, there);
            for (std::size_t m = 0; m < here.size(); ++m) {
                const Vec3d quotient = (there[m] - here[m]) / 1e-6;
                const Vec3d column = jacobian.block<3, 1>(3 * static_cast<Eigen::Index>(m), node + axis);
                worst = std::max(worst, (quotient - column).norm());
            }
        }
        least = std::min(least, worst);
    }
    EXPECT_LT(least, 1e-5);  // one node is the thigh, and no marker of it is wrong
    EXPECT_EQ(solver.unknowns(), 3 * static_cast<std::size_t>(jacobian.cols()) / 3 - 2);
}

TEST(MarkerSolve, WalkWithAMillimetreOfNoiseIsWithinADegree) {
    const Walker walker;
    EXPECT_EQ(walker.subject.names.size(), 39U);
    const Trial trial = walker.record();
    const SolveResult result = solve(clean(trial).trial, walker.subject);
    for (const JointAngle& joint : measured) {
        EXPECT_LT(angle_error(walker, result, joint), 1) << joint.distal;
    }
    // The residual of what was recorded is its noise.
    const SolveResult raw = solve(trial, walker.subject);
    EXPECT_NEAR(raw.noise, 0.001, 0.0001);
    EXPECT_LT(raw.rms, 0.0018);
    EXPECT_EQ(result.residuals.size(), 39U);
    EXPECT_FALSE(result.still);
    model::validate(result.clip, result.skeleton.size(), 0, "clip");
}

TEST(MarkerSolve, AFifthOfTheSamplesMayBeMissing) {
    const Walker walker;
    const Trial trial = walker.record({.dropout = 0.2});
    std::size_t lost = 0;
    for (const float r : trial.markers.residuals) lost += r < 0;
    EXPECT_NEAR(static_cast<double>(lost) / static_cast<double>(trial.markers.residuals.size()), 0.2, 0.03);
    const SolveResult result = solve(clean(trial).trial, walker.subject);
    double squares = 0;
    for (const JointAngle& joint : measured) {
        const double error = angle_error(walker, result, joint);
        squares += error * error / static_cast<double>(std::size(measured));
        // A foot whose two markers are both gone in mid-swing is anybody's guess.
        EXPECT_LT(error, 3) << joint.distal;
    }
    EXPECT_LT(std::sqrt(squares), 2);
    EXPECT_NEAR(solve(trial, walker.subject).noise, 0.001, 0.0003);
}

TEST(MarkerSolve, AGenericSkeletonIsScaledToTheSubject) {
    // A child of 1.2 m, and the skeleton of a man.
    Walker child;
    for (model::Joint& joint : child.subject.skeleton.joints) {
        joint.rest.translation *= 0.7;
        if (joint.tip) *joint.tip *= 0.7;
    }
    child.subject = with_plug_in_gait_markers(child.subject.skeleton);
    child.walk = sample::man_walk(child.subject.skeleton, {.cycles = 2});
    const SolveResult result = solve(child.record(), sample::man_skeleton());
    EXPECT_NEAR(result.calibration.scale, 0.7, 0.03);
    EXPECT_LT(result.rms, 0.004);
    for (const char* joint : {"LeftLowerLeg", "RightLowerLeg", "LeftFoot", "RightFoot"}) {
        const auto j = static_cast<std::size_t>(result.skeleton.find(joint));
        const double length = result.skeleton.joints[j].rest.translation.norm();
        EXPECT_NEAR(length / child.subject.skeleton.joints[j].rest.translation.norm(), 1, 0.05) << joint;
    }
    EXPECT_LT(angle_error(child, result, {"LeftLowerLeg", "LeftUpperLeg"}), 5);
    EXPECT_LT(angle_error(child, result, {"RightLowerLeg", "RightUpperLeg"}), 5);
}

TEST(MarkerSolve, ANeutralStaticTrialSetsTheZeroOfTheJoints) {
    Walker walker;
    model::Clip rest;
    rest.name = "rest";
    rest.tracks.resize(1);
    rest.tracks[0].rotation.times = model::KeyTimes::even(0, 0.1, 4);
    rest.tracks[0].rotation.values.assign(4, math::Quatf::Identity());
    const Trial still = record_markers(walker.subject, rest, {.noise = 0.0001});
    SolveOptions options;
    options.calibrate.neutral = true;
    options.calibrate.scale = false;
    const SolveResult standing = solve(still, walker.subject.skeleton, options, &still);
    EXPECT_TRUE(standing.still);
    for (const JointAngle& joint : measured) {
        const auto j = static_cast<std::size_t>(standing.skeleton.find(joint.distal));
        const double angle = degrees(math::angle_between(standing.poses[1].rotation[j], Quatd::Identity()));
        EXPECT_LT(angle, 2) << joint.distal;
    }
    const Trial trial = clean(walker.record()).trial;
    const SolveResult result = solve(trial, walker.subject.skeleton, options, &still);
    for (std::size_t i = 2; i < 8; ++i) {
        EXPECT_LT(angle_error(walker, result, measured[i]), 4) << measured[i].distal;
    }
}

TEST(MarkerSolve, RefinementFindsMovedMarkersAndLengths) {
    const Walker walker;
    const Trial trial = walker.record({.noise = 0.0005});
    // A thigh too short by 2 cm and a shank marker 1.5 cm off.
    SubjectModel wrong = walker.subject;
    const auto knee = static_cast<std::size_t>(wrong.skeleton.find("LeftLowerLeg"));
    wrong.skeleton.joints[knee].rest.translation *= 0.95;
    for (std::size_t m = 0; m < wrong.names.size(); ++m) {
        if (wrong.names[m] == "LTIB") wrong.attachments[m].offset.z() += 0.015;
    }
    const MarkerMap map = map_markers(trial.markers);
    std::vector<std::vector<Vec3d>> frames;
    for (std::size_t f = 0; f < trial.frames; f += 8) frames.push_back(marker_positions_at(trial, map, f));
    std::vector<Pose> poses;
    const SolveResult before = solve(trial, wrong);
    for (std::size_t f = 0; f < trial.frames; f += 8) poses.push_back(before.poses[f]);
    RefineOptions options;
    options.offset_pull = options.length_pull = 1e-3;
    const RefineReport report = refine(wrong.skeleton, wrong.attachments, frames, poses, {}, options);
    EXPECT_GT(report.rms_before, 0.002);
    EXPECT_LT(report.rms_after, 0.0012);
    EXPECT_LT(solve(trial, wrong).rms, 0.0012);
    const double truth = walker.subject.skeleton.joints[knee].rest.translation.norm();
    EXPECT_NEAR(wrong.skeleton.joints[knee].rest.translation.norm(), truth, 0.01);
}

TEST(MarkerSolve, ALostMarkerPullsLittle) {
    const Walker walker;
    Trial trial = walker.record();
    const int knee = trial.markers.find("LKNE");
    const std::size_t f = 60;
    trial.markers.positions[f * trial.markers.count() + static_cast<std::size_t>(knee)].x() += 400;
    const SolveResult result = solve(trial, walker.subject);
    const auto j = static_cast<std::size_t>(result.skeleton.find("LeftUpperLeg"));
    const auto truth = model::sample(walker.walk, walker.subject.skeleton, 0.6);
    EXPECT_LT(degrees(math::angle_between(truth[j].rotation, result.poses[f].rotation[j])), 12);
    const MarkerResidual& worst = result.residuals[static_cast<std::size_t>(result.map.find("LKNE"))];
    EXPECT_EQ(worst.worst_frame, f);
    EXPECT_GT(worst.max, 0.3);
}

TEST(MarkerSolve, AMissingLegIsHeldAndNamed) {
    const Walker walker;
    Trial trial = walker.record();
    for (const char* name : {"LTHI", "LKNE", "LTIB", "LANK", "LHEE", "LTOE"}) erase(trial, name);
    Collector warnings;
    const SolveResult result = solve(trial, walker.subject.skeleton, {}, nullptr, warnings);
    for (const char* joint : {"LeftUpperLeg", "LeftLowerLeg", "LeftFoot"}) {
        EXPECT_TRUE(holds(result.held, joint)) << joint;
        const auto j = static_cast<std::size_t>(result.skeleton.find(joint));
        EXPECT_LT(math::angle_between(result.poses[50].rotation[j], Quatd::Identity()), 1e-9);
    }
    EXPECT_FALSE(holds(result.held, "RightLowerLeg"));
    EXPECT_TRUE(holds(result.bridged, "Spine"));
    EXPECT_TRUE(warnings.has("solve-held"));
    EXPECT_TRUE(warnings.has("solve-unseen"));
    EXPECT_EQ(result.map.unseen.size(), 6U);
}

TEST(MarkerSolve, SwappedMarkersAreFound) {
    const Walker walker;
    Trial trial = walker.record();
    EXPECT_TRUE(find_swaps(trial, map_markers(trial.markers)).empty());
    std::swap(trial.markers.info[static_cast<std::size_t>(trial.markers.find("LTIB"))].label,
              trial.markers.info[static_cast<std::size_t>(trial.markers.find("RTIB"))].label);
    Collector warnings;
    const SolveResult result = solve(trial, walker.subject, {}, warnings);
    // With two markers on a shank either pair may be the one.
    ASSERT_FALSE(result.swapped.empty());
    EXPECT_LE(result.swapped.size(), 2U);
    EXPECT_TRUE(std::any_of(result.swapped.begin(), result.swapped.end(),
                            [](const Swap& swap) { return swap.first == "LTIB"; }));
    EXPECT_TRUE(warnings.has("solve-swapped"));
    EXPECT_TRUE(warnings.has("solve-residual"));
}

TEST(MarkerSolve, WrongInputSaysWhatIsWrong) {
    const Walker walker;
    const auto reason = [&](const Trial& trial) -> std::string {
        try {
            solve(trial, walker.subject.skeleton);
        } catch (const Error& error) {
            return error.reason();
        }
        return "";
    };
    EXPECT_NE(reason(Trial{}).find("no frames"), std::string::npos);
    Trial units = walker.record();
    units.to_world.scale = 1;
    units.unit = "m";
    EXPECT_NE(reason(units).find("looks like mm"), std::string::npos) << reason(units);
    Trial headless = walker.record();
    erase(headless, "LASI");
    EXPECT_NE(reason(headless).find("LASI, RASI"), std::string::npos);
    Trial crossed = walker.record();
    std::swap(crossed.markers.info[static_cast<std::size_t>(crossed.markers.find("LASI"))].label,
              crossed.markers.info[static_cast<std::size_t>(crossed.markers.find("RASI"))].label);
    EXPECT_NE(reason(crossed).find("swapped"), std::string::npos) << reason(crossed);
    Trial nameless = walker.record();
    int n = 0;
    for (model::PointInfo& info : nameless.markers.info) info.label = "*" + std::to_string(++n);
    EXPECT_NE(reason(nameless).find("known markers: none"), std::string::npos);
}

TEST(MarkerNames, EverySetIsUnderstood) {
    struct Case {
        const char* label;
        const char* place;
    };
    for (const Case& c :
         {Case{"LASI", "LASI"}, Case{"rkne", "RKNE"}, Case{"LFWT", "LASI"}, Case{"RBWT", "RPSI"},
          Case{"L.ASIS", "LASI"}, Case{"V.Sacral", "SACR"}, Case{"R.Knee.Med", "RKNEM"},
          Case{"Left_Heel", "LHEE"}, Case{"R.Thigh.Upper", "RTHI1"}, Case{"RSK3", "RTIB3"},
          Case{"pv4", "PEL4"}, Case{"LLMAL", "LANK"}, Case{"Knee_R", "RKNE"}}) {
        model::Points points;
        points.info.resize(1);
        points.info[0].label = c.label;
        points.positions.push_back({1, 2, 3});
        points.residuals.push_back(0);
        const MarkerMap map = map_markers(points);
        ASSERT_EQ(map.markers.size(), 1U) << c.label;
        EXPECT_EQ(map.markers[0].location.name, c.place) << c.label;
    }
}

TEST(MarkerNames, WhatIsNoMarkerIsSortedOut) {
    model::Points points;
    for (const char* label : {"LASI", "*7", "LFEO", "RKJC", "banana", "MyHip", "Plate"}) {
        model::PointInfo info;
        info.label = label;
        points.info.push_back(info);
        points.positions.push_back({1, 2, 3});
        points.residuals.push_back(0);
    }
    const MarkerNames names = parse_marker_names(
        R"({"aliases": {"MyHip": "RASI"}, "segments": {"PLATE": "LeftLowerLeg"}})", "mine.json");
    const MarkerMap map = map_markers(points, names);
    EXPECT_EQ(map.markers.size(), 3U);
    EXPECT_GE(map.find("RASI"), 0);
    EXPECT_EQ(map.markers[2].location.segment, model::Role::shin);
    EXPECT_EQ(map.unlabelled, std::vector<std::string>{"*7"});
    EXPECT_EQ(map.computed, (std::vector<std::string>{"LFEO", "RKJC"}));
    EXPECT_EQ(map.unknown, std::vector<std::string>{"banana"});
    EXPECT_THROW(parse_marker_names("[1]", "x"), Error);
    EXPECT_THROW(parse_marker_names(R"({"aliases": {"a": "NOSE"}})", "x"), Error);
    EXPECT_THROW(parse_marker_names(R"({"segments": {"a": "banana"}})", "x"), Error);
}

}  // namespace
}  // namespace sinew::motion
