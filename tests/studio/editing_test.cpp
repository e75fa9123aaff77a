// SPDX-License-Identifier: MIT
// What a person finishes by hand: joints, weights, keys and events.

#include "actions.h"
#include "clip_keys.h"
#include "contacts.h"
#include "gait_work.h"
#include "headless_studio.h"
#include "limb.h"
#include "motion_edit.h"
#include "rig_edit.h"
#include "support/data.h"
#include "support/samples.h"
#include "ui.h"
#include <gtest/gtest.h>

#include "sinew/pipeline/rig.h"
#include "sinew/render/view.h"

namespace sinew::studio {
namespace editing_test {

using test::HeadlessStudio;
using test::studio;

const model::Character& man() {
    return sinew::test::sample("man");
}

int joint(const State& state, const std::string& name) {
    return state.character().skeleton.find(name);
}

Vec3d rest(const State& state, const std::string& name) {
    return model::rest_world_matrices(
               state.character().skeleton)[static_cast<std::size_t>(joint(state, name))]
        .topRightCorner<3, 1>();
}

/// Where a point is seen, in parts of the picture.
Vec2f seen(const State& state, const Vec3d& point) {
    const render::PictureArea area{state.area.width, state.area.height};
    const Vec2f pixel = *render::to_pixel(to_camera(state.camera), point.cast<float>(), area);
    return {pixel.x() / area.width, pixel.y() / area.height};
}

void drag(HeadlessStudio& s, const Vec2f& from, const Vec2f& to) {
    s.script.drag_view(from.x(), from.y(), to.x(), to.y());
    s.run();
}

TEST(StudioJoints, AWrongElbowIsPutRightOnBothSides) {
    HeadlessStudio& s = studio();
    // Both elbows are wrong: half-way to the hand, and outside the arm.
    model::Character wrong = man();
    std::map<std::string, Vec3d> truth;
    for (const char* name : {"LeftLowerArm", "RightLowerArm"}) {
        const int elbow = wrong.skeleton.find(name);
        truth[name] = model::rest_world_matrices(wrong.skeleton)[static_cast<std::size_t>(elbow)]
                          .topRightCorner<3, 1>();
        wrong = rig::move_joint(wrong, elbow, truth[name] + Vec3d(0, -0.06, 0.05));
    }
    s.open(wrong);
    s.click("Page/Joints");
    EXPECT_EQ(s.state().clip, -1) << "joints are placed at rest";
    s.state().camera.heading = 0;
    s.state().camera.pitch = 0;
    s.state().frame_wanted = true;
    s.frame();
    s.frame();
    const Vec3d hand = rest(s.state(), "LeftHand");
    drag(s, seen(s.state(), rest(s.state(), "LeftLowerArm")), seen(s.state(), truth["LeftLowerArm"]));
    for (const auto& [name, position] : truth)
        EXPECT_LT((rest(s.state(), name) - position).norm(), 0.02) << name << ": the middle of the arm";
    EXPECT_LT((rest(s.state(), "LeftHand") - hand).norm(), 1e-6) << "children stay";
    EXPECT_FALSE(s.state().character().clips.empty()) << "clips follow";
    ASSERT_EQ(s.state().undo.size(), 1u) << "one drag, one step";
    undo(s.state());
    EXPECT_GT((rest(s.state(), "RightLowerArm") - truth["RightLowerArm"]).norm(), 0.05);
}

TEST(StudioJoints, TheTreeIsChangedByButtons) {
    HeadlessStudio& s = studio();
    s.open(man());
    s.click("Page/Joints");
    const std::size_t before = s.state().character().skeleton.size();
    s.state().selection = {SelectionKind::joint, joint(s.state(), "LeftHand")};
    s.frame();
    s.click("Insert joint");
    ASSERT_EQ(s.state().character().skeleton.size(), before + 1);
    EXPECT_GE(joint(s.state(), "LeftHandTwist"), 0);
    s.click("Merge into parent");
    EXPECT_EQ(joint(s.state(), "LeftHand"), -1) << "it is part of what was inserted";
    s.state().selection = {SelectionKind::joint, joint(s.state(), "LeftHandTwist")};
    s.frame();
    s.click("Name");
    s.script.type("LeftPalm");
    s.run();
    s.click("Rename");
    ASSERT_GE(joint(s.state(), "LeftPalm"), 0);
    EXPECT_EQ(selected_joint(s.state()), joint(s.state(), "LeftPalm"));
    s.state().selection = {SelectionKind::joint, joint(s.state(), "LeftLowerArm")};
    s.frame();
    s.click("Split bone");
    EXPECT_EQ(s.state().character().skeleton.size(), before + 1);
    s.state().selection = {SelectionKind::joint, joint(s.state(), "Head")};
    s.frame();
    s.click("Delete");
    EXPECT_EQ(joint(s.state(), "Head"), -1);
    EXPECT_EQ(s.state().messages.count(Severity::error), 0);
    for (int i = 0; i < 5; ++i) undo(s.state());
    EXPECT_EQ(s.state().character().skeleton.size(), before);
    EXPECT_GE(joint(s.state(), "Head"), 0);
}

/// Weight of a joint summed over the vertices near a point.
double weight_near(const State& state, const std::string& name, const Vec3d& point, double radius) {
    const model::Character& c = state.character();
    const int wanted = c.skeleton.find(name);
    double sum = 0;
    for (std::size_t v = 0; v < c.skin.vertex_count(); ++v) {
        if ((c.mesh.positions[v].cast<double>() - point).norm() > radius) continue;
        for (const model::Influence& influence : c.skin.of(v))
            if (c.skin.joints[influence.joint].joint == wanted) sum += static_cast<double>(influence.weight);
    }
    return sum;
}

/// The page Weights with a joint chosen, from the front, at rest.
void open_weights(HeadlessStudio& s, const std::string& name) {
    s.open(man());
    choose_clip(s.state(), -1);
    s.click("Page/Weights");
    EXPECT_EQ(s.state().view.coloring, Coloring::joint_weights);
    s.state().selection = {SelectionKind::joint, joint(s.state(), name)};
    s.state().camera.heading = 0;
    s.state().camera.pitch = 0;
    s.state().frame_wanted = true;
    s.frame();
    s.frame();
}

TEST(StudioWeights, AnArmpitIsPainted) {
    HeadlessStudio& s = studio();
    open_weights(s, "LeftUpperArm");
    const Vec3d shoulder = rest(s.state(), "LeftUpperArm");
    const Vec3d armpit = shoulder + Vec3d(-0.03, -0.08, 0);
    const double before = weight_near(s.state(), "LeftUpperArm", armpit, 0.12);
    const render::Picture cold = s.viewport().picture();
    s.click("Brush/Erase");
    const Vec2f at = seen(s.state(), armpit);
    drag(s, at, {at.x() + 0.01f, at.y() + 0.02f});
    const double erased = weight_near(s.state(), "LeftUpperArm", armpit, 0.12);
    EXPECT_LT(erased, before - 1) << "summed over the vertices there";
    EXPECT_GT(render::mean_difference(cold, s.viewport().picture()), 0.001) << "the heat is shown";
    ASSERT_EQ(s.state().undo.size(), 1u) << "one stroke, one step";
    EXPECT_EQ(s.state().undo.back().what, "paint");
    for (std::size_t v = 0; v < s.state().character().skin.vertex_count(); ++v) {
        double sum = 0;
        for (const auto& influence : s.state().character().skin.of(v))
            sum += static_cast<double>(influence.weight);
        ASSERT_NEAR(sum, 1, 1e-5);
    }
    s.click("Brush/Add");
    drag(s, at, {at.x() + 0.01f, at.y() + 0.02f});
    EXPECT_GT(weight_near(s.state(), "LeftUpperArm", armpit, 0.12), erased);
    undo(s.state());
    undo(s.state());
    EXPECT_NEAR(weight_near(s.state(), "LeftUpperArm", armpit, 0.12), before, 1e-6);
}

TEST(StudioWeights, LocksMirrorSmoothPruneAndPaste) {
    HeadlessStudio& s = studio();
    open_weights(s, "LeftUpperArm");
    const Vec3d shoulder = rest(s.state(), "LeftUpperArm");
    const double held = weight_near(s.state(), "LeftUpperArm", shoulder, 0.15);
    s.state().weight_tool.locked = {"LeftUpperArm"};
    s.click("Brush/Erase");
    const Vec2f at = seen(s.state(), shoulder);
    drag(s, at, {at.x(), at.y() + 0.02f});
    EXPECT_NEAR(weight_near(s.state(), "LeftUpperArm", shoulder, 0.15), held, 1e-4) << "locked";
    s.state().weight_tool.locked.clear();
    s.state().weight_tool.symmetry = true;
    drag(s, at, {at.x(), at.y() + 0.02f});
    s.state().weight_tool.symmetry = false;
    s.script.wait_for_job();
    s.run();
    const Vec3d other(-shoulder.x(), shoulder.y(), shoulder.z());
    EXPECT_LT(weight_near(s.state(), "LeftUpperArm", shoulder, 0.15), 0.98 * held);
    EXPECT_NEAR(weight_near(s.state(), "RightUpperArm", other, 0.15),
                weight_near(s.state(), "LeftUpperArm", shoulder, 0.15), 0.03 * held)
        << "the other side got the same";
    for (const char* name : {"Limit influences", "Smooth all", "Prune below", "Gradient"}) {
        const std::size_t steps = s.state().undo.size();
        s.click(name);
        s.script.wait_for_job();
        s.run();
        EXPECT_EQ(s.state().undo.size(), steps + 1) << name;
    }
    EXPECT_EQ(s.state().messages.count(Severity::error), 0);
    // Weights of the hand on the chest.
    s.click("Copy");
    const Vec2f hand = seen(s.state(), rest(s.state(), "LeftHand"));
    s.script.click_view(hand.x(), hand.y());
    s.run();
    ASSERT_FALSE(s.state().weight_tool.copied.empty());
    EXPECT_EQ(s.state().weight_tool.action, BrushAction::paste);
    const int palm = joint(s.state(), "LeftHand"), forearm = joint(s.state(), "LeftLowerArm");
    double of_hand = 0;
    for (const auto& [j, weight] : s.state().weight_tool.copied)
        if (j == palm || j == forearm ||
            s.state().character().skeleton.joints[static_cast<std::size_t>(j)].parent == palm)
            of_hand += weight;
    EXPECT_GT(of_hand, 0.5);
}

TEST(StudioMotion, AKeyIsMovedOnTheLane) {
    HeadlessStudio& s = studio();
    s.open(man());
    choose_clip(s.state(), 0);
    s.click("Page/Motion");
    s.state().selection = {SelectionKind::joint, joint(s.state(), "LeftLowerArm")};
    s.state().motion_tool.tolerance = 0.01;
    s.frame();
    s.click("Reduce keys");
    const int elbow = joint(s.state(), "LeftLowerArm");
    const auto times = [&] { return key_times(*s.state().playing_clip(), elbow, KeyProperty::rotation); };
    const std::vector<double> before = times();
    ASSERT_GE(before.size(), 3u);
    ASSERT_LT(before.size(), 40u);
    s.script.pull("key/1", 6, 0);
    s.run();
    EXPECT_GT(times()[1], before[1] + 1e-3);
    EXPECT_EQ(times().size(), before.size());
    undo(s.state());
    EXPECT_NEAR(times()[1], before[1], 1e-9) << "one drag, one step";
    seek(s.state().timeline, (before[0] + before[1]) / 2);
    s.frame();
    s.click("Add key");
    EXPECT_EQ(times().size(), before.size() + 1);
    EXPECT_EQ(s.state().motion_tool.key, 1);
    s.click("Delete key");
    EXPECT_EQ(times().size(), before.size());
}

TEST(StudioMotion, AKeyIsDraggedInTheCurveEditor) {
    HeadlessStudio& s = studio();
    s.open(man());
    choose_clip(s.state(), 0);
    show_page(s.state(), Page::motion);
    s.state().selection = {SelectionKind::joint, joint(s.state(), "LeftLowerArm")};
    reduce_clip(s.state(), 0.01);
    s.frame();
    s.click("Curves");
    ASSERT_TRUE(ui::find("Curve field"));
    const int elbow = joint(s.state(), "LeftLowerArm");
    const auto value = [&] {
        const auto keys = key_times(*s.state().playing_clip(), elbow, KeyProperty::rotation);
        return key_values(*s.state().playing_clip(), s.state().character().skeleton, elbow,
                          KeyProperty::rotation, keys[0]);
    };
    const auto before = value();
    s.script.pull("curve/0/0", 0, -20);
    s.run();
    const auto after = value();
    EXPECT_GT(
        std::abs(after[0] - before[0]) + std::abs(after[1] - before[1]) + std::abs(after[2] - before[2]),
        0.5);
    s.click("Close curves");
    EXPECT_FALSE(s.state().motion_tool.curves);
}

TEST(StudioMotion, ClipsAreTrimmedLoopedAndMirrored) {
    HeadlessStudio& s = studio();
    s.open(man());
    choose_clip(s.state(), 0);
    show_page(s.state(), Page::motion);
    s.frame();
    const double whole = s.state().timeline.duration();
    seek(s.state().timeline, s.state().timeline.start + 0.25 * whole);
    s.frame();
    s.click("Start here");
    s.click("Trim");
    EXPECT_NEAR(s.state().timeline.duration(), 0.75 * whole, 0.05);
    s.click("Mirror");
    EXPECT_EQ(s.state().undo.back().what, "mirror motion");
    undo(s.state());
    undo(s.state());
    EXPECT_NEAR(s.state().timeline.duration(), whole, 1e-6);
    s.click("Make a loop");
    EXPECT_EQ(s.state().messages.count(Severity::error), 0);
}

TEST(StudioMotion, AHandIsDraggedWhilePinnedFeetStay) {
    HeadlessStudio& s = studio();
    s.open(man());
    choose_clip(s.state(), 0);
    show_page(s.state(), Page::motion);
    s.state().camera_mode.follow = false;
    s.state().camera.heading = 0;
    s.state().camera.pitch = 0;
    s.state().frame_wanted = true;
    s.frame();
    s.frame();
    const auto position_now = [&](const std::string& name) -> Vec3d {
        const State& state = s.state();
        return model::world_matrices(state.character().skeleton,
                                     pose_now(state))[static_cast<std::size_t>(joint(state, name))]
            .topRightCorner<3, 1>();
    };
    const Vec3d hand = position_now("LeftHand");
    const Vec2f from = seen(s.state(), hand);
    drag(s, from, {from.x(), from.y() - 0.1f});
    EXPECT_GT(position_now("LeftHand").y(), hand.y() + 0.05);
    EXPECT_EQ(s.state().undo.back().what, "drag limb");
    const double arm = (position_now("LeftLowerArm") - position_now("LeftHand")).norm();
    EXPECT_NEAR(arm, (rest(s.state(), "LeftLowerArm") - rest(s.state(), "LeftHand")).norm(), 1e-3)
        << "bones keep their lengths";
    s.click("Key pose");
    EXPECT_TRUE(s.state().pose.empty());
    EXPECT_GT(position_now("LeftHand").y(), hand.y() + 0.05) << "it is in the clip";
    // The hips go down; a foot that is pinned stays.
    const int foot = joint(s.state(), "LeftFoot"), hips = joint(s.state(), "Hips");
    s.state().motion_tool.pins = {foot};
    const Vec3d ground = position_now("LeftFoot"), middle = position_now("Hips");
    LimbDrag limb(s.state(), hips);
    limb.move(s.state(), middle + Vec3d(0, -0.08, 0));
    EXPECT_LT((position_now("LeftFoot") - ground).norm(), 1e-3);
    EXPECT_NEAR(position_now("Hips").y(), middle.y() - 0.08, 1e-6);
    s.state().motion_tool.pins.clear();
}

TEST(StudioMotion, OnionSkinsShowTheMomentsAround) {
    HeadlessStudio& s = studio();
    s.open(man());
    choose_clip(s.state(), 0);
    show_page(s.state(), Page::motion);
    seek(s.state().timeline, 0.5);
    s.frame();
    const render::Picture bare = s.viewport().picture();
    s.state().view.onion = 2;
    s.frame();
    EXPECT_GT(render::mean_difference(bare, s.viewport().picture()), 0.05);
}

TEST(StudioCompare, TwoMethodsShareThePicture) {
    HeadlessStudio& s = studio();
    s.open(sinew::test::sample("tube"));
    seek(s.state().timeline, 0.5 * s.state().timeline.end);
    s.state().timeline.playing = false;
    s.frame();
    s.click("Compare");
    ASSERT_TRUE(s.state().compare.on);
    s.frame();
    EXPECT_NE(s.viewport().other_texture(), 0u);
    EXPECT_GT(s.state().compared, 1e-4) << "linear and dual quaternion blending differ in a bend";
    const double apart = s.state().compared;
    s.state().compare.method = s.state().skin.method;
    s.frame();
    EXPECT_LT(s.state().compared, 1e-6);
    EXPECT_GT(apart, s.state().compared);
    s.state().compare = {};
    s.frame();
    EXPECT_EQ(s.viewport().other_texture(), 0u);
}

TEST(StudioMeasure, AnEventIsMovedAndTheCurvesFollow) {
    HeadlessStudio& s = studio();
    s.open(man());
    choose_clip(s.state(), 0);
    s.state().timeline.playing = false;
    s.click("Page/Measure");
    s.script.click("Measure the walk");
    s.script.wait_for_job();
    s.run();
    ASSERT_TRUE(s.state().document.gait)
        << (s.state().messages.list().empty() ? "" : s.state().messages.list().back().text);
    EXPECT_FALSE(is_unsaved(s.state())) << "looking changes nothing";
    auto analysis = s.state().document.gait->analysis;
    ASSERT_FALSE(analysis->events.events.empty());
    ASSERT_FALSE(analysis->cycles.empty());
    const gait::GaitCycleSpan cycle = analysis->cycles.front();
    const std::string side = cycle.side == model::Side::left ? "left" : "right";
    const auto curve = [&] {
        return s.state().document.gait->analysis->curve(cycle.side, gait::GaitCurve::knee_flexion).mean;
    };
    const auto before = curve();
    ASSERT_FALSE(before.empty());
    s.script.pull("event/" + side + " strike/1", -25, 0);
    s.script.wait_for_job();
    s.run();
    EXPECT_EQ(s.state().document.gait->edits.size(), 1u);
    EXPECT_NE(curve(), before) << "the cycle ends elsewhere";
    EXPECT_TRUE(is_unsaved(s.state()));
    undo(s.state());
    EXPECT_EQ(curve(), before);
    // One more, and away with it.
    const std::size_t count = s.state().document.gait->analysis->events.events.size();
    s.state().selected_event = 0;
    s.frame();
    s.script.click("Delete event");
    s.script.wait_for_job();
    s.run();
    EXPECT_EQ(s.state().document.gait->analysis->events.events.size(), count - 1);
    EXPECT_EQ(s.state().messages.count(Severity::error), 0);
}

TEST(StudioMeasure, ContactsArePlottedAndShown) {
    HeadlessStudio& s = studio();
    s.open(man());
    choose_clip(s.state(), 0);
    trim_clip(s.state(), 0, 0.2);
    s.click("Page/Measure");
    s.click("Contacts");
    s.script.click("Count contacts");
    s.script.wait_for_job();
    s.run();
    ASSERT_TRUE(s.state().contacts);
    EXPECT_EQ(s.state().contacts->pairs.size(), static_cast<std::size_t>(s.state().timeline.frame_count()));
    EXPECT_TRUE(ui::find("Contacts over time"));
    EXPECT_EQ(s.state().messages.count(Severity::error), 0);
}

TEST(StudioMeasure, ABodyIsCutAndASequenceFitted) {
    HeadlessStudio& s = studio();
    model::Character tube = sinew::test::sample("tube");
    model::MeshSequence sequence;
    sequence.rest = tube.mesh;
    sequence.rate = 30;
    for (int f = 0; f < 6; ++f)
        sequence.frames.push_back(
            pipeline::posed_mesh(tube, &tube.clips[0], f / 30.0, deform::Method::lbs).positions);
    model::Character mesh;
    mesh.mesh = tube.mesh;
    s.open(mesh);
    s.state().document.sequence = std::make_shared<const model::MeshSequence>(sequence);
    set_sequence(s.state().timeline, sequence);
    show_page(s.state(), Page::measure);
    s.state().fit_bones = 3;
    s.frame();
    s.script.click("Fit bones");
    s.script.wait_for_job();
    s.run();
    EXPECT_EQ(s.state().messages.count(Severity::error), 0);
    EXPECT_TRUE(s.state().character().has_skin());
    ASSERT_TRUE(s.state().fit_error);
    EXPECT_EQ(s.state().fit_error->size(), 6u);
    EXPECT_TRUE(ui::find("Error of the fit"));
    undo(s.state());
    EXPECT_TRUE(s.state().document.sequence);
    s.open(man());
    show_page(s.state(), Page::measure);
    s.frame();
    s.click("Parts");
    s.script.click("Cut into parts");
    s.script.wait_for_job();
    s.run();
    EXPECT_GT(s.state().document.parts->parts.size(), 5u);
    EXPECT_EQ(s.state().view.coloring, Coloring::parts);
    s.state().fit_error.reset();
}

TEST(ClipKeys, KeysMoveBetweenTheirNeighbours) {
    model::Clip clip = man().clips[0];
    const model::Skeleton& skeleton = man().skeleton;
    const int elbow = skeleton.find("LeftLowerArm");
    const std::vector<double> times = key_times(clip, elbow, KeyProperty::rotation);
    ASSERT_GE(times.size(), 3u);
    move_key(clip, elbow, KeyProperty::rotation, 1, times[2] + 5);
    const std::vector<double> moved = key_times(clip, elbow, KeyProperty::rotation);
    EXPECT_GT(moved[1], times[1]);
    EXPECT_LT(moved[1], times[2]) << "no farther than the next";
    set_key(clip, elbow, KeyProperty::rotation, 1, {10, 20, 30});
    const auto value = key_values(clip, skeleton, elbow, KeyProperty::rotation, moved[1]);
    EXPECT_NEAR(value[0], 10, 1e-3);
    EXPECT_NEAR(value[2], 30, 1e-3);
    set_interpolation(clip, elbow, KeyProperty::rotation, model::Interpolation::cubic);
    const auto smooth = key_values(clip, skeleton, elbow, KeyProperty::rotation, moved[1]);
    EXPECT_NEAR(smooth[1], 20, 1e-3) << "keys stay where they are";
    model::validate(clip, skeleton.size(), man().mesh.morphs.size(), "clip");
    while (key_times(clip, elbow, KeyProperty::rotation).size() > 1)
        delete_key(clip, elbow, KeyProperty::rotation, 0);
    delete_key(clip, elbow, KeyProperty::rotation, 0);
    EXPECT_EQ(key_times(clip, elbow, KeyProperty::rotation).size(), 1u) << "the last one stays";
}

}  // namespace editing_test
}  // namespace sinew::studio
