// SPDX-License-Identifier: MIT
// Work that is not saved: asked for, kept, recovered.

#include <chrono>
#include <thread>

#include "actions.h"
#include "autosave.h"
#include "export.h"
#include "headless_studio.h"
#include "support/data.h"
#include "support/samples.h"
#include "ui.h"
#include <SDL_scancode.h>
#include <gtest/gtest.h>

#include "sinew/base/error.h"

namespace sinew::studio {
namespace {

using sinew::test::TemporaryFolder;
using test::HeadlessStudio;
using test::studio;

void turn_a_joint(HeadlessStudio& s) {
    s.state().selection = {SelectionKind::joint, 1};
    s.frame();
    s.click("+X");
}

TEST(StudioWork, IsAskedForBeforeItIsLost) {
    HeadlessStudio& s = studio();
    s.open(sinew::test::sample("tube"));
    EXPECT_FALSE(is_unsaved(s.state()));
    turn_a_joint(s);
    ASSERT_TRUE(is_unsaved(s.state()));
    s.click("File");
    s.click("Quit");
    EXPECT_FALSE(s.state().quit);
    EXPECT_EQ(s.state().dialog, Dialog::unsaved);
    s.script.wait(2);
    s.click("Cancel");
    EXPECT_FALSE(s.state().quit);
    EXPECT_EQ(s.state().dialog, Dialog::none);
    s.script.key(SDL_SCANCODE_Q, true);
    s.script.wait(3);
    s.click("Do not save");
    EXPECT_TRUE(s.state().quit);
    s.state().quit = false;
    undo(s.state());
    EXPECT_FALSE(is_unsaved(s.state())) << "as it was opened";
}

TEST(StudioWork, AnotherFileWaitsForTheAnswer) {
    const TemporaryFolder folder;
    io::write(folder / "tube.glb", sinew::test::sample("tube"));
    HeadlessStudio& s = studio();
    s.open(sinew::test::sample("tube"));
    turn_a_joint(s);
    open_file(s.state(), folder / "tube.glb");
    s.script.wait_for_job();
    s.script.wait(2);
    s.run();
    ASSERT_EQ(s.state().dialog, Dialog::unsaved);
    EXPECT_TRUE(s.state().document.path.empty()) << "what was open still is";
    // Saved first, then opened.
    s.state().export_path = (folder / "kept.sinew").string();
    s.click("Save ...");
    s.state().export_path = (folder / "kept.sinew").string();
    s.script.wait(2);
    s.click("Write");
    EXPECT_TRUE(std::filesystem::exists(folder / "kept.sinew"));
    EXPECT_EQ(s.state().document.path.filename(), "tube.glb");
}

TEST(StudioWork, AFileIsNotReplacedUnasked) {
    const TemporaryFolder folder;
    sinew::test::write_text(folder / "out.glb", "mine");
    HeadlessStudio& s = studio();
    s.open(sinew::test::sample("tube"));
    s.state().export_path = (folder / "out.glb").string();
    s.click("File");
    s.click("Export ...");
    s.script.wait(2);
    s.click("Write");
    EXPECT_EQ(s.state().dialog, Dialog::overwrite);
    EXPECT_EQ(sinew::test::read_text(folder / "out.glb"), "mine");
    s.script.wait(2);
    s.click("Replace");
    EXPECT_TRUE(io::read(folder / "out.glb").character.has_skin());
}

TEST(StudioWork, FormatsAreListedAndChosen) {
    const TemporaryFolder folder;
    HeadlessStudio& s = studio();
    s.open(sinew::test::sample("tube"));
    std::set<std::string> suffixes;
    for (const ExportFormat& format : export_formats(s.state())) suffixes.insert(format.suffix);
    for (const char* wanted : {"glb", "bvh", "obj", "csv", "png", "sinew"})
        EXPECT_TRUE(suffixes.contains(wanted)) << wanted;
    EXPECT_FALSE(suffixes.contains("c3d")) << "there are no markers";
    s.state().export_path = (folder / "out.glb").string();
    s.click("File");
    s.click("Export ...");
    s.script.wait(2);
    s.click("format/bvh");
    s.script.wait(1);
    s.click("Write");
    EXPECT_TRUE(std::filesystem::exists(folder / "out.bvh"));
}

TEST(StudioWork, FilmsAndPagesAreWrittenInTheBackground) {
    const TemporaryFolder folder;
    HeadlessStudio& s = studio();
    s.open(sinew::test::sample("tube"));
    for (const char* name : {"tube.html", "tube.gif"}) {
        bool offered = false;
        for (const ExportFormat& format : export_formats(s.state()))
            offered = offered ||
                      (format.possible && "." + format.suffix == std::filesystem::path(name).extension());
        if (!offered) continue;  // no ffmpeg, or no page in this build
        write_what_is_open(s.state(), folder / name);
        EXPECT_TRUE(s.state().job.running()) << name;
        s.state().job.finish(s.state());
        EXPECT_TRUE(std::filesystem::exists(folder / name)) << name;
    }
    EXPECT_EQ(s.state().messages.count(Severity::error), 0);
}

TEST(StudioWork, IsKeptAndRecovered) {
    const TemporaryFolder folder;
    State state;
    show(state, Document(sinew::test::sample("tube"), folder / "given.glb"));
    state.selection = {SelectionKind::joint, 1};
    Autosave autosave;
    autosave.start(folder.path(), 0);
    autosave.update(state, 1);
    EXPECT_TRUE(std::filesystem::is_empty(folder.path())) << "nothing to keep yet";
    rotate_selected(state, 0, 30);
    const PoseLayer pose = state.pose;
    autosave.update(state, 2);
    for (int i = 0; i < 500 && std::distance(std::filesystem::directory_iterator(folder.path()), {}) < 2; ++i)
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    EXPECT_TRUE(leftovers(folder.path()).empty()) << "this program still runs";
    // As if another program had left it that is gone.
    for (const auto& entry : std::filesystem::directory_iterator(folder.path())) {
        std::string text = sinew::test::read_text(entry.path());
        if (entry.path().extension() != ".sinew") continue;
        sinew::test::write_text(folder / "999999999.sinew", text);
    }
    const std::vector<Leftover> left = leftovers(folder.path());
    ASSERT_EQ(left.size(), 1u);
    EXPECT_EQ(left[0].source.filename(), "given.glb");
    State next;
    recover(next, left[0]);
    EXPECT_TRUE(next.pose == pose);
    EXPECT_TRUE(is_unsaved(next));
    EXPECT_EQ(next.document.path.filename(), "given.glb");
    // What is saved needs no copy.
    mark_saved(state);
    autosave.update(state, 3);
    autosave.end();
    for (const auto& entry : std::filesystem::directory_iterator(folder.path()))
        EXPECT_TRUE(entry.path().filename().string().starts_with("999")) << entry.path();
}

TEST(StudioWork, TheDialogFollowsWhatIsTypedAndTellsWhatIsInAFile) {
    const TemporaryFolder folder;
    std::filesystem::create_directory(folder / "deep");
    io::write(folder / "deep/tube.glb", sinew::test::sample("tube"));
    io::write(folder / "deep/tube.bvh", sinew::test::sample("tube"));
    sinew::test::write_text(folder / "deep/big.obj", std::string(10000, '#'));
    Browser browser;
    enter(browser, folder.path());
    ASSERT_EQ(browser.entries.size(), 1u);
    browser.path = (folder / "deep/tu").string();
    follow_typing(browser);
    EXPECT_EQ(browser.entries.size(), 2u) << "what begins so, in the folder that was typed";
    browser.path = (folder / "deep").string() + "/";
    follow_typing(browser);
    EXPECT_EQ(browser.entries.size(), 3u);
    browser.sort = SortBy::size;
    arrange(browser);
    EXPECT_NE(browser.entries[2].name, "big.obj");
    browser.kind = 2;
    arrange(browser);
    ASSERT_EQ(browser.entries.size(), 1u);
    EXPECT_EQ(browser.entries[0].name, "tube.bvh") << "motions alone";
    Preview preview;
    std::vector<std::string> lines;
    for (int i = 0; i < 1000 && lines.size() < 3; ++i) {
        lines = preview.lines(folder / "deep/tube.glb", {});
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    ASSERT_GT(lines.size(), 2u);
    EXPECT_NE(lines[1].find("vertices"), std::string::npos);
}

TEST(StudioWork, FromAMeshToACharacterInFiveClicks) {
    const TemporaryFolder folder;
    model::Character mesh;
    mesh.mesh = sinew::test::sample("man").mesh;
    io::write(folder / "body.obj", mesh);
    HeadlessStudio& s = studio();
    s.open({});
    enter(s.state().browser, folder.path());
    s.script.wait(2);
    s.click("Open a file");  // 1
    s.script.wait(3);
    s.script.double_click("body.obj");  // 2
    s.script.wait_for_job();
    s.run();
    ASSERT_TRUE(s.state().character().has_mesh());
    s.script.click("Find skeleton");  // 3
    s.script.wait_for_job();
    s.run();
    ASSERT_TRUE(s.state().character().has_skin());
    s.click("Export");  // 4
    s.script.wait(2);
    s.click("Write");  // 5
    const model::Character made = io::read(folder / "body.glb").character;
    EXPECT_TRUE(made.has_skin());
    EXPECT_GE(made.skeleton.size(), 15u);
    EXPECT_EQ(s.state().messages.count(Severity::error), 0);
    EXPECT_FALSE(is_unsaved(s.state())) << "it is in the file";
}

TEST(StudioPreferences, AreKept) {
    const TemporaryFolder folder;
    HeadlessStudio& s = studio();
    s.open({});
    s.state().preferences_path = folder / "deep/studio.json";
    s.click("Edit");
    s.click("Preferences ...");
    s.script.wait(2);
    s.click("Theme");
    s.click("light");
    s.click("Close");
    EXPECT_TRUE(s.state().preferences.light);
    EXPECT_EQ(load_preferences(folder / "deep/studio.json"), s.state().preferences);
    s.state().preferences = {};
    s.state().preferences_path.clear();
    sinew::test::write_text(folder / "odd.json", "{\"scale\": \"large\"}");
    EXPECT_EQ(load_preferences(folder / "odd.json"), Preferences{}) << "a broken file changes nothing";
}

}  // namespace
}  // namespace sinew::studio
