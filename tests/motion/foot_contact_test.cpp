// SPDX-License-Identifier: MIT
#include "support/random.h"
#include <gtest/gtest.h>

#include "sinew/motion/retarget/frames.h"
#include "sinew/motion/retarget/plan.h"

namespace sinew::motion {
namespace {

using math::Quatd;
using math::Vec3d;

/// A foot that stands for a second, swings half a metre in half a second, and so on; metres, 100 Hz.
std::vector<Vec3d> steps(int count, double noise = 0, double stairs = 0) {
    test::Random random;
    std::vector<Vec3d> way;
    for (int s = 0; s < count; ++s) {
        for (int f = 0; f < 100; ++f)
            way.push_back(Vec3d(0, 0.08 + s * stairs, 0.5 * s) + noise * random.vector());
        for (int f = 0; f < 50; ++f) {
            const double t = (f + 1) / 51.0, lift = std::sin(math::pi * t);
            way.push_back(Vec3d(0, 0.08 + (s + t) * stairs + 0.2 * lift, 0.5 * (s + t)));
        }
    }
    return way;
}

TEST(FootContact, FindsTheStancesOfAWalk) {
    const auto contacts = find_contacts(steps(3), 100, 0.9);
    ASSERT_EQ(contacts.size(), 3u);
    for (std::size_t i = 0; i < 3; ++i) {
        EXPECT_NEAR(static_cast<double>(contacts[i].first), 150.0 * static_cast<double>(i), 2);
        EXPECT_NEAR(static_cast<double>(contacts[i].last), 150.0 * static_cast<double>(i) + 99, 2);
    }
}

TEST(FootContact, NoiseDoesNotCutAContact) {
    EXPECT_EQ(find_contacts(steps(3, 0.0005), 100, 0.9).size(), 3u);
}

TEST(FootContact, StairsHaveContactsOnEveryStep) {
    EXPECT_EQ(find_contacts(steps(4, 0, 0.2), 100, 0.9).size(), 4u);
}

TEST(FootContact, AJumpOfTheBodyEndsAContact) {
    std::vector<Vec3d> way(60, Vec3d(0, 0.1, 0));
    for (std::size_t f = 30; f < 60; ++f) way[f].x() = 0.5;
    const auto contacts = find_contacts(way, 100, 0.9);
    ASSERT_EQ(contacts.size(), 2u);
    EXPECT_LT(contacts[0].last, 30u);
    EXPECT_GE(contacts[1].first, 30u);
    EXPECT_TRUE(find_contacts({}, 100, 0.9).empty());
    EXPECT_TRUE(find_contacts(way, 0, 0.9).empty());
}

TEST(FootContact, CorrectionsRestInContactAndGoSmoothlyBetween) {
    auto way = steps(3);
    for (std::size_t f = 0; f < way.size(); ++f) way[f].z() += 0.001 * static_cast<double>(f);  // slides
    const std::vector<Contact> contacts = {{0, 99}, {150, 249}, {300, 399}};
    std::vector<Vec3d> rest;
    for (const Contact& c : contacts) rest.push_back(way[(c.first + c.last) / 2]);
    EXPECT_NEAR(measure_slide(way, contacts, 1).largest, 0.1, 1e-9);
    const auto corrections = contact_corrections(way, contacts, rest);
    for (std::size_t f = 0; f < way.size(); ++f) way[f] += corrections[f];
    EXPECT_LT(measure_slide(way, contacts, 1).largest, 1e-9);
    for (std::size_t f = 1; f < corrections.size(); ++f)
        EXPECT_LT((corrections[f] - corrections[f - 1]).norm(), 0.005) << f;
    EXPECT_TRUE(contact_corrections(way, {}, {}).empty());
}

TEST(TwoBoneReach, BringsTheEndToItsGoalAndKeepsTheLengths) {
    test::Random random;
    for (int i = 0; i < 200; ++i) {
        const TwoBones leg{Vec3d(0, 0.9, 0), Vec3d(0, 0.45, 0.05), Vec3d(0.02, 0, 0)};
        const Vec3d goal = leg.start + random.uniform(0.2, 0.85) * random.unit_vector();
        const TwoBoneRotations rotations = reach(leg, goal, Vec3d::UnitX());
        ASSERT_TRUE(rotations.reached);
        EXPECT_LT((rotations.end - goal).norm(), 1e-9);
        EXPECT_NEAR((rotations.middle - leg.start).norm(), (leg.middle - leg.start).norm(), 1e-9);
        EXPECT_LT((rotations.upper * (leg.middle - leg.start) - (rotations.middle - leg.start)).norm(), 1e-9);
        EXPECT_LT((rotations.lower * (leg.end - leg.middle) - (rotations.end - rotations.middle)).norm(),
                  1e-9);
    }
}

TEST(TwoBoneReach, KneesBendForwardFromStraight) {
    const TwoBones leg{Vec3d(0, 0.9, 0), Vec3d(0, 0.45, 0), Vec3d(0, 0, 0)};
    const TwoBoneRotations rotations = reach(leg, Vec3d(0, 0.1, 0), Vec3d::UnitX());
    EXPECT_GT(rotations.middle.z(), 0.1);
    const TwoBoneRotations far = reach(leg, Vec3d(0, -1, 0), Vec3d::UnitX());
    EXPECT_FALSE(far.reached);
    EXPECT_LT((far.end - Vec3d(0, 0, 0)).norm(), 0.01);
    EXPECT_FALSE(reach(leg, leg.start, Vec3d::UnitX()).reached);
}

TEST(TwoBoneReach, SmallMovesOfTheGoalTurnLittle) {
    TwoBones leg{Vec3d(0, 0.9, 0), Vec3d(0, 0.45, 0.001), Vec3d(0, 0, 0)};
    Quatd last = Quatd::Identity();
    for (int f = 0; f <= 100; ++f) {
        const Vec3d goal(0.05 * std::sin(0.1 * f), 0.002 + 0.04 * (1 + std::cos(0.3 * f)),
                         0.1 * std::cos(0.2 * f));
        const TwoBoneRotations rotations = reach(leg, goal, Vec3d::UnitX());
        if (f > 0) {
            EXPECT_LT(math::angle_between(rotations.upper, last), math::radians(15)) << f;
        }
        last = rotations.upper;
    }
}

TEST(Twist, AngleOfTheTurnAboutAnAxis) {
    const Vec3d x = Vec3d::UnitX();
    for (const double angle : {-3.0, -0.5, 0.0, 0.7, 3.1}) {
        const Quatd twist = math::axis_angle<double>(x, angle);
        EXPECT_NEAR(twist_angle(twist, x), angle, 1e-12);
        const Quatd swing = math::axis_angle<double>(Vec3d(0, 0.6, 0.8), 0.9);
        EXPECT_NEAR(twist_angle(swing * twist, x), angle, 1e-12);
    }
    EXPECT_EQ(twist_angle(Quatd(0, 0, 1, 0), x), 0);
}

TEST(Twist, JointsAlongALimbTakeTheirShare) {
    model::Skeleton s;
    const auto add = [&](const char* name, int parent, double at) {
        model::Joint joint;
        joint.name = name;
        joint.parent = parent;
        joint.rest.translation = Vec3d(at, 0, 0);
        s.joints.push_back(joint);
    };
    add("LeftArm", -1, 0);
    add("LeftArmTwist", 0, 0.1);
    add("LeftForeArm", 0, 0.3);
    add("LeftForeArmTwist1", 2, 0.1);
    add("LeftHand", 2, 0.25);
    const auto twists = find_twist_joints(s, model::find_roles(s));
    ASSERT_EQ(twists.size(), 2u);
    EXPECT_EQ(twists[0].driver, 0);
    EXPECT_NEAR(twists[0].share, 1.0 / 3 - 1, 1e-12);
    EXPECT_EQ(twists[1].driver, 4);
    EXPECT_NEAR(twists[1].share, 0.4, 1e-12);
}

}  // namespace
}  // namespace sinew::motion
