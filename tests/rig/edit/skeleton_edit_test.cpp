// SPDX-License-Identifier: MIT
#include "sinew/rig/edit/skeleton_edit.h"

#include "support/samples.h"
#include <gtest/gtest.h>
// After GoogleTest, which it uses.
#include <rapidcheck/gtest.h>

#include "sinew/base/error.h"
#include "sinew/rig/edit.h"

namespace sinew::rig {
namespace skeleton_edit_test {

using math::Vec3d;
using model::Joint;
using model::Skeleton;

/// Root, a, b with a turned frame; c is attached to a.
Skeleton small() {
    Skeleton skeleton;
    const auto add = [&](const char* name, int parent, const Vec3d& at) {
        Joint joint;
        joint.name = name;
        joint.parent = parent;
        joint.rest.translation = at;
        joint.rest.rotation = math::Quatd(Eigen::AngleAxisd(0.3, Vec3d(1, 2, 3).normalized()));
        skeleton.joints.push_back(joint);
    };
    add("root", -1, {0, 1, 0});
    add("a", 0, {1, 0, 0});
    add("b", 1, {1, 0, 0});
    add("c", 1, {0, 1, 0});
    return skeleton;
}

Vec3d place(const Skeleton& skeleton, const std::string& name) {
    const auto world = model::rest_world_matrices(skeleton);
    return world.at(static_cast<std::size_t>(skeleton.find(name))).topRightCorner<3, 1>();
}

/// Every joint of `before` that is still there stands where it stood, but for `moved`.
void expect_places(const Skeleton& before, const Skeleton& after, const std::string& moved = "") {
    model::validate(after, "test");
    for (const Joint& joint : after.joints) {
        if (before.find(joint.name) < 0 || joint.name == moved) continue;
        EXPECT_LT((place(before, joint.name) - place(after, joint.name)).norm(), 1e-9) << joint.name;
    }
}

std::string parent_of(const Skeleton& skeleton, const std::string& name) {
    const int parent = skeleton.joints[static_cast<std::size_t>(skeleton.find(name))].parent;
    return parent < 0 ? "" : skeleton.joints[static_cast<std::size_t>(parent)].name;
}

TEST(SkeletonEdit, AnInsertedJointLiesOnItsBone) {
    const Skeleton before = small();
    const Skeleton after = insert_joint(before, before.find("b"), 0.25, "new");
    expect_places(before, after);
    EXPECT_EQ(parent_of(after, "b"), "new");
    EXPECT_EQ(parent_of(after, "new"), "a");
    EXPECT_LT((place(after, "new") - (0.75 * place(before, "a") + 0.25 * place(before, "b"))).norm(), 1e-12);
    EXPECT_THROW(insert_joint(before, 0, 0.5, "x"), Error) << "no bone leads to the root";
    EXPECT_THROW(insert_joint(before, 2, 0.5, "c"), Error) << "the name is taken";
}

TEST(SkeletonEdit, ChildrenOfADeletedJointGoToItsParent) {
    const Skeleton before = small();
    const Skeleton after = delete_joint(before, before.find("a"));
    expect_places(before, after);
    EXPECT_EQ(after.size(), 3u);
    EXPECT_EQ(parent_of(after, "b"), "root");
    EXPECT_EQ(parent_of(after, "c"), "root");
    const Skeleton chain = delete_joint(before, before.find("c"));
    EXPECT_EQ(delete_joint(chain, 0).joints[0].name, "a") << "the only child of the root takes over";
    EXPECT_THROW(delete_joint(delete_joint(before, 1), 0), Error) << "two branches and no root";
}

TEST(SkeletonEdit, MovingLeavesOrTakesTheChildren) {
    const Skeleton before = small();
    const Vec3d to(5, 6, 7);
    const Skeleton alone = move_joint(before, before.find("a"), to);
    expect_places(before, alone, "a");
    EXPECT_LT((place(alone, "a") - to).norm(), 1e-12);
    const Skeleton all = move_joint(before, before.find("a"), to, MoveMode::with_children);
    EXPECT_LT(((place(all, "b") - to) - (place(before, "b") - place(before, "a"))).norm(), 1e-12);
    EXPECT_THROW(move_joint(before, 9, to), Error);
    EXPECT_THROW(move_joint(before, 1, Vec3d::Constant(std::nan(""))), Error);
}

TEST(SkeletonEdit, MergeAndReparentKeepEveryPlace) {
    const Skeleton before = small();
    const Skeleton merged = merge_joints(before, before.find("a"), before.find("b"));
    expect_places(before, merged);
    EXPECT_EQ(merged.size(), 3u);
    const Skeleton upward = merge_joints(before, before.find("a"), before.find("root"));
    expect_places(before, upward);
    EXPECT_EQ(parent_of(upward, "a"), "");
    EXPECT_THROW(merge_joints(before, 2, 3), Error) << "b and c are not neighbours";
    const Skeleton moved = reparent(before, before.find("c"), before.find("b"));
    expect_places(before, moved);
    EXPECT_EQ(parent_of(moved, "c"), "b");
    EXPECT_THROW(reparent(before, before.find("a"), before.find("c")), Error) << "a cycle";
}

RC_GTEST_PROP(SkeletonEdit, RerootingKeepsPlacesAndComesBack, ()) {
    static const Skeleton man = test::sample("man").skeleton;
    const int joint = *rc::gen::inRange(0, static_cast<int>(man.size()));
    const std::string root = man.joints[0].name, name = man.joints[static_cast<std::size_t>(joint)].name;
    const Skeleton turned = reroot(man, joint);
    model::validate(turned, "test");
    RC_ASSERT(turned.joints[0].name == name);
    RC_ASSERT(turned.size() == man.size());
    for (const Joint& j : man.joints) RC_ASSERT((place(man, j.name) - place(turned, j.name)).norm() < 1e-9);
    const Skeleton back = reroot(turned, turned.find(root));
    for (const Joint& j : man.joints) RC_ASSERT(parent_of(back, j.name) == parent_of(man, j.name));
}

TEST(SkeletonEdit, LockedJointsSurviveANewRun) {
    Skeleton old = insert_joint(small(), 2, 0.5, "mine");
    old = move_joint(old, old.find("mine"), {9, 9, 9});
    old = move_joint(old, old.find("c"), {1, 2, 3});
    const Skeleton fresh = move_joint(small(), 1, {0.5, 0.5, 0.5});
    const Skeleton result = keep_locked(fresh, old, {"mine", "c"});
    EXPECT_LT((place(result, "mine") - Vec3d(9, 9, 9)).norm(), 1e-9);
    EXPECT_LT((place(result, "c") - Vec3d(1, 2, 3)).norm(), 1e-9);
    EXPECT_LT((place(result, "a") - place(fresh, "a")).norm(), 1e-9) << "what is not locked is new";
    EXPECT_EQ(parent_of(result, "mine"), "a");
    EXPECT_EQ(parent_of(result, "b"), "mine");
    EXPECT_THROW(keep_locked(fresh, old, {"nobody"}), Error);
}

}  // namespace skeleton_edit_test
}  // namespace sinew::rig
