// Places of joints to rotations of bones, by all three ways.

#include "sinew/motion/positions.h"

#include "support/random.h"
#include <gtest/gtest.h>

#include "sinew/base/error.h"
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
JointPlaces turned(const Skeleton& s, int joint, const Quatd& turn) {
    std::vector<math::Transform> local;
    for (const model::Joint& j : s.joints) local.push_back(j.rest);
    auto& rotation = local[static_cast<std::size_t>(joint)].rotation;
    rotation = rotation * turn;
    return model::joint_positions(model::world_matrices(s, local));
}

double turn_of(const PositionResult& r, const char* name) {
    const int j = r.skeleton.find(name);
    const Quatd q = model::sample(r.clip.tracks[static_cast<std::size_t>(j)].rotation, 0);
    return degrees(math::angle_between(q, r.skeleton.joints[static_cast<std::size_t>(j)].rest.rotation));
}

TEST(Positions, ATurnedChestIsATurnedChest) {
    const Skeleton s = t_pose();
    const Quatd turn = math::axis_angle<double>(Vec3d::UnitY(), radians(30));
    const std::vector<JointPlaces> frames = {turned(s, s.find("Chest"), turn)};
    const PositionResult r = rotations_from_positions(s, frames, 30);
    EXPECT_NEAR(turn_of(r, "Chest"), 30, 1e-4);
    EXPECT_NEAR(turn_of(r, "LeftShoulder"), 0, 1e-4);
    EXPECT_NEAR(turn_of(r, "RightShoulder"), 0, 1e-4);
    EXPECT_NEAR(turn_of(r, "Hips"), 0, 1e-4);
    EXPECT_LT(r.max, 1e-6);
}

TEST(Positions, TheAxisChainTwistsTheShouldersByTheTurnOfTheSpine) {
    const Skeleton s = t_pose();
    const Quatd turn = math::axis_angle<double>(Vec3d::UnitY(), radians(30));
    const std::vector<JointPlaces> frames = {turned(s, s.find("Chest"), turn)};
    const PositionResult r = rotations_from_positions(s, frames, 30, {.method = PositionMethod::axis_chain});
    EXPECT_LT(r.max, 1e-6);
    const auto rest = model::rest_world_matrices(r.skeleton);
    const auto now = model::world_matrices(r.skeleton, model::sample(r.clip, r.skeleton, 0));
    const auto world = [](const math::Mat4d& m) {
        return math::from_matrix<double>(m.topLeftCorner<3, 3>());
    };
    const auto chest = static_cast<std::size_t>(s.find("Chest"));
    EXPECT_LT(degrees(math::angle_between(world(now[chest]), world(rest[chest]))), 1e-4);
    // The joint frame at the end of the clavicle: q_A = q_true R_x(-30).
    for (const char* name : {"LeftShoulder", "RightShoulder"}) {
        const auto j = static_cast<std::size_t>(s.find(name));
        const Quatd truth = turn * world(rest[j]);
        const Quatd expected = truth * math::axis_angle<double>(Vec3d::UnitX(), radians(-30));
        EXPECT_LT(degrees(math::angle_between(world(now[j]), expected)), 1e-3) << name;
    }
}

std::vector<JointPlaces> walking(const Skeleton& man, const model::Clip& walk, std::size_t step = 3) {
    std::vector<JointPlaces> frames;
    for (std::size_t f = 0; f < model::frame_count(walk); f += step) {
        frames.push_back(model::joint_positions(
            model::world_matrices(man, model::sample(walk, man, model::frame_time(walk, f)))));
    }
    return frames;
}

TEST(Positions, EveryVariantReproducesTheWalk) {
    const Skeleton man = sample::man_skeleton();
    const model::Clip walk = sample::man_walk(man, {.cycles = 1});
    const std::vector<JointPlaces> frames = walking(man, walk);
    for (const auto method :
         {PositionMethod::axis_chain, PositionMethod::rigid_fit, PositionMethod::optimise}) {
        const PositionResult r = rotations_from_positions(man, frames, 20, {.method = method});
        // Keys are single precision.
        EXPECT_LT(r.max, method == PositionMethod::optimise ? 1e-4 : 2e-6) << static_cast<int>(method);
        model::validate(r.clip, man.size(), 0, "result");
        EXPECT_EQ(model::frame_count(r.clip), frames.size());
    }
}

