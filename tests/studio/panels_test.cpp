// SPDX-License-Identifier: MIT
// Panels: real buttons, pressed by the script.

#include "actions.h"
#include "headless_studio.h"
#include "keys.h"
#include "options.h"
#include "support/cut_shapes.h"
#include "support/data.h"
#include "support/samples.h"
#include "ui.h"
#include <SDL_scancode.h>
#include <gtest/gtest.h>

#include "sinew/base/error.h"

namespace sinew::studio {
namespace panels_test {

using test::HeadlessStudio;
using test::studio;

model::Character cylinders() {
    model::Character character;
    character.name = "cylinders";
    character.mesh = sinew::test::three_cylinders();
    return character;
}

TEST(StudioPanels, AMethodIsChosenAndASkeletonFound) {
    HeadlessStudio& s = studio();
    s.open(cylinders());
    s.click("Skeleton method");
    s.click("centroid");
    EXPECT_EQ(s.state().skeleton_choice.options.method, rig::SkeletonMethod::centroid);
    s.click("Follow parents");
    EXPECT_FALSE(s.state().skeleton_choice.options.parts.refine.parent);
    s.click("Follow openings");
    s.click("all at once");
    EXPECT_EQ(s.state().skeleton_choice.options.parts.refine.local, rig::LocalRefinement::procrustes);
    s.click("Max degrees");
    EXPECT_NEAR(s.state().skeleton_choice.max_angle, 45, 2) << "the middle of the slider";
    s.click("Bind the skin to it");
    const render::Picture before = s.viewport().picture();
    s.script.click("Find skeleton");
    s.script.wait_for_job();
    s.run();
    ASSERT_TRUE(s.state().character().has_skeleton());
    EXPECT_FALSE(s.state().character().has_skin());
    EXPECT_NE(s.state().rig_reason.find("centroid"), std::string::npos);
    EXPECT_GT(render::mean_difference(before, s.viewport().picture()), 0.01) << "it is shown";
    s.click("Bind method");
    s.click("distance");
    s.script.click("Bind skin");
    s.script.wait_for_job();
    s.run();
    EXPECT_TRUE(s.state().character().has_skin());
    EXPECT_EQ(s.state().messages.count(Severity::error), 0);
}

TEST(StudioPanels, ProgressIsShownAndWorkCancelled) {
    HeadlessStudio& s = studio();
    s.open(cylinders());
    s.state().job.start("Endless", [](Monitor& monitor) -> Job::Apply {
        for (;;) step(monitor, "counting", 0.3);
    });
    s.frame();
    EXPECT_TRUE(ui::find("Cancel"));
    s.script.click("Cancel");
    s.script.wait_for_job();
    s.run();
    EXPECT_FALSE(ui::find("Cancel"));
    EXPECT_EQ(s.state().messages.list().back().text, "Endless: cancelled");
    EXPECT_FALSE(s.state().character().has_skeleton());
}

TEST(StudioPanels, TheTimelinePlaysStepsLoopsAndSeeks) {
    HeadlessStudio& s = studio();
    s.open(sinew::test::sample("tube"));
    const Timeline& timeline = s.state().timeline;
    const auto joint = [&] { return s.viewport().posed().world[1]; };
    const math::Mat4d rest = joint();
    s.click("Forward");
    EXPECT_EQ(timeline.frame(), 1);
    EXPECT_GT((joint() - rest).norm(), 1e-3) << "the pose follows";
    s.click("Back");
    EXPECT_EQ(timeline.frame(), 0);
    s.click("Play");
    EXPECT_TRUE(timeline.playing);
    const double time = timeline.time;
    s.frame(0.1);
    EXPECT_NEAR(timeline.time, time + 0.1, 1e-9);
    s.click("Play");
    EXPECT_FALSE(timeline.playing);
    s.click("Ruler");
    EXPECT_NEAR(timeline.time, timeline.duration() / 2, 0.02) << "the middle of the ruler";
    s.click("Last frame");
    EXPECT_EQ(timeline.frame(), timeline.frame_count() - 1);
    s.click("First frame");
    EXPECT_EQ(timeline.frame(), 0);
    s.click("Loop");
    EXPECT_FALSE(timeline.loop);
    s.click("Speed");
    EXPECT_NEAR(timeline.speed, 1.55, 0.1) << "the middle of the slider";
    s.click("Clip");
    s.click("twist");
    EXPECT_EQ(s.state().clip, 1);
    s.script.key(SDL_SCANCODE_SPACE);
    s.run();
    EXPECT_TRUE(timeline.playing);
    s.click("Reset pose");
    EXPECT_EQ(s.state().clip, -1);
    EXPECT_FALSE(timeline.playing);
}

TEST(StudioPanels, SkinningMethodsAreChosenAndShown) {
    HeadlessStudio& s = studio();
    s.open(sinew::test::sample("tube"));
    choose_clip(s.state(), 1);  // twist
    seek(s.state().timeline, s.state().timeline.end);
    s.frame();
    const auto width_at_joint = [&] {
        float most = 0;
        for (const Vec3f& p : s.viewport().posed().positions)
            if (std::abs(p.y() - 0.5f) < 0.01f) most = std::max(most, std::hypot(p.x(), p.z()));
        return most;
    };
    EXPECT_NEAR(width_at_joint(), 0.1, 1e-3) << "dual quaternions keep the tube";
    s.click("Method");
    s.click("lbs");
    EXPECT_EQ(s.state().skin.method, deform::Method::lbs);
    EXPECT_LT(width_at_joint(), 0.01) << "half a turn collapses linear blending";
    s.click("Method");
    s.click("rigid, gaps closed");
    EXPECT_TRUE(s.state().skin.close_gaps);
    ASSERT_TRUE(s.viewport().posed().closed);
    EXPECT_EQ(s.state().messages.count(Severity::error), 0);
    EXPECT_GT(s.state().times.skin, 0);
    EXPECT_GT(s.state().times.frame, 0) << "for the frames a second of the status bar";
}

TEST(StudioPanels, WeightsOfTheSelectedJointAreHeat) {
    HeadlessStudio& s = studio();
    s.open(sinew::test::sample("tube"));
    choose_clip(s.state(), -1);
    s.state().camera.heading = s.state().camera.pitch = 0;
    s.click("Colour");
    s.click("Weights of one joint");
    const auto halves = [&] {
        const render::Picture picture = s.viewport().picture();
        std::array<int, 2> warm = {0, 0};
        for (int y = 0; y < picture.height; ++y)
            for (int x = 0; x < picture.width; ++x) {
                const render::Pixel& p = picture.at(x, y);
                if (p[0] > 150 && p[2] < 90 && p[1] < 110) ++warm[y < picture.height / 2 ? 0 : 1];
            }
        return warm;
    };
    s.state().view.axes = s.state().edit.gizmo = false;
    s.state().selection = {SelectionKind::joint, 1};
    s.frame();
    EXPECT_GT(halves()[0], 10 * (halves()[1] + 1)) << "the upper joint is hot above";
    s.state().selection = {SelectionKind::joint, 0};
    s.frame();
    EXPECT_GT(halves()[1], 10 * (halves()[0] + 1));
}

TEST(StudioPanels, WhatAFileDoesNotSayIsChosenInTheDialogAndWarningsListed) {
    const sinew::test::TemporaryFolder folder;
    sinew::test::write_text(folder / "tall.obj",
                            "mtllib none.mtl\nusemtl a\nv 0 0 0\nv 100 0 0\nv 0 0 180\nf 1 2 3\n");
    HeadlessStudio& s = studio();
    s.open({});
    enter(s.state().browser, folder.path());
    s.click("File");
    s.click("Open ...");
    s.click("Units");
    s.click("cm");
    s.click("Up");
    s.click("z");
    s.click("fps");
    s.script.type("50");
    s.script.key(SDL_SCANCODE_TAB);
    s.run();
    EXPECT_EQ(s.state().read.rate, 50);
    s.script.double_click("tall.obj");
    s.script.wait_for_job();
    s.run();
    s.state().read = {};
    const auto size = geometry::bounds(s.state().character().mesh.positions).size();
    EXPECT_NEAR(size.x(), 1, 1e-6);
    EXPECT_NEAR(size.y(), 1.8, 1e-6);
    EXPECT_GT(s.state().messages.count(Severity::warning), 0);
    s.click("Clear");
}

TEST(StudioPanels, FilesAreOpenedFromTheDialogAndErrorsListed) {
    const sinew::test::TemporaryFolder folder;
    io::write(folder / "tube.glb", sinew::test::sample("tube"));
    sinew::test::write_text(folder / "bad.obj", "v 1 2\nf 1 2 3\n");
    HeadlessStudio& s = studio();
    s.open({});
    enter(s.state().browser, folder.path());
    s.script.key(SDL_SCANCODE_O, true);
    s.script.wait(3);
    s.script.double_click("tube.glb");
    s.script.wait_for_job();
    s.run();
    EXPECT_EQ(s.state().dialog, Dialog::none);
    EXPECT_TRUE(s.state().character().has_skin());
    s.click("File");
    s.click("Open ...");
    s.script.wait(2);
    s.script.double_click("bad.obj");
    s.script.wait_for_job();
    s.run();
    EXPECT_EQ(s.state().messages.count(Severity::error), 1);
    EXPECT_TRUE(s.state().character().has_skin()) << "what was open stays";
    s.click("Clear");
    EXPECT_TRUE(s.state().messages.list().empty());
}

TEST(StudioPanels, MenusUndoExportAndQuit) {
    const sinew::test::TemporaryFolder folder;
    HeadlessStudio& s = studio();
    s.open(sinew::test::sample("tube"));
    s.state().selection = {SelectionKind::joint, 1};
    s.frame();
    s.click("+X");
    ASSERT_FALSE(s.state().pose.empty());
    s.click("Edit");
    s.click("Undo rotate");
    EXPECT_TRUE(s.state().pose.empty());
    s.state().export_path = (folder / "picture.png").string();
    s.click("File");
    s.click("Export ...");
    s.script.wait(2);
    s.click("Write");
    EXPECT_GT(render::load_picture(folder / "picture.png").width, 100);
    s.state().export_path.clear();
    s.click("Help");
    s.click("Keys and mouse");
    EXPECT_EQ(s.state().dialog, Dialog::keys);
    s.script.wait(2);
    s.click("Close");
    EXPECT_EQ(s.state().dialog, Dialog::none);
    s.click("File");
    s.click("Quit");
    EXPECT_TRUE(s.state().quit);
}

TEST(StudioPanels, ThePanelsDoNotLieOverThePicture) {
    HeadlessStudio& s = studio();
    s.open(sinew::test::sample("tube"));
    const ViewArea& area = s.state().area;
    for (const char* name : {"Find skeleton", "Loop", "Floor", "Ruler", "Print", "File"}) {
        const auto place = ui::find(name);
        ASSERT_TRUE(place) << name;
        const bool inside = place->x > area.left && place->x < area.left + area.width &&
                            place->y > area.top && place->y < area.top + area.height;
        EXPECT_FALSE(inside) << name;
    }
    // The picture of the scene is what the window shows there.
    const render::Picture window = s.picture(), view = s.viewport().picture();
    int same = 0, all = 0;
    for (int y = 5; y < view.height - 120; y += 3)
        for (int x = 100; x < view.width - 5; x += 3, ++all) {
            const auto& a = window.at(x + static_cast<int>(area.left), y + static_cast<int>(area.top));
            const auto& b = view.at(x, y);
            same += std::abs(a[0] - b[0]) + std::abs(a[1] - b[1]) + std::abs(a[2] - b[2]) < 6;
        }
    EXPECT_GT(same, all * 99 / 100);
}

TEST(StudioPanels, TheManualListsEveryKey) {
    const std::string manual = sinew::test::read_text(SINEW_SOURCE_DIR "/docs/studio.md");
    for (const KeyHelp& row : key_table()) {
        const std::string line = fmt::format("| {} | {} |", row.keys, row.what);
        EXPECT_NE(manual.find(line), std::string::npos) << line;
    }
}

Parsed parsed(std::vector<std::string> words) {
    words.insert(words.begin(), "sinew-studio");
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    return parse_options(static_cast<int>(arguments.size()), arguments.data(), "0");
}

TEST(StudioOptions, MethodAndRefinementAreChosenAtTheStart) {
    const Parsed p = parsed({"--skeleton-method", "opening", "--follow-openings", "off", "--max-angle", "12",
                             "--no-follow-parents", "--all-axes", "--bind-method", "rigid", "--show",
                             "points", "--skeleton", "inside", "--method", "sbs"});
    ASSERT_LT(p.exit_code, 0);
    State state;
    UiScript script;
    start(p.options, state, script);
    EXPECT_EQ(state.skeleton_choice.options.method, rig::SkeletonMethod::opening);
    EXPECT_EQ(state.skeleton_choice.options.parts.refine.local, rig::LocalRefinement::off);
    EXPECT_FALSE(state.skeleton_choice.options.parts.refine.parent);
    EXPECT_TRUE(state.skeleton_choice.options.parts.graph.all_axes);
    EXPECT_EQ(state.skeleton_choice.max_angle, 12);
    EXPECT_EQ(state.bind.method, rig::BindMethod::rigid);
    EXPECT_EQ(state.view.mode, RenderMode::points);
    EXPECT_EQ(state.view.skeleton, SkeletonMode::inside);
    EXPECT_EQ(state.skin.method, deform::Method::sbs);
    EXPECT_EQ(parsed({"--skeleton-method", "magic"}).exit_code, 2);
}

TEST(StudioOptions, ScriptsAreCheckedLineByLine) {
    UiScript script;
    script.add_line("# a comment");
    script.add_line("");
    EXPECT_TRUE(script.done());
    script.add_line("key Space");
    EXPECT_FALSE(script.done());
    EXPECT_THROW(script.add_line("dance"), Error);
    EXPECT_THROW(script.add_line("dance wildly"), Error);
    EXPECT_THROW(script.add_line("key Nokey"), Error);
    EXPECT_THROW(script.add_line("drag 0 1"), Error);
}

}  // namespace panels_test
}  // namespace sinew::studio
