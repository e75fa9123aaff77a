// SPDX-License-Identifier: MIT
// Positions of joints to rotations of bones.

#include "support/random.h"
#include <gtest/gtest.h>

#include "sinew/base/error.h"
#include "sinew/motion/solve.h"
#include "sinew/sample/samples.h"

namespace sinew::motion {
namespace {

using math::degrees;
using math::Quatd;
using math::radians;
using math::Vec3d;
using model::Skeleton;

/// Pelvis, spine, its end that carries neck and clavicles, arms out to the sides.
Skeleton t_pose() {
    Skeleton s;
    const auto add = [&](const char* name, int parent, Vec3d offset) {
        s.joints.push_back({name, parent, {offset, Quatd::Identity(), Vec3d::Ones()}, {}, {}});
        return static_cast<int>(s.size()) - 1;
    };
    const int hips = add("Hips", -1, {0, 1, 0});
    add("LeftLeg", hips, {0.1, -0.1, 0});
    add("RightLeg", hips, {-0.1, -0.1, 0});
    const int spine = add("Spine", hips, {0, 0.2, 0});
    const int chest = add("Chest", spine, {0, 0.3, 0});
    add("Neck", chest, {0, 0.15, 0});
    const int left = add("LeftShoulder", chest, {0.15, 0, 0});
    add("LeftArm", left, {0.3, 0, 0});
    const int right = add("RightShoulder", chest, {-0.15, 0, 0});
    add("RightArm", right, {-0.3, 0, 0});
    return s;
}

/// Places with one joint turned from rest.
JointPositions turned(const Skeleton& s, int joint, const Quatd& turn) {
    std::vector<math::Transform> local;
    for (const model::Joint& j : s.joints) local.push_back(j.rest);
    auto& rotation = local[static_cast<std::size_t>(joint)].rotation;
    rotation = rotation * turn;
    return model::joint_positions(model::world_matrices(s, local));
}

double turn_of(const Skeleton& s, const PositionResult& r, const char* name) {
    const int j = s.find(name);
    const Quatd q = model::sample(r.clip.tracks[static_cast<std::size_t>(j)].rotation, 0);
    return degrees(math::angle_between(q, s.joints[static_cast<std::size_t>(j)].rest.rotation));
}

TEST(Positions, ATurnedChestIsATurnedChest) {
    const Skeleton s = t_pose();
    const Quatd turn = math::axis_angle<double>(Vec3d::UnitY(), radians(30));
    const std::vector<JointPositions> frames = {turned(s, s.find("Chest"), turn)};
    const PositionResult r = rotations_from_positions(s, frames, 30);
    EXPECT_NEAR(turn_of(s, r, "Chest"), 30, 1e-4);
    EXPECT_NEAR(turn_of(s, r, "LeftShoulder"), 0, 1e-4);
    EXPECT_NEAR(turn_of(s, r, "RightShoulder"), 0, 1e-4);
    EXPECT_NEAR(turn_of(s, r, "Hips"), 0, 1e-4);
    EXPECT_LT(r.max, 1e-6);
}

std::vector<JointPositions> walking(const Skeleton& man, const model::Clip& walk, std::size_t step = 3) {
    std::vector<JointPositions> frames;
    for (std::size_t f = 0; f < model::frame_count(walk); f += step) {
        frames.push_back(model::joint_positions(
            model::world_matrices(man, model::sample(walk, man, model::frame_time(walk, f)))));
    }
    return frames;
}

TEST(Positions, TheWalkIsReproduced) {
    const Skeleton man = sample::man_skeleton();
    const model::Clip walk = sample::man_walk(man, {.cycles = 1});
    const std::vector<JointPositions> frames = walking(man, walk);
    const PositionResult r = rotations_from_positions(man, frames, 20);
    EXPECT_LT(r.max, 2e-6);  // keys are single precision
    model::validate(r.clip, man.size(), 0, "result");
    EXPECT_EQ(model::frame_count(r.clip), frames.size());
}

TEST(Positions, HingesShowTheTwistOfTheThigh) {
    const Skeleton man = sample::man_skeleton();
    const auto thigh = static_cast<std::size_t>(man.find("LeftUpperLeg"));
    const auto shin = static_cast<std::size_t>(man.find("LeftLowerLeg"));
    std::vector<JointPositions> frames;
    std::vector<Quatd> truth;
    for (int f = 0; f < 20; ++f) {
        std::vector<math::Transform> local;
        for (const model::Joint& j : man.joints) local.push_back(j.rest);
        // The thigh lifted and turned about itself; the knee bends through straight.
        truth.push_back(math::axis_angle<double>(Vec3d::UnitX(), -0.4) *
                        math::axis_angle<double>(Vec3d::UnitY(), radians(15)));
        local[thigh].rotation = truth.back();
        local[shin].rotation = math::axis_angle<double>(Vec3d::UnitX(), std::max(0.0, 0.1 * (f - 8)));
        frames.push_back(model::joint_positions(model::world_matrices(man, local)));
    }
    const PositionResult with = rotations_from_positions(man, frames, 30);
    for (std::size_t f = 0; f < frames.size(); ++f) {
        const double t = static_cast<double>(f) / 30;
        const Quatd a = model::sample(with.clip.tracks[thigh].rotation, t);
        EXPECT_LT(degrees(math::angle_between(a, truth[f])), 2) << f;
    }
    EXPECT_LT(with.max, 2e-6);
}

TEST(Positions, MissingPlacesKeepTheLastTurnAndAreNamed) {
    const Skeleton man = sample::man_skeleton();
    const model::Clip walk = sample::man_walk(man, {.cycles = 1});
    std::vector<JointPositions> frames = walking(man, walk);
    const auto hand = static_cast<std::size_t>(man.find("LeftHand"));
    for (auto& places : frames) places[hand].setConstant(std::numeric_limits<double>::quiet_NaN());
    const PositionResult r = rotations_from_positions(man, frames, 20);
    EXPECT_NE(std::find(r.held.begin(), r.held.end(), "LeftLowerArm"), r.held.end());
    EXPECT_EQ(std::find(r.held.begin(), r.held.end(), "RightLowerArm"), r.held.end());
    EXPECT_THROW(rotations_from_positions(man, std::vector<JointPositions>{{}}, 20), Error);
    EXPECT_THROW(rotations_from_positions(man, frames, 0), Error);
    EXPECT_TRUE(rotations_from_positions(man, {}, 20).clip.empty());
}

TEST(Positions, PointsOfATrialAreJointsByNameOrInOrder) {
    const Skeleton s = t_pose();
    model::Trial trial;
    trial.rate = 30;
    trial.frames = 1;
    const JointPositions rest = model::joint_positions(model::rest_world_matrices(s));
    for (std::size_t j = s.size(); j-- > 0;) {  // the other way round
        trial.markers.info.push_back({s.joints[j].name, "", "", model::PointKind::marker, ""});
        trial.markers.positions.push_back((2 * rest[j]).cast<float>());
        trial.markers.residuals.push_back(0);
    }
    const std::vector<JointPositions> named = joint_positions(trial, s);
    for (std::size_t j = 0; j < s.size(); ++j) EXPECT_LT((named[0][j] - 2 * rest[j]).norm(), 1e-6);
    EXPECT_NEAR(bone_scale(s, named), 2, 1e-6);
    for (model::PointInfo& info : trial.markers.info) info.label = "joint_" + info.label.substr(0, 1);
    EXPECT_LT((joint_positions(trial, s)[0][0] - 2 * rest.back()).norm(), 1e-6);
    trial.markers.info.pop_back();
    trial.markers.positions.pop_back();
    trial.markers.residuals.pop_back();
    EXPECT_THROW(joint_positions(trial, s), Error);
}

}  // namespace
}  // namespace sinew::motion