TEST(Positions, HingesShowTheTwistOfTheThigh) {
    const Skeleton man = sample::man_skeleton();
    const auto thigh = static_cast<std::size_t>(man.find("LeftUpperLeg"));
    const auto shin = static_cast<std::size_t>(man.find("LeftLowerLeg"));
    std::vector<JointPlaces> frames;
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
    const PositionResult without = rotations_from_positions(man, frames, 30, {.least_bend = 0});
    for (std::size_t f = 0; f < frames.size(); ++f) {
        const double t = static_cast<double>(f) / 30;
        const Quatd a = model::sample(with.clip.tracks[thigh].rotation, t);
        const Quatd b = model::sample(without.clip.tracks[thigh].rotation, t);
        EXPECT_LT(degrees(math::angle_between(a, truth[f])), 2) << f;
        EXPECT_GT(degrees(math::angle_between(b, truth[f])), 10) << f;
    }
    EXPECT_LT(with.max, 2e-6);
}

TEST(Positions, LimitsHoldTheOptimisedKnee) {
    Skeleton man = sample::man_skeleton();
    const auto shin = static_cast<std::size_t>(man.find("LeftLowerLeg"));
    std::vector<math::Transform> local;
    for (const model::Joint& j : man.joints) local.push_back(j.rest);
    local[shin].rotation = math::axis_angle<double>(Vec3d::UnitX(), radians(-20));  // over-stretched
    const std::vector<JointPlaces> frames = {model::joint_positions(model::world_matrices(man, local))};
    man.joints[shin].limits = model::JointLimits{Quatd::Identity(), Vec3d(0, 0, 0), Vec3d(2.4, 0, 0)};
    // Without a limit of its own the thigh would turn round, and the knee bend the right way.
    const auto thigh = static_cast<std::size_t>(man.find("LeftUpperLeg"));
    man.joints[thigh].limits = model::JointLimits{Quatd::Identity(), Vec3d(-2, -0.5, -1), Vec3d(2, 0.5, 1)};
    const PositionResult free = rotations_from_positions(man, frames, 30);
    PositionOptions options{.method = PositionMethod::optimise};
    options.pose.limit_weight = 100;
    const PositionResult held = rotations_from_positions(man, frames, 30, options);
    EXPECT_NEAR(turn_of(free, "LeftLowerLeg"), 20, 1);
    EXPECT_LT(turn_of(held, "LeftLowerLeg"), 0.5);
    EXPECT_GT(held.max, 0.01);
}

TEST(Positions, MissingPlacesKeepTheLastTurnAndAreNamed) {
    const Skeleton man = sample::man_skeleton();
    const model::Clip walk = sample::man_walk(man, {.cycles = 1});
    std::vector<JointPlaces> frames = walking(man, walk);
    const auto hand = static_cast<std::size_t>(man.find("LeftHand"));
    for (auto& places : frames) places[hand].setConstant(std::numeric_limits<double>::quiet_NaN());
    const PositionResult r = rotations_from_positions(man, frames, 20);
    EXPECT_NE(std::find(r.held.begin(), r.held.end(), "LeftLowerArm"), r.held.end());
    EXPECT_EQ(std::find(r.held.begin(), r.held.end(), "RightLowerArm"), r.held.end());
    EXPECT_THROW(rotations_from_positions(man, std::vector<JointPlaces>{{}}, 20), Error);
    EXPECT_THROW(rotations_from_positions(man, frames, 0), Error);
    EXPECT_TRUE(rotations_from_positions(man, {}, 20).clip.empty());
}

}  // namespace
}  // namespace sinew::motion
