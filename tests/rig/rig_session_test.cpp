#include "sinew/rig/rig_session.h"

#include "support/samples.h"
#include <gtest/gtest.h>

#include "sinew/base/error.h"
#include "sinew/model/character.h"

namespace sinew::rig {
namespace {

math::Vec3d place(const model::Skeleton& skeleton, const std::string& name) {
    const int joint = skeleton.find(name);
    EXPECT_GE(joint, 0) << name;
    return model::joint_positions(model::rest_world_matrices(skeleton))[static_cast<std::size_t>(joint)];
}

TEST(RigSession, StagesRunOnceAndAgainOnlyWhenSomethingBeforeThemChanged) {
    RigSession session(test::sample("tube").mesh);
    EXPECT_EQ(session.report().stages[0].runs, 0) << "nothing runs before it is asked for";
    const model::Character rig = session.character();
    EXPECT_NO_THROW(model::validate(rig, "test"));
    session.character();
    EXPECT_EQ(session.report().stages[0].runs, 1);
    EXPECT_EQ(session.report().stages[1].runs, 1);
    BindOptions rigid;
    rigid.method = BindMethod::rigid;
    session.set(rigid);
    EXPECT_EQ(session.bound().method, BindMethod::rigid);
    EXPECT_EQ(session.report().stages[0].runs, 1) << "the skeleton was known";
    EXPECT_EQ(session.report().stages[1].runs, 2);
    SkeletonizeOptions other;
    other.method = SkeletonMethod::voxel;
    session.set(other);
    session.character();
    EXPECT_EQ(session.report().stages[0].runs, 2);
    EXPECT_EQ(session.report().stages[1].runs, 3);
    EXPECT_EQ(session.report().stages[1].method, "rigid");
    EXPECT_EQ(session.report().vertices, rig.mesh.vertex_count());
    EXPECT_GT(session.report().branches, 0u);
}

TEST(RigSession, ChangesByHandAreUndoneAndLockedJointsSurviveANewRun) {
    RigSession session(test::sample("tube").mesh);
    const std::string name = session.skeleton().joints.back().name;
    const math::Vec3d before = place(session.skeleton(), name), after = before + math::Vec3d(0, 0.01, 0);
    session.bound();
    session.change("move", move_joint(session.skeleton(), session.skeleton().find(name), after));
    EXPECT_LT((place(session.skeleton(), name) - after).norm(), 1e-9);
    session.bound();
    EXPECT_EQ(session.report().stages[1].runs, 2) << "moved joints are bound anew";
    EXPECT_EQ(session.undo(), "move");
    EXPECT_LT((place(session.skeleton(), name) - before).norm(), 1e-9);
    EXPECT_EQ(session.redo(), "move");
    session.lock(name);
    session.set(SkeletonizeOptions{});
    EXPECT_LT((place(session.skeleton(), name) - after).norm(), 1e-9) << "locked";
    session.unlock(name);
    session.set(SkeletonizeOptions{});
    EXPECT_LT((place(session.skeleton(), name) - before).norm(), 1e-9) << "as the machine finds it";
    EXPECT_THROW(session.lock("nobody"), Error);
}

}  // namespace
}  // namespace sinew::rig
