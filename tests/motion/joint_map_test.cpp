// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "sinew/base/error.h"
#include "sinew/motion/retarget.h"
#include "sinew/sample/samples.h"

namespace sinew::motion {
namespace joint_map_test {

using model::Skeleton;

TEST(JointMap, PlainNames) {
    EXPECT_EQ(plain_name("mixamorig:LeftArm"), "leftarm");
    EXPECT_EQ(plain_name("mixamorig12:LeftArm"), "leftarm");
    EXPECT_EQ(plain_name("mixamorigLeftArm"), "leftarm");
    EXPECT_EQ(plain_name("mixamorig1_LeftArm"), "leftarm");
    EXPECT_EQ(plain_name("Armature|rig:Hips"), "hips");
    EXPECT_EQ(plain_name("Hips"), "hips");
    EXPECT_EQ(plain_name("mixamorig"), "mixamorig");
    EXPECT_EQ(plain_name("odd:"), "odd:");
    EXPECT_EQ(plain_name(""), "");
}

TEST(JointMap, MatchesEachSourceOnce) {
    Skeleton source, target;
    for (const char* name : {"a:Hips", "Spine", "Tail"}) source.joints.push_back({name, -1, {}, {}});
    for (const char* name : {"HIPS", "b:hips", "Wing", "x|spine"})
        target.joints.push_back({name, -1, {}, {}});
    EXPECT_EQ(match_by_name(source, target), (JointMap{0, -1, -1, 1}));
}

TEST(JointMap, RolesBridgeDifferentNames) {
    const Skeleton man = sample::make("man").skeleton;
    Skeleton source = man, target = man;
    source.joints[static_cast<std::size_t>(source.find("LeftUpperArm"))].name = "LeftArm";  // as CMU has it
    source.joints[static_cast<std::size_t>(source.find("LeftLowerArm"))].name = "LeftForeArm";
    for (model::Joint& joint : target.joints) joint.name = "mixamorig:" + joint.name;
    target.joints[static_cast<std::size_t>(target.find("mixamorig:RightUpperLeg"))].name = "thigh.R";
    const JointMap roles = match_by_role(source, target);
    const JointMap both = match_joints(source, target);
    for (const char* name : {"LeftUpperArm", "LeftLowerArm", "RightUpperLeg", "Head"}) {
        const int same = man.find(name);
        EXPECT_EQ(roles[static_cast<std::size_t>(same)], same) << name;
    }
    EXPECT_EQ(both[static_cast<std::size_t>(man.find("Hips"))], 0);
}

TEST(JointMapText, IsWrittenEditedAndReadAgain) {
    Skeleton source;
    for (const char* name : {"Hips", "Spine", "Head", "LeftArm", "LeftHand", "RightArm", "RightHand"})
        source.joints.push_back({name, static_cast<int>(source.size()) - 1, {}, {}});
    const Skeleton target = source;
    const JointMap map = match_joints(source, target);
    EXPECT_EQ(parse_joint_map(to_text(map, source, target), "m", source, target), map);
    const JointMap edited =
        parse_joint_map("# mine\nHips = Hips\nHead =\nLeftArm = RightArm # crossed\n", "m", source, target);
    EXPECT_EQ(edited[0], 0);
    EXPECT_EQ(edited[2], -1);
    EXPECT_EQ(edited[3], 5);
    try {
        parse_joint_map("Hips = Hips\nWing = Hips\n", "map.txt", source, target);
        ADD_FAILURE();
    } catch (const Error& error) {
        EXPECT_EQ(error.location(), "map.txt:2");
    }
    EXPECT_THROW(parse_joint_map("Hips = Wing\n", "m", source, target), Error);
    EXPECT_THROW(parse_joint_map("Hips = Hips\nHips = Hips\n", "m", source, target), Error);
    EXPECT_THROW(parse_joint_map("Hips\n", "m", source, target), Error);
}

}  // namespace joint_map_test
}  // namespace sinew::motion
