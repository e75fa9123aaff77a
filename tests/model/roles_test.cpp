// SPDX-License-Identifier: MIT
#include "sinew/model/roles.h"

#include <algorithm>

#include "support/data.h"
#include <gtest/gtest.h>

#include "sinew/io/io.h"
#include "sinew/rig/skeletonize.h"
#include "sinew/sample/samples.h"

namespace sinew::model {
namespace {

struct Case {
    const char* name;
    Role role;
    Side side;
};

TEST(Roles, NamesOfEveryTraditionTellTheRole) {
    const std::vector<Case> cases = {
        {"mixamorig:LeftForeArm", Role::forearm, Side::left},
        {"mixamorig1_RightUpLeg", Role::thigh, Side::right},
        {"LeftHandThumb1", Role::thumb, Side::left},
        {"LeftToeBase", Role::toe, Side::left},
        {"lfemur", Role::thigh, Side::left},
        {"rtibia", Role::shin, Side::right},
        {"lhumerus", Role::upper_arm, Side::left},
        {"rradius", Role::forearm, Side::right},
        {"lowerback", Role::spine, Side::none},
        {"thorax", Role::chest, Side::none},
        {"upperneck", Role::neck, Side::none},
        {"upper_arm.L", Role::upper_arm, Side::left},
        {"DEF-forearm.R", Role::forearm, Side::right},
        {"f_index.01.L", Role::index, Side::left},
        {"shin.R", Role::shin, Side::right},
        {"LeftUpperLeg", Role::thigh, Side::left},
        {"RightLittleDistal", Role::little, Side::right},
        {"UpperChest", Role::upper_chest, Side::none},
        {"Bip01 L Calf", Role::shin, Side::left},
        {"Bip01 R UpperArm", Role::upper_arm, Side::right},
        {"rShldr", Role::upper_arm, Side::right},
        {"lCollar", Role::clavicle, Side::left},
        {"thigh_l", Role::thigh, Side::left},
        {"ball_r", Role::toe, Side::right},
        {"LFemur", Role::thigh, Side::left},
        {"pelvis", Role::hips, Side::none},
        {"LeftHip", Role::thigh, Side::left},
        {"Tail3", Role::tail, Side::none},
    };
    for (const Case& expected : cases) {
        const JointRole role = role_from_name(expected.name);
        EXPECT_EQ(role.role, expected.role) << expected.name << " is read as " << role_name(role.role);
        EXPECT_EQ(role.side, expected.side) << expected.name;
    }
}

TEST(Roles, HandlesTwistsEndsAndStopsHaveNoRole) {
    for (const char* name : {"HeadTop_End", "LeftArmRoll", "ik_hand_l", "PoleTarget.L", "index_04_leaf_l",
                             "LHipJoint", "lButtock", "forearm_twist_r", "leg_joint_L_2", "Armature", ""}) {
        EXPECT_FALSE(role_from_name(name)) << name;
    }
}

TEST(Roles, CanonicalNamesComeBackAsTheirRoles) {
    for (int r = 1; r <= static_cast<int>(Role::tail); ++r) {
        const Role role = static_cast<Role>(r);
        const bool sided = role >= Role::eye && role != Role::tail;
        for (const Side side : sided ? std::vector{Side::left, Side::right} : std::vector{Side::none}) {
            const bool finger = role >= Role::thumb && role <= Role::little;
            const JointRole wanted{role, side, finger ? 2 : 0};
            EXPECT_EQ(role_from_name(canonical_name(wanted)), wanted) << canonical_name(wanted);
        }
    }
}

TEST(Roles, TheNameOfASpineJointSaysWhereItIsInTheRun) {
    Skeleton skeleton;
    const auto add = [&](const char* name, int parent, const Vec3d& at) {
        Joint joint;
        joint.name = name;
        joint.parent = parent;
        joint.rest.translation = at;
        skeleton.joints.push_back(joint);
    };
    add("Hips", -1, {0, 1, 0});
    add("Spine", 0, {0, 0.1, 0});
    add("Spine1", 1, {0, 0.1, 0});
    add("Spine2", 2, {0, 0.1, 0});
    add("LeftShoulder", 3, {0.1, 0.1, 0});
    add("LeftElbow", 4, {0.3, 0, 0});
    add("LeftWrist", 5, {0.3, 0, 0});
    add("Neck", 3, {0, 0.2, 0});
    const std::vector<JointRole> roles = find_roles(skeleton);
    EXPECT_EQ(roles[1], (JointRole{Role::spine, Side::none, 1}));
    EXPECT_EQ(roles[2], (JointRole{Role::spine, Side::none, 2}));
    EXPECT_EQ(roles[3].role, Role::chest);
    EXPECT_EQ(roles[4].role, Role::upper_arm) << "a shoulder that an elbow follows";
    EXPECT_EQ(roles[5].role, Role::forearm);
    EXPECT_EQ(roles[6].role, Role::hand);
}

TEST(Roles, TheShapeOfTheManTellsWhatHisNamesTell) {
    Skeleton man = sample::make("man").skeleton;
    const std::vector<JointRole> by_name = roles_from_names(man);
    for (std::size_t j = 0; j < man.size(); ++j) man.joints[j].name = fmt::format("bone{}", j);
    const std::vector<JointRole> by_shape = find_roles(man);
    for (std::size_t j = 0; j < man.size(); ++j) {
        const Role role = by_name[j].role;
        const bool limb =
            (role >= Role::clavicle && role <= Role::hand) || (role >= Role::thigh && role <= Role::toe);
        if (!limb && role != Role::hips && role != Role::head) continue;
        EXPECT_EQ(by_shape[j], by_name[j]) << canonical_name(by_name[j]);
    }
}

TEST(Roles, ShapeTurnsWithTheToes) {
    Skeleton man = sample::make("man").skeleton;
    for (std::size_t j = 0; j < man.size(); ++j) man.joints[j].name = fmt::format("bone{}", j);
    const std::vector<JointRole> before = roles_from_shape(man);
    man.joints[0].rest.rotation = math::Quatd(Eigen::AngleAxisd(math::pi, Vec3d::UnitY()));
    EXPECT_EQ(roles_from_shape(man), before) << "he turned around: his left hand is still his left hand";
}

TEST(Roles, FourLegsHaveTheHeadAtTheForeEnd) {
    Skeleton animal = rig::skeleton_template("quadruped");
    const std::vector<JointRole> by_name = roles_from_names(animal);
    for (std::size_t j = 0; j < animal.size(); ++j) animal.joints[j].name = fmt::format("b{}", j);
    const std::vector<JointRole> by_shape = roles_from_shape(animal);
    for (const Role role : {Role::hips, Role::head})
        EXPECT_EQ(find_role(by_shape, role), find_role(by_name, role));
    for (const Role role : {Role::thigh, Role::shin, Role::upper_arm, Role::forearm}) {
        EXPECT_EQ(find_role(by_shape, role, Side::left), find_role(by_name, role, Side::left))
            << role_name(role);
    }
    EXPECT_EQ(find_role(by_shape, Role::tail), find_role(by_name, Role::tail));
}

/// A palm with five fingers of two joints each, turned as it likes, and an arm when it is wanted.
Skeleton hand_of(const math::Quatd& turn, bool with_arm) {
    Skeleton s;
    const auto add = [&](const char* name, int parent, const Vec3d& offset) {
        s.joints.push_back({name, parent, {turn * offset, math::Quatd::Identity(), Vec3d::Ones()}, {}});
        return static_cast<int>(s.joints.size()) - 1;
    };
    const int palm = add("a", -1, Vec3d::Zero());
    // Little, ring, middle, index, thumb.
    const double degrees[] = {-28, -12, 0, 12, 55}, lengths[] = {0.7, 0.9, 1, 0.9, 0.6};
    for (int i = 0; i < 5; ++i) {
        const double a = math::radians(degrees[i]);
        const Vec3d way(std::sin(a), std::cos(a), 0);
        const int first = add("b", palm, 0.9 * lengths[i] * way);
        const int second = add("c", first, 0.5 * lengths[i] * way);
        s.joints[static_cast<std::size_t>(second)].tip = turn * Vec3d(0.4 * lengths[i] * way);
    }
    if (with_arm) {
        const int arm = add("d", palm, {0, -0.5, 0});
        s.joints[static_cast<std::size_t>(arm)].tip = turn * Vec3d(0, -0.6, 0);
    }
    make_names_unique(s);
    return s;
}

TEST(Roles, AHandAloneHasFingersNotLegs) {
    for (const bool with_arm : {true, false}) {
        for (const double angle : {0.0, 1.0, 2.5}) {
            const Skeleton hand =
                hand_of(math::axis_angle<double>(Vec3d(1, 2, 3).normalized(), angle), with_arm);
            const std::vector<JointRole> roles = roles_from_shape(hand);
            EXPECT_EQ(find_roles(hand), roles) << "names that say nothing leave it to the shape";
            EXPECT_EQ(roles[0].role, Role::hand);
            const Role from_little[] = {Role::little, Role::ring, Role::middle, Role::index, Role::thumb};
            for (std::size_t i = 0; i < 5; ++i) {
                EXPECT_EQ(roles[1 + 2 * i].role, from_little[i]) << i;
                EXPECT_EQ(roles[2 + 2 * i].number, 2) << i;
            }
            if (with_arm) {
                EXPECT_EQ(roles[11].role, Role::forearm);
            }
        }
    }
    for (const char* body : {"biped", "biped-hands", "quadruped"}) {
        const std::vector<JointRole> roles = roles_from_shape(rig::skeleton_template(body));
        EXPECT_EQ(find_role(roles, Role::thumb), -1) << body;
        EXPECT_GE(find_role(roles, Role::thigh, Side::left), 0) << body;
    }
}

TEST(Roles, ATreeWithoutLegsHasNone) {
    Skeleton chain;
    for (int j = 0; j < 4; ++j) {
        Joint joint;
        joint.name = fmt::format("b{}", j);
        joint.parent = j - 1;
        joint.rest.translation = {0, 1, 0};
        chain.joints.push_back(joint);
    }
    for (const JointRole& role : find_roles(chain)) EXPECT_FALSE(role);
    EXPECT_TRUE(find_roles(Skeleton{}).empty());
}

TEST(Roles, CanonicalNamesAreGivenWithoutClashes) {
    Skeleton skeleton = sample::make("man").skeleton;
    for (std::size_t j = 0; j < skeleton.size(); ++j) skeleton.joints[j].name = fmt::format("bone{}", j);
    skeleton.joints[3].name = "LeftFoot";
    const int changed = use_canonical_names(skeleton, roles_from_shape(skeleton));
    EXPECT_GE(changed, 18);
    EXPECT_GE(skeleton.find("LeftFoot"), 0);
    EXPECT_NO_THROW(validate(skeleton, "test"));
}

TEST(Roles, RealMotionsHaveABodyWithTwoSides) {
    SINEW_NEEDS_DATA();
    const std::vector<Role> body = {Role::upper_arm, Role::forearm, Role::hand,
                                    Role::thigh,     Role::shin,    Role::foot};
    for (const char* file : {"bvh/cmu_01_01.bvh", "bvh/pirouette.bvh", "bvh/freebvh.bvh", "asf-amc/01.asf",
                             "gltf/CesiumMan.glb", "gltf/RiggedFigure.glb", "gltf/human_male.glb"}) {
        const Skeleton skeleton = io::read(test::data(file)).character.skeleton;
        const std::vector<JointRole> roles = find_roles(skeleton);
        EXPECT_GE(find_role(roles, Role::hips), 0) << file;
        EXPECT_GE(find_role(roles, Role::head), 0) << file;
        for (const Role role : body) {
            for (const Side side : {Side::left, Side::right})
                EXPECT_GE(find_role(roles, role, side), 0) << file << " " << canonical_name({role, side, 0});
        }
        const auto positions = joint_positions(rest_world_matrices(skeleton));
        const auto x = [&](Side side) {
            return positions[static_cast<std::size_t>(find_role(roles, Role::thigh, side))].x();
        };
        EXPECT_GT(x(Side::left), x(Side::right)) << file;
    }
}

}  // namespace
}  // namespace sinew::model
