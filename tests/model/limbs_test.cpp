// SPDX-License-Identifier: MIT
#include <algorithm>

#include <gtest/gtest.h>

#include "sinew/model/roles.h"
#include "sinew/rig/skeletonize.h"
#include "sinew/sample/samples.h"

namespace sinew::model {
namespace {

std::vector<std::string> ends(const Skeleton& skeleton, const Limbs& limbs) {
    std::vector<std::string> names;
    for (const Limb& limb : limbs.limbs)
        names.push_back(skeleton.joints[static_cast<std::size_t>(limb.joints.back())].name);
    std::sort(names.begin(), names.end());
    return names;
}

TEST(Limbs, ThePersonHasFiveAndFingersAreTheEndOfTheArm) {
    const Skeleton man = sample::make("man").skeleton;
    const Limbs limbs = limbs_of(man);
    EXPECT_EQ(ends(man, limbs), (std::vector<std::string>{"Head", "LeftMiddleDistal", "LeftToes",
                                                          "RightMiddleDistal", "RightToes"}));
    ASSERT_EQ(limbs.junctions.size(), 2u);
    EXPECT_EQ(man.joints[static_cast<std::size_t>(limbs.junctions[0])].name, "Hips");
    EXPECT_EQ(man.joints[static_cast<std::size_t>(limbs.junctions[1])].name, "UpperChest");
}

TEST(Limbs, AHandHasFiveFingersAndAWrist) {
    const Skeleton hand = rig::skeleton_template("hand");
    EXPECT_EQ(limbs_of(hand).limbs.size(), 6u);
}

TEST(Limbs, IgnoredJointsAreNoLimbs) {
    const Skeleton animal = rig::skeleton_template("quadruped");
    EXPECT_EQ(limbs_of(animal).limbs.size(), 6u);
    std::vector<char> ignored(animal.size(), 0);
    ignored[static_cast<std::size_t>(animal.find("Tail"))] = 1;
    EXPECT_EQ(limbs_of(animal, ignored).limbs.size(), 5u);
}

TEST(Limbs, AChainIsOneLimb) {
    const Skeleton tube = sample::make("tube").skeleton;
    const Limbs limbs = limbs_of(tube);
    ASSERT_EQ(limbs.limbs.size(), 1u);
    EXPECT_TRUE(limbs.junctions.empty());
    EXPECT_TRUE(limbs_of(Skeleton{}).limbs.empty());
}

}  // namespace
}  // namespace sinew::model
