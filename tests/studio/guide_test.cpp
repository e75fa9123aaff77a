// SPDX-License-Identifier: MIT
// The way from a mesh to a character: the guide, the test pose, weights beside each other; layers over a
// clip.

#include "actions.h"
#include "clip_keys.h"
#include "guide_work.h"
#include "headless_studio.h"
#include "motion_edit.h"
#include "motion_layer.h"
#include "panels/panels.h"
#include "project.h"
#include "support/data.h"
#include "support/samples.h"
#include "ui.h"
#include <gtest/gtest.h>

#include "sinew/geometry/mesh.h"

namespace sinew::studio {
namespace guide_test {

using sinew::test::sample;
using sinew::test::TemporaryFolder;
using test::HeadlessStudio;
using test::studio;

model::Character bare_man() {
    model::Character man = sample("man");
    man.skeleton = {};
    man.skin = {};
    man.clips.clear();
    return man;
}

TEST(StudioGuide, LeadsFromAMeshToAWalkInSteps) {
    HeadlessStudio& s = studio();
    s.open(bare_man());
    s.state().guide.on = true;
    go_to_guide_step(s.state(), 0);
    s.frame();
    EXPECT_TRUE(ui::find("Rotate left"));
    s.click("Next step");
    EXPECT_EQ(s.state().guide.step, 1);
    s.click("Guide: find");
    s.script.wait_for_job();
    s.run();
    ASSERT_TRUE(s.state().character().has_skin());
    s.click("Next step");
    EXPECT_EQ(s.state().page, Page::joints);
    s.state().document.confidence =
        std::make_shared<const std::vector<double>>(s.state().character().skeleton.size(), 0.9);
    EXPECT_TRUE(doubtful_joints(s.state().document).empty());
    std::vector<double> sure(s.state().character().skeleton.size(), 0.9);
    sure[4] = sure[7] = 0.1;
    s.state().document.confidence = std::make_shared<const std::vector<double>>(sure);
    s.click("Next uncertain joint");
    EXPECT_EQ(selected_joint(s.state()), 4);
    s.click("Next uncertain joint");
    EXPECT_EQ(selected_joint(s.state()), 7);
    s.click("Next uncertain joint");
    EXPECT_EQ(selected_joint(s.state()), 4) << "and from the beginning";
    s.click("Next step");
    EXPECT_EQ(s.state().page, Page::weights);
    s.click("Guide: test pose");
    EXPECT_FALSE(s.state().pose.empty());
    s.click("Next step");
    EXPECT_EQ(s.state().page, Page::motion);
    s.click("Try a walk");
    s.script.wait_for_job();
    s.run();
    ASSERT_FALSE(s.state().character().clips.empty());
    EXPECT_TRUE(s.state().timeline.playing);
    s.state().timeline.playing = false;
    s.click("Next step");
    s.click("Guide: export");
    EXPECT_EQ(s.state().dialog, Dialog::write);
    s.state().dialog = Dialog::none;
    s.frame();
    s.frame();
    s.click("Next step");
    EXPECT_FALSE(s.state().guide.on) << "it is finished";
}

TEST(StudioGuide, AMeshIsTurnedUntilThereIsASkeleton) {
    HeadlessStudio& s = studio();
    s.open(bare_man());
    const math::Vec3f before = geometry::bounds(s.state().character().mesh.positions).size();
    rotate_mesh(s.state(), 0, 1);
    const math::Vec3f after = geometry::bounds(s.state().character().mesh.positions).size();
    EXPECT_NEAR(after.z(), before.y(), 1e-4f);
    EXPECT_NEAR(after.y(), before.z(), 1e-4f);
    undo(s.state());
    EXPECT_NEAR(geometry::bounds(s.state().character().mesh.positions).size().y(), before.y(), 1e-6f);
    s.open(sample("man"));
    rotate_mesh(s.state(), 0, 1);
    EXPECT_NEAR(geometry::bounds(s.state().character().mesh.positions).size().y(), before.y(), 1e-6f);
}

TEST(StudioWeights, TheTestPoseBendsEveryLimb) {
    const model::Skeleton& man = sample("man").skeleton;
    const PoseLayer pose = test_pose(man);
    for (const char* name :
         {"LeftUpperArm", "RightUpperArm", "LeftLowerArm", "LeftUpperLeg", "RightLowerLeg"}) {
        const auto found = pose.offsets.find(man.find(name));
        ASSERT_NE(found, pose.offsets.end()) << name;
        EXPECT_GT(found->second.rotation.angularDistance(Quatd::Identity()), math::radians(15)) << name;
    }
    // The left knee bends as knees do: the foot goes backward.
    std::vector<Transform> rest;
    for (const model::Joint& joint : man.joints) rest.push_back(joint.rest);
    PoseLayer knee;
    knee.offsets[man.find("LeftLowerLeg")] = pose.offsets.at(man.find("LeftLowerLeg"));
    const auto foot = [&](const PoseLayer& layer) -> Vec3d {
        return model::world_matrices(man,
                                     with_layer(rest, layer))[static_cast<std::size_t>(man.find("LeftFoot"))]
            .topRightCorner<3, 1>();
    };
    EXPECT_LT(foot(knee).z(), foot({}).z() - 0.2);
    model::Skeleton unnamed;
    for (int j = 0; j < 4; ++j) {
        model::Joint joint{.name = "j" + std::to_string(j), .parent = j - 1, .rest = {}};
        joint.rest.translation = {0, 1, 0};
        unnamed.joints.push_back(joint);
    }
    EXPECT_EQ(test_pose(unnamed).offsets.size(), 3u) << "all but the root";
}

TEST(StudioWeights, AnotherBindingIsShownBesideAndTaken) {
    HeadlessStudio& s = studio();
    s.open(sample("tube"));
    show_page(s.state(), Page::weights);
    take_test_pose(s.state());
    s.state().weight_tool.other_binding = 0;
    const auto methods = rig::bind_methods();
    for (std::size_t i = 0; i < methods.size(); ++i)
        if (methods[i] == rig::BindMethod::rigid) s.state().weight_tool.other_binding = static_cast<int>(i);
    s.click("Compare methods");
    s.click("Show beside");
    s.script.wait_for_job();
    s.run();
    ASSERT_TRUE(s.state().compare.weights);
    EXPECT_EQ(s.state().compare.bound_by, "rigid");
    s.frame();
    EXPECT_GT(s.state().compared, 0.01) << "rigid parts are elsewhere than soft ones";
    EXPECT_FALSE(s.state().pose.empty()) << "the body stays bent";
    s.click("Use the right ones");
    for (std::size_t v = 0; v < s.state().character().mesh.vertex_count(); ++v)
        ASSERT_EQ(s.state().character().skin.of(static_cast<std::uint32_t>(v)).size(), 1u);
    EXPECT_FALSE(s.state().compare.on);
    EXPECT_FALSE(s.state().pose.empty());
    s.click("Compare methods");
    undo(s.state());
    EXPECT_EQ(s.state().character().skin.influences.size(), sample("tube").skin.influences.size());
}

TEST(StudioView, CorrectionsChangeTheSkin) {
    HeadlessStudio& s = studio();
    s.open(sample("tube"));
    s.state().skin.method = deform::Method::lbs;
    take_test_pose(s.state());
    s.frame();
    Poser poser;
    const std::vector<Vec3f> plain = poser.pose(s.state(), s.state().skin, silent()).positions;
    SkinSettings mush = s.state().skin;
    mush.correction = deform::Corrective::delta_mush;
    const std::vector<Vec3f> corrected = poser.pose(s.state(), mush, silent()).positions;
    float most = 0;
    for (std::size_t v = 0; v < plain.size(); ++v) most = std::max(most, (plain[v] - corrected[v]).norm());
    EXPECT_GT(most, 1e-3f);
    const std::vector<Vec3f> again = poser.pose(s.state(), s.state().skin, silent()).positions;
    EXPECT_TRUE(again == plain);
}

/// The man with his elbow bent at 0.5 s in a layer.
struct Layered {
    HeadlessStudio& s = studio();
    int elbow = 0;
    model::Clip before;

