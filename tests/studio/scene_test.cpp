// SPDX-License-Identifier: MIT
// Several characters, views that are kept, clips that are combined, checklists, sticks and tangents.

#include "actions.h"
#include "cast.h"
#include "clip_keys.h"
#include "contacts.h"
#include "headless_studio.h"
#include "keys.h"
#include "motion_edit.h"
#include "project.h"
#include "sticks.h"
#include "support/data.h"
#include "support/samples.h"
#include "ui.h"
#include <SDL_scancode.h>
#include <gtest/gtest.h>

#include "sinew/gait/report.h"

namespace sinew::studio {
namespace scene_test {

using sinew::test::sample;
using test::HeadlessStudio;
using test::studio;

HeadlessStudio& with(const char* name) {
    HeadlessStudio& s = studio();
    s.open(sample(name));
    return s;
}

void add(HeadlessStudio& s, const char* name) {
    s.script.add_line(std::string("add ") + name);
    s.run();
    s.frame();
}

TEST(StudioScene, SeveralCharactersStandBesideEachOther) {
    HeadlessStudio& s = with("man");
    EXPECT_EQ(actor_count(s.state()), 1);
    add(s, "tube");
    ASSERT_EQ(actor_count(s.state()), 2);
    EXPECT_EQ(actor_name(s.state(), 0), "1 man");
    EXPECT_EQ(s.state().character().name, "tube") << "the new one is worked on";
    ASSERT_GE(s.viewport().scene().drawables.size(), 2u);
    const auto span = [&](std::size_t drawable) {
        geometry::Box box;
        for (const Vec3f& p : s.viewport().scene().drawables[drawable].positions) box.include(p);
        return box;
    };
    EXPECT_LT(span(1).high.x(), span(0).low.x()) << "beside each other";
    EXPECT_TRUE(is_unsaved(s.state()));
    undo(s.state());
    EXPECT_EQ(actor_count(s.state()), 1);
    EXPECT_EQ(s.state().character().name, "man");
    redo(s.state());
    EXPECT_EQ(actor_count(s.state()), 2);
}

TEST(StudioScene, EachHasItsOwnMotionAndCanBeHiddenAndChosen) {
    HeadlessStudio& s = with("man");
    choose_clip(s.state(), 0);
    add(s, "tube");
    choose_clip(s.state(), 0);
    s.state().timeline.playing = false;
    seek(s.state().timeline, 0);
    s.frame();
    const auto positions = [&] {
        const auto& drawn = s.viewport().scene().drawables;
        return std::vector<Vec3f>(drawn.back().positions.begin(), drawn.back().positions.end());
    };
    const auto before = positions();
    ASSERT_EQ(before.size(), sample("man").mesh.vertex_count());
    seek(s.state().timeline, 0.3);
    s.frame();
    double moved = 0;
    const auto after = positions();
    for (std::size_t v = 0; v < before.size(); ++v)
        moved = std::max(moved, static_cast<double>((before[v] - after[v]).norm()));
    EXPECT_GT(moved, 0.05) << "the man walks while the tube is worked on";
    const std::size_t drawn = s.viewport().scene().drawables.size();
    s.script.click("show/1 man");
    s.run();
    EXPECT_TRUE(actor_hidden(s.state(), 0));
    EXPECT_EQ(s.viewport().scene().drawables.size(), drawn - 1);
    undo(s.state());
    EXPECT_FALSE(actor_hidden(s.state(), 0));
    const Vec3f target = s.state().camera.target;
    const Vec3d shift = s.state().cast.shift;
    s.frame();
    s.script.click("actor/1 man");
    s.run();
    EXPECT_EQ(s.state().character().name, "man");
    EXPECT_EQ(s.state().clip, 0) << "with its clip";
    EXPECT_NEAR(s.state().camera.target.x(), target.x() + static_cast<float>(shift.x()), 1e-4)
        << "and the camera stays where it is in the scene";
    s.click("Remove");
    EXPECT_EQ(actor_count(s.state()), 1);
    EXPECT_EQ(s.state().character().name, "tube");
}

TEST(StudioScene, AProjectKeepsEverybodyTheViewsAndTheChecklist) {
    const sinew::test::TemporaryFolder folder;
    HeadlessStudio& s = with("man");
    add(s, "tube");
    hide_actor(s.state(), 0, true);
    s.state().camera.heading = 0.7f;
    keep_view(s.state());
    gait::Checklist sheet;
    const auto row = gait::checklist_rows().front();
    std::size_t phase = 0;
    while (!row.applicable[phase]) ++phase;
    sheet.set(row.finding, static_cast<gait::GaitPhase>(phase));
    s.state().document.checklist = std::make_shared<const gait::Checklist>(sheet);
    save_project(project_of(s.state()), folder / "scene.sinew");
    EXPECT_TRUE(std::filesystem::exists(folder / "scene.sinew.1.glb"));
    const Vec3d shift = s.state().cast.shift;
    s.open(sample("tube"));
    show(s.state(), load_project(folder / "scene.sinew"));
    s.frame();
    ASSERT_EQ(actor_count(s.state()), 2);
    EXPECT_EQ(s.state().cast.active, 1);
    EXPECT_TRUE(actor_hidden(s.state(), 0));
    EXPECT_NEAR((s.state().cast.shift - shift).norm(), 0, 1e-9);
    EXPECT_FALSE(is_unsaved(s.state()));
    ASSERT_EQ(s.state().views.size(), 1u);
    EXPECT_FLOAT_EQ(s.state().views[0].camera.heading, 0.7f);
    ASSERT_TRUE(s.state().document.checklist);
    EXPECT_EQ(s.state().document.checklist->findings(), 1u);
}

TEST(StudioScene, ViewsAreKeptAndGoneBackTo) {
    HeadlessStudio& s = with("tube");
    for (const char* section : {"Rig", "Skinning", "Camera"}) s.click(section);
    const render::OrbitCamera first = s.state().camera;
    s.click("Keep this view");
    ASSERT_EQ(s.state().views.size(), 1u);
    s.state().camera.heading += 1;
    s.state().camera.distance *= 2;
    s.frame();
    s.script.key(SDL_SCANCODE_F5);
    s.run();
    EXPECT_FLOAT_EQ(s.state().camera.heading, first.heading);
    EXPECT_FLOAT_EQ(s.state().camera.distance, first.distance);
    s.click("forget View 1");
    EXPECT_TRUE(s.state().views.empty());
    undo(s.state());
    EXPECT_EQ(s.state().views.size(), 1u);
    for (const char* section : {"Camera", "Rig", "Skinning"}) s.click(section);
}

TEST(StudioMotion, ClipsAreMixedLayeredAndAppended) {
    HeadlessStudio& s = studio();
    model::Character two = sample("man");
    model::Clip other = two.clips[0];
    other.name = "other";
    // The second raises an arm and is otherwise the same.
    const int arm = two.skeleton.find("LeftUpperArm");
    const std::size_t keys = key_times(other, arm, KeyProperty::rotation).size();
    for (std::size_t k = 0; k < keys; ++k) set_key(other, arm, KeyProperty::rotation, k, {0, 0, 60});
    two.clips.push_back(other);
    s.open(two);
    choose_clip(s.state(), 0);
    show_page(s.state(), Page::motion);
    s.frame();
    s.click("Combine");
    s.state().motion_tool.other = static_cast<int>(two.clips.size()) - 1;
    s.state().motion_tool.weight = 1;
    s.state().motion_tool.in_step = false;
    s.state().motion_tool.fade = 0;
    s.state().selection = {SelectionKind::joint, arm};
    s.click("Layer");
    ASSERT_EQ(s.state().character().clips.size(), two.clips.size() + 1)
        << (s.state().messages.list().empty() ? "" : s.state().messages.list().back().text);
    const model::Skeleton& skeleton = s.state().character().skeleton;
    const auto angle = [&](const char* name) {
        return key_values(s.state().character().clips.back(), skeleton, skeleton.find(name),
                          KeyProperty::rotation, 0.4);
    };
    const auto given = [&](const model::Clip& clip, const char* name) {
        return key_values(clip, skeleton, skeleton.find(name), KeyProperty::rotation, 0.4);
    };
    EXPECT_NEAR(angle("LeftUpperArm")[2], 60, 0.5) << "of the layer";
    EXPECT_NEAR(angle("RightUpperArm")[2], given(two.clips[0], "RightUpperArm")[2], 0.5) << "of the base";
    undo(s.state());
    choose_clip(s.state(), 0);
    s.frame();
    s.click("Append");
    ASSERT_EQ(s.state().character().clips.size(), two.clips.size() + 1);
    const double length = model::time_range(two.clips[0]).duration();
    EXPECT_GT(model::time_range(s.state().character().clips.back()).duration(), 1.9 * length);
    undo(s.state());
    choose_clip(s.state(), 0);
    s.state().motion_tool.weight = 0;
    s.frame();
    s.click("Mix");
    ASSERT_EQ(s.state().character().clips.size(), two.clips.size() + 1);
    EXPECT_NEAR(angle("LeftUpperArm")[2], given(two.clips[0], "LeftUpperArm")[2], 0.5);
    s.click("Combine");
}

TEST(StudioMotion, TangentsAreDraggedAndStay) {
    HeadlessStudio& s = with("man");
    choose_clip(s.state(), 0);
    show_page(s.state(), Page::motion);
    const int elbow = s.state().character().skeleton.find("LeftLowerArm");
    s.state().selection = {SelectionKind::joint, elbow};
    reduce_clip(s.state(), 0.01);
    edit_clip(s.state(), "smooth", [&](const model::Clip& old) {
        model::Clip changed = old;
        set_interpolation(changed, elbow, KeyProperty::rotation, model::Interpolation::cubic);
        return changed;
    });
    s.state().motion_tool.curves = true;
    s.state().motion_tool.key = 1;
    s.frame();
    const auto slope = [&](std::size_t key) {
        return key_slope(*s.state().playing_clip(), elbow, KeyProperty::rotation, key, true)[0];
    };
    const double before = slope(1);
    const std::size_t steps = s.state().undo.size();
    s.script.pull("curve/1/0/out", 0, -30);
    s.run();
    EXPECT_GT(slope(1), before + 1) << "up on the screen is a rising curve";
    EXPECT_EQ(s.state().undo.size(), steps + 1) << "a drag is one step";
    const double drawn = slope(1);
    edit_clip(s.state(), "value", [&](const model::Clip& old) {
        model::Clip changed = old;
        set_key(changed, elbow, KeyProperty::rotation, 0, {5, 0, 0});
        return changed;
    });
    EXPECT_NEAR(slope(1), drawn, 1e-6) << "a tangent that was drawn stays when another key moves";
    s.click("Smooth tangents");
    EXPECT_NE(slope(1), drawn);
    s.state().motion_tool.curves = false;
}

TEST(ClipKeys, SlopesComeBackAsTheyWereSet) {
    model::Clip clip = sample("man").clips[0];
    const int elbow = sample("man").skeleton.find("LeftLowerArm");
    set_interpolation(clip, elbow, KeyProperty::rotation, model::Interpolation::cubic);
    set_slope(clip, elbow, KeyProperty::rotation, 2, KeySide::both, {30, -12, 50});
    for (const bool after : {false, true}) {
        const auto slope = key_slope(clip, elbow, KeyProperty::rotation, 2, after);
        EXPECT_NEAR(slope[0], 30, 0.1);
        EXPECT_NEAR(slope[1], -12, 0.1);
        EXPECT_NEAR(slope[2], 50, 0.1);
    }
    // The curve itself has that slope.
    const double time = key_times(clip, elbow, KeyProperty::rotation)[2], step = 1e-4;
    const auto at = key_values(clip, sample("man").skeleton, elbow, KeyProperty::rotation, time);
    const auto on = key_values(clip, sample("man").skeleton, elbow, KeyProperty::rotation, time + step);
    EXPECT_NEAR((on[2] - at[2]) / step, 50, 1.5);
}

TEST(StudioMeasure, AChecklistIsFilledAndWritten) {
    const sinew::test::TemporaryFolder folder;
    HeadlessStudio& s = with("man");
    s.click("Page/Measure");
    s.click("Observation");
    std::string cell;
    for (const std::string& name : ui::names())
        if (name.starts_with("check/")) cell = name;
    ASSERT_FALSE(cell.empty()) << "the panel is there";
    s.click(cell);
    ASSERT_TRUE(s.state().document.checklist);
    EXPECT_EQ(s.state().document.checklist->findings(), 1u);
    EXPECT_TRUE(is_unsaved(s.state()));
    export_file(s.state(), folder / "seen.txt");
    const std::string text = sinew::test::read_text(folder / "seen.txt");
    EXPECT_EQ(gait::parse_checklist(text, "seen.txt").findings(), 1u) << text;
    undo(s.state());
    EXPECT_FALSE(s.state().document.checklist);
    s.click("Observation");
}

TEST(StudioMeasure, ContactsHaveADepth) {
    // Two triangles; the second pierces the first by a tenth.
    const std::vector<Vec3f> positions = {{0, 0, 0},           {1, 0, 0},          {0, 1, 0},
                                          {0.2f, 0.2f, -0.1f}, {0.3f, 0.2f, 0.9f}, {0.2f, 0.3f, 0.9f}};
    const std::vector<geometry::Triangle> triangles = {{0, 1, 2}, {3, 4, 5}};
    const double depth = contact_depth(positions, triangles, 0, 1);
    EXPECT_GT(depth, 0.01);
    EXPECT_LE(depth, 0.1 + 1e-6);
}

TEST(StudioMeasure, MarkersAreLinkedBySticks) {
    // Two rigid clusters of three that move past each other.
    model::Character markers;
    model::Clip clip;
    for (int i = 0; i < 6; ++i) {
        model::Joint joint;
        joint.name = "M" + std::to_string(i);
        joint.parent = -1;
        markers.skeleton.joints.push_back(joint);
        model::Track track;
        track.joint = i;
        std::vector<float> times;
        for (int f = 0; f < 10; ++f) {
            times.push_back(0.1f * static_cast<float>(f));
            const float far = i < 3 ? 0.0f : 1.0f - 0.1f * static_cast<float>(f);
            track.translation.values.emplace_back(far + 0.05f * static_cast<float>(i % 3), 0.0f,
                                                  i < 3 ? 0.0f : 0.1f);
        }
        track.translation.times = model::KeyTimes::listed(times);
        clip.tracks.push_back(track);
    }
    markers.clips = {clip};
    const auto sticks = marker_sticks(markers, clip);
    const auto linked = [&](int a, int b) {
        return std::ranges::count(sticks, std::pair(a, b)) + std::ranges::count(sticks, std::pair(b, a)) == 1;
    };
    EXPECT_TRUE(linked(0, 1) && linked(1, 2) && linked(3, 4) && linked(4, 5));
    EXPECT_LE(sticks.size(), 5u);
}

TEST(StudioPanels, ControlsNameTheirKeys) {
    HeadlessStudio& s = with("man");
    s.state().selection = {SelectionKind::joint, 1};
    std::set<std::string> shown;
    const auto look = [&] {
        s.frame();
        for (const char* key :
             {"M",     "K",   "B", "1", "3", "7", "F", "P", "V",      "Home",   ",",      ".",
              "Space", "End", "L", "R", "C", "G", "[", "]", "Delete", "Ctrl+O", "Ctrl+E", "Shift+F5"})
            if (ui::value_of(std::string("key/") + key)) shown.insert(key);
    };
    look();
    s.click("Camera");
    look();
    s.click("Camera");
    show_page(s.state(), Page::joints);
    s.state().selection = {SelectionKind::joint, 1};
    look();
    EXPECT_EQ(shown.size(), 24u) << "tooltips tell the key of what has one";
}

}  // namespace scene_test
}  // namespace sinew::studio
