// SPDX-License-Identifier: MIT
#include "actions.h"

#include <chrono>
#include <thread>

#include "support/cut_shapes.h"
#include "support/data.h"
#include "support/samples.h"
#include <gtest/gtest.h>

#include "sinew/base/error.h"
#include "sinew/pipeline/publish.h"

namespace sinew::studio {
namespace {

using sinew::test::TemporaryFolder;

Document cylinders() {
    model::Character character;
    character.name = "cylinders";
    character.mesh = sinew::test::three_cylinders();
    return Document(std::move(character));
}

Document tube() {
    return Document(sinew::test::sample("tube"));
}

TEST(StudioActions, ASkeletonIsFoundInTheBackgroundAndCanBeUndone) {
    State state;
    show(state, cylinders());
    state.skeleton_choice.options.method = rig::SkeletonMethod::principal_axis;
    state.bind.method = rig::BindMethod::rigid;
    find_skeleton(state);
    EXPECT_TRUE(state.job.running());
    EXPECT_FALSE(state.character().has_skeleton()) << "until it is done";
    state.job.finish(state);
    ASSERT_TRUE(state.character().has_skeleton());
    ASSERT_TRUE(state.character().has_skin());
    EXPECT_NE(state.rig_reason.find("principal-axis"), std::string::npos) << state.rig_reason;
    EXPECT_EQ(state.document.parts->parts.size(), 3u) << "rigid parts follow their own joints";
    EXPECT_NE(state.view.skeleton, SkeletonMode::hidden);
    undo(state);
    EXPECT_FALSE(state.character().has_skeleton());
    redo(state);
    EXPECT_TRUE(state.character().has_skeleton());
}

TEST(StudioActions, EveryMethodByPartsCanBeChosenAndRefined) {
    std::vector<std::size_t> joints;
    for (const auto method : {rig::SkeletonMethod::opening, rig::SkeletonMethod::centroid,
                              rig::SkeletonMethod::principal_axis, rig::SkeletonMethod::parts}) {
        State state;
        show(state, cylinders());
        state.skeleton_choice.options.method = method;
        state.skeleton_choice.options.parts.graph.all_axes = method == rig::SkeletonMethod::principal_axis;
        state.bind_after = false;
        find_skeleton(state);
        state.job.finish(state);
        ASSERT_TRUE(state.character().has_skeleton()) << rig::name_of(method);
        EXPECT_FALSE(state.character().has_skin());
        EXPECT_EQ(state.document.parts->parts.size(), 3u);
        joints.push_back(
            model::bones(state.character().skeleton, model::rest_world_matrices(state.character().skeleton))
                .size());
    }
    EXPECT_LT(joints[0], joints[2]) << "openings alone have fewer bones than axes";
}

TEST(StudioActions, WorkCanBeCancelledAndErrorsAreMessages) {
    State state;
    ASSERT_TRUE(state.job.start("Endless", [](Monitor& monitor) -> Job::Apply {
        for (;;) {
            step(monitor, "waiting", 0.5);
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
    }));
    EXPECT_FALSE(state.job.start("Another", [](Monitor&) { return Job::Apply(); })) << "one at a time";
    while (state.job.progress().stage.empty()) std::this_thread::yield();
    EXPECT_EQ(state.job.progress().fraction, 0.5);
    state.job.cancel();
    state.job.finish(state);
    EXPECT_FALSE(state.job.running());
    EXPECT_EQ(state.messages.list().back().text, "Endless: cancelled");
    open_file(state, "there/is/no.obj");
    state.job.finish(state);
    EXPECT_EQ(state.messages.count(Severity::error), 1);
    EXPECT_TRUE(state.document.empty());
}

TEST(StudioActions, OpeningAFileShowsItAndRemembersIt) {
    const TemporaryFolder folder;
    io::write(folder / "tube.glb", sinew::test::sample("tube"));
    State state;
    state.recent = Recent(folder / "config" / "recent");
    open_file(state, folder / "tube.glb");
    state.job.finish(state);
    ASSERT_TRUE(state.character().has_skin());
    EXPECT_EQ(state.clip, 0);
    EXPECT_GT(state.timeline.frame_count(), 1);
    ASSERT_EQ(state.recent.list().size(), 1u);
    EXPECT_EQ(Recent(folder / "config" / "recent").list(), state.recent.list()) << "kept for the next time";
}

TEST(StudioActions, ClipsAreLoadedAtRunTimeAndThePoseIsReset) {
    const TemporaryFolder folder;
    model::Character bend = sinew::test::sample("tube");
    io::write(folder / "twist.bvh", bend);
    State state;
    show(state, tube());
    open_file(state, folder / "twist.bvh");
    state.job.finish(state);
    ASSERT_EQ(state.messages.count(Severity::error), 0) << state.messages.list().back().text;
    EXPECT_EQ(state.character().clips.size(), 3u);
    EXPECT_EQ(state.clip, 2) << "the new one plays";
    EXPECT_TRUE(state.character().has_mesh());
    state.pose.offsets[1].translation = {0, 1, 0};
    reset_pose(state);
    EXPECT_EQ(state.clip, -1);
    EXPECT_TRUE(state.pose.empty());
    for (std::size_t j = 0; j < 2; ++j)
        EXPECT_EQ(pose_now(state)[j].translation, state.character().skeleton.joints[j].rest.translation);
    undo(state);
    EXPECT_EQ(state.clip, 2);
    EXPECT_FALSE(state.pose.empty());
}

TEST(StudioActions, AMotionOnABareMeshBringsItsSkeleton) {
    const TemporaryFolder folder;
    const model::Character& man = sinew::test::sample("man");
    io::write(folder / "walk.bvh", man);
    model::Character bare;
    bare.mesh = man.mesh;
    State state;
    show(state, Document(bare));
    open_file(state, folder / "walk.bvh");
    state.job.finish(state);
    ASSERT_EQ(state.messages.count(Severity::error), 0) << state.messages.list().back().text;
    EXPECT_TRUE(state.character().has_skin());
    EXPECT_EQ(state.clip, 0);
    EXPECT_GT(state.timeline.duration(), 1);
}

TEST(StudioActions, TurnsAreStepsThatCanBeUndone) {
    State state;
    show(state, tube());
    choose_clip(state, -1);
    state.selection = {SelectionKind::joint, 1};
    rotate_selected(state, 2, 90);
    const auto world = model::world_matrices(state.character().skeleton, pose_now(state));
    const Vec3d up = world[1].topLeftCorner<3, 3>() * Vec3d::UnitY();
    EXPECT_LT((up - Vec3d(-1, 0, 0)).norm(), 1e-9) << "a quarter about z takes y to -x";
    undo(state);
    EXPECT_TRUE(state.pose.empty());
    redo(state);
    EXPECT_EQ(state.pose.offsets.size(), 1u);
    bake_pose(state);
    EXPECT_TRUE(state.pose.empty());
    EXPECT_EQ(state.character().clips.size(), 3u);
    EXPECT_EQ(state.clip, 2);
    const auto played = model::world_matrices(state.character().skeleton, pose_now(state));
    EXPECT_LT((played[1] - world[1]).norm(), 1e-5);
}

TEST(StudioActions, JointsMoveAtRestUntilTheSkinIsBound) {
    State state;
    model::Character character = sinew::test::sample("tube");
    character.skin = {};
    character.clips.clear();
    show(state, Document(character));
    const auto place = [&] {
        return Vec3d(model::rest_world_matrices(state.character().skeleton)[1].topRightCorner<3, 1>());
    };
    const Vec3d before = place();
    move_joint(state, 1, {0.1, 0, 0});
    EXPECT_LT((place() - before - Vec3d(0.1, 0, 0)).norm(), 1e-12);
    EXPECT_TRUE(state.pose.empty());
    show(state, tube());
    move_joint(state, 1, {0.1, 0, 0});
    EXPECT_FALSE(state.pose.empty()) << "a bound joint moves in the pose";
}

TEST(StudioActions, ExportsWhatIsSeen) {
    const TemporaryFolder folder;
    State state;
    show(state, tube());
    state.selection = {SelectionKind::joint, 1};
    rotate_selected(state, 0, 30);
    for (const char* name : {"tube.glb", "tube.bvh", "tube.obj"}) {
        write_what_is_open(state, folder / name);
        EXPECT_TRUE(std::filesystem::exists(folder / name)) << name;
    }
    EXPECT_EQ(state.messages.count(Severity::error), 0);
    const io::Asset back = io::read(folder / "tube.glb");
    const auto expected = model::world_matrices(state.character().skeleton, pose_now(state));
    const auto found = model::world_matrices(back.character, &back.character.clips[0], state.timeline.time);
    EXPECT_LT((expected[1] - found[1]).norm(), 1e-4) << "the turn is in the file";
    write_what_is_open(state, folder / "tube.unknown");
    EXPECT_EQ(state.messages.count(Severity::error), 1);
}

TEST(StudioActions, AnglesAreATableOfDegrees) {
    const TemporaryFolder folder;
    State state;
    show(state, tube());
    export_file(state, folder / "angles.csv");
    const std::string text = sinew::test::read_text(folder / "angles.csv");
    EXPECT_TRUE(text.starts_with("frame,seconds,Lower.x,Lower.y,Lower.z,Upper.x,Upper.y,Upper.z\n")) << text;
    // The clip bends the upper joint by 120 degrees about x within a second.
    EXPECT_NE(text.find(",1,0.0000,0.0000,0.0000,120.0000,0.0000,0.0000\n"), std::string::npos) << text;
}

TEST(StudioActions, TrialsAreWrittenAsTrials) {
    model::Trial trial;
    trial.rate = 100;
    trial.frames = 3;
    trial.unit = "m";
    trial.markers.info.resize(1);
    trial.markers.info[0].label = "LASI";
    trial.markers.positions.assign(3, Vec3f(0.1f, 1, 0.2f));
    trial.markers.residuals.assign(3, 0.0f);
    io::Asset asset;
    asset.trial = trial;
    State state;
    show(state, document_of(asset, "trial.c3d"));
    EXPECT_EQ(state.character().skeleton.size(), 1u) << "a marker is shown as a joint";
    const TemporaryFolder folder;
    for (const char* name : {"trial.c3d", "trial.trc"}) {
        export_file(state, folder / name);
        const io::Asset back = io::read(folder / name);
        ASSERT_EQ(back.trial.markers.count(), 1u) << name;
        EXPECT_EQ(back.trial.markers.info[0].label, "LASI");
        EXPECT_EQ(back.trial.frames, 3u);
    }
}

TEST(StudioActions, ThePelvisIsFoundByItsRole) {
    EXPECT_EQ(pipeline::camera_joint({}), -1);
    const model::Character& man = sinew::test::sample("man");
    EXPECT_EQ(man.skeleton.joints[static_cast<std::size_t>(pipeline::camera_joint(man.skeleton))].name,
              "Hips");
}

}  // namespace
}  // namespace sinew::studio