    Layered() {
        s.open(sample("man"));
        choose_clip(s.state(), 0);
        show_page(s.state(), Page::motion);
        before = *s.state().playing_clip();
        elbow = s.state().character().skeleton.find("LeftLowerArm");
        s.state().selection = {SelectionKind::joint, elbow};
        s.state().motion_tool.layer = true;
        s.state().motion_tool.ease = 0.3;
        seek(s.state().timeline, 0.5);
        rotate_selected(s.state(), 1, 40);
        key_this_pose(s.state());
    }
    /// Degrees by which the elbow differs from the clip that was given.
    double change(double time) const {
        const model::Skeleton& skeleton = s.state().character().skeleton;
        const auto at = [&](const model::Clip& clip) {
            return model::sample(clip, skeleton, time)[static_cast<std::size_t>(elbow)].rotation;
        };
        return math::degrees(at(*s.state().playing_clip()).angularDistance(at(before)));
    }
};

TEST(StudioLayer, FewKeysChangeACapturedClip) {
    Layered l;
    State& state = l.s.state();
    EXPECT_TRUE(state.pose.empty());
    ASSERT_NE(shown_layer(state), nullptr);
    EXPECT_NEAR(l.change(0.5), 40, 0.2);
    EXPECT_NEAR(l.change(0.35), 20, 8) << "it comes";
    EXPECT_LT(l.change(0.1), 0.05) << "and is not there before";
    EXPECT_LT(l.change(0.9), 0.05) << "nor after";
    EXPECT_EQ(shown_keys(state).size(), 3u) << "the lane shows the keys of the layer, not those of the clip";
    EXPECT_GT(key_times(*state.playing_clip(), l.elbow, KeyProperty::rotation).size(), 100u);
    state.motion_tool.layer = false;
    EXPECT_GT(shown_keys(state).size(), 100u) << "and without it those of the clip";
    state.motion_tool.layer = true;
    set_layer_weight(state, 0.5, false);
    EXPECT_NEAR(l.change(0.5), 20, 0.2);
    undo(state);
    EXPECT_NEAR(l.change(0.5), 40, 0.2);
    edit_keys(state, "move", [&](const model::Clip& old) {
        model::Clip changed = old;
        move_key(changed, l.elbow, KeyProperty::rotation, 1, 0.6);
        return changed;
    });
    EXPECT_NEAR(l.change(0.6), 40, 0.5) << "a key of the layer is moved";
    discard_layer(state);
    EXPECT_LT(l.change(0.6), 1e-3);
    undo(state);
    merge_layer(state);
    EXPECT_EQ(shown_layer(state), nullptr);
    EXPECT_NEAR(l.change(0.6), 40, 0.5);
}

TEST(StudioLayer, ASecondKeyKeepsTheFirst) {
    Layered l;
    State& state = l.s.state();
    seek(state.timeline, 2);
    rotate_selected(state, 1, 20);
    key_this_pose(state);
    EXPECT_EQ(shown_keys(state).size(), 6u);
    EXPECT_NEAR(l.change(0.5), 40, 0.2);
    EXPECT_NEAR(l.change(2), 20, 0.2);
    EXPECT_LT(l.change(1.3), 0.1) << "between them the clip is as it was";
}

TEST(StudioLayer, StaysWithWeightsAndEndsWithTheRestPose) {
    Layered l;
    State& state = l.s.state();
    Document painted = state.document.with(state.character());
    EXPECT_TRUE(painted.layer) << "weights do not touch the clip";
    model::Character moved = state.character();
    moved.skeleton.joints[3].rest.translation.x() += 0.01;
    const std::size_t notes = state.messages.list().size();
    change(state, "move joint", state.document.with(moved));
    EXPECT_FALSE(state.document.layer);
    ASSERT_GT(state.messages.list().size(), notes);
    EXPECT_NE(state.messages.list().back().text.find("layer"), std::string::npos);
    EXPECT_NEAR(l.change(0.5), 40, 0.2) << "its keys are part of the clip";
    undo(state);
    EXPECT_TRUE(state.document.layer);
    trim_clip(state, 0.2, 1);
    EXPECT_FALSE(state.document.layer);
}

TEST(StudioLayer, AProjectKeepsIt) {
    Layered l;
    const TemporaryFolder folder;
    save_project(project_of(l.s.state()), folder / "walk.sinew");
    const Project back = load_project(folder / "walk.sinew");
    ASSERT_TRUE(back.document.layer);
    show(l.s.state(), back);
    EXPECT_NEAR(l.change(0.5), 40, 0.2);
    l.s.state().motion_tool.layer = true;
    l.s.state().selection = {SelectionKind::joint, l.elbow};
    EXPECT_EQ(shown_keys(l.s.state()).size(), 3u);
    discard_layer(l.s.state());
    EXPECT_LT(l.change(0.5), 0.05) << "the clip below came back";
}

TEST(StudioLayer, IsKeyedByButtons) {
    HeadlessStudio& s = studio();
    s.open(sample("man"));
    choose_clip(s.state(), 0);
    show_page(s.state(), Page::motion);
    s.state().selection = {SelectionKind::joint, s.state().character().skeleton.find("LeftLowerArm")};
    s.frame();
    s.click("Layers");
    s.click("Keys go to a layer");
    rotate_selected(s.state(), 1, 30);
    seek(s.state().timeline, 1);
    s.frame();
    s.click("Key pose");
    ASSERT_NE(shown_layer(s.state()), nullptr);
    s.click("Discard layer");
    EXPECT_EQ(shown_layer(s.state()), nullptr);
    s.click("Keys go to a layer");
    s.click("Layers");
    EXPECT_FALSE(s.state().motion_tool.layer);
}

TEST(StudioMotion, ArmSpaceTakesHandsAwayFromTheBody) {
    HeadlessStudio& s = studio();
    s.open(sample("man"));
    choose_clip(s.state(), 0);
    const model::Skeleton skeleton = s.state().character().skeleton;
    const auto apart = [&](double time) {
        const auto world =
            model::world_matrices(skeleton, model::sample(*s.state().playing_clip(), skeleton, time));
        const auto at = [&](const char* name) -> Vec3d {
            return world[static_cast<std::size_t>(skeleton.find(name))].topRightCorner<3, 1>();
        };
        return (at("LeftHand") - at("RightHand")).norm();
    };
    const double before[] = {apart(0.2), apart(1.1), apart(2.6)};
    widen_arms(s.state(), 12);
    EXPECT_GT(apart(0.2), before[0] + 0.05);
    EXPECT_GT(apart(1.1), before[1] + 0.05);
    EXPECT_GT(apart(2.6), before[2] + 0.05);
    widen_arms(s.state(), -12);
    EXPECT_NEAR(apart(1.1), before[1], 1e-3);
}

TEST(StudioPanels, JointsAreFoundByTyping) {
    HeadlessStudio& s = studio();
    s.open(sample("man"));
    s.click("Joints and parts");
    EXPECT_TRUE(ui::find("tree/Hips"));
    s.click("Find joint");
    s.script.type("toe");
    s.run();
    EXPECT_FALSE(ui::find("tree/Hips"));
    EXPECT_TRUE(ui::find("tree/LeftToes"));
    test::close_studio();  // the next one has nothing typed
}

TEST(StudioPanels, TheBackgroundIsLightWhereItIsWanted) {
    HeadlessStudio& s = studio();
    s.open(sample("tube"));
    const auto corner = [&] {
        s.frame();
        return static_cast<int>(s.viewport().picture().at(3, 3)[1]);
    };
    const int dark = corner();
    s.state().view.light = true;
    EXPECT_GT(corner(), dark + 100);
}

TEST(StudioMeasure, ThePhasesOfBothLegsAreNamed) {
    HeadlessStudio& s = studio();
    s.open(sample("man"));
    choose_clip(s.state(), 0);
    show_page(s.state(), Page::measure);
    s.click("Measure the walk");
    s.script.wait_for_job();
    s.run();
    ASSERT_TRUE(s.state().document.gait);
    const gait::GaitCycleSpan& cycle = s.state().document.gait->analysis->cycles.front();
    const char* leg = cycle.side == model::Side::left ? "Left leg" : "Right leg";
    const auto words = [&](double percent) {
        seek(s.state().timeline, s.state().timeline.start + cycle.start + cycle.duration() * percent / 100);
        s.frame();
        return ui::value_of(leg).value_or("");
    };
    EXPECT_TRUE(words((cycle.phases[0] + cycle.phases[1]) / 2).starts_with("loading response"));
    EXPECT_TRUE(words((cycle.phases[6] + cycle.phases[7]) / 2).starts_with("terminal swing"));
}

}  // namespace guide_test
}  // namespace sinew::studio
