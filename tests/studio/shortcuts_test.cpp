// SPDX-License-Identifier: MIT
// Keys that a person changes, and what tooltips say.

#include "shortcuts.h"

#include <set>

#include "actions.h"
#include "headless_studio.h"
#include "motion_edit.h"
#include "support/data.h"
#include "support/samples.h"
#include "ui.h"
#include <SDL_scancode.h>
#include <gtest/gtest.h>

namespace sinew::studio {
namespace shortcuts_test {

using sinew::test::sample;
using test::HeadlessStudio;
using test::studio;

TEST(Shortcuts, UsualKeysAreReadAndFree) {
    for (const Shortcut& row : shortcuts()) {
        const auto chord = parse_chord(row.usual);
        ASSERT_TRUE(chord) << row.usual;
        EXPECT_EQ(name_of(*chord), row.usual);
        EXPECT_EQ(owner_of({}, std::string(row.usual), row.usual), nullptr) << row.usual;
    }
    for (const char* text : {"", "Ctrl+", "Escape", "Left", "Left Shift", "Nokey"})
        EXPECT_FALSE(parse_chord(text)) << text;
}

TEST(Shortcuts, ChangesThatClashAreLeftOut) {
    EXPECT_EQ(sound_changes({{"F", "H"}}), (KeyChanges{{"F", "H"}}));
    EXPECT_EQ(sound_changes({{"F", "M"}}), KeyChanges()) << "M is taken";
    EXPECT_EQ(sound_changes({{"F", "M"}, {"M", "F"}}).size(), 2u) << "exchanged";
    EXPECT_EQ(sound_changes({{"F", "Nokey"}, {"Dance", "H"}, {"K", "K"}}), KeyChanges());
    EXPECT_EQ(owner_of({{"F", "H"}}, "H", "M")->usual, "F");
    EXPECT_EQ(owner_of({{"F", "H"}}, "F", "M"), nullptr) << "it is free now";
}

TEST(StudioPreferences, KeysAreChangedTheirClashesToldAndKept) {
    const sinew::test::TemporaryFolder folder;
    HeadlessStudio& s = studio();
    s.open(sample("man"));
    s.state().preferences_path = folder / "studio.json";
    s.click("Edit");
    s.click("Preferences ...");
    s.script.wait(2);
    s.click("key of F");
    s.script.key(SDL_SCANCODE_H);
    s.run();
    EXPECT_EQ(s.state().preferences.keys, (KeyChanges{{"F", "H"}}));
    s.click("key of 1");
    s.script.key(SDL_SCANCODE_M);
    s.run();
    EXPECT_EQ(s.state().preferences.keys.size(), 1u) << "a key of another action is not taken";
    EXPECT_NE(ui::value_of("key answer")->find("points, wire"), std::string::npos) << "it says whose it is";
    s.click("key of Ctrl+E");
    s.script.key(SDL_SCANCODE_J, true);
    s.run();
    EXPECT_EQ(key_now(s.state().preferences.keys, "Ctrl+E"), "Ctrl+J");
    s.click("Close");
    EXPECT_EQ(load_preferences(folder / "studio.json"), s.state().preferences);
    // Tooltips and menus show the new keys, which work; the old ones do not.
    EXPECT_TRUE(ui::value_of("key/Ctrl+J"));
    EXPECT_FALSE(ui::value_of("key/Ctrl+E"));
    s.script.key(SDL_SCANCODE_E, true);
    s.run();
    EXPECT_EQ(s.state().dialog, Dialog::none);
    s.script.key(SDL_SCANCODE_J, true);
    s.run();
    EXPECT_EQ(s.state().dialog, Dialog::write);
    s.click("Close");
    const auto framed_by = [&](int key) {
        s.state().camera.distance = 100;
        s.script.key(key);
        s.run();
        return s.state().camera.distance < 50;
    };
    EXPECT_TRUE(framed_by(SDL_SCANCODE_H));
    EXPECT_FALSE(framed_by(SDL_SCANCODE_F));
    s.click("View");
    EXPECT_EQ(ui::value_of("key/H"), "Frame all");
    s.click("Frame all");
    s.click("Edit");
    s.click("Preferences ...");
    s.script.wait(2);
    s.click("Usual keys");
    EXPECT_TRUE(s.state().preferences.keys.empty());
    s.click("Close");
    EXPECT_TRUE(framed_by(SDL_SCANCODE_F));
    s.state().preferences = {};
    s.state().preferences_path.clear();
}

TEST(StudioPanels, EveryControlHasATooltip) {
    test::close_studio();
    HeadlessStudio& s = studio();
    s.open(sample("man"));
    std::set<std::string> without, seen;
    const auto look = [&] {
        s.frame();
        for (const std::string& name : ui::controls()) seen.insert(name);
        for (const std::string& name : ui::controls_without_tip()) without.insert(name);
    };
    const auto open_sections = [&](std::initializer_list<const char*> names) {
        for (const char* name : names)
            if (ui::find(name)) s.click(name);
    };
    State& state = s.state();
    const int arm = state.character().skeleton.find("LeftLowerArm");
    for (const auto page : {Page::body, Page::joints, Page::weights, Page::motion, Page::measure}) {
        show_page(state, page);
        state.selection = {SelectionKind::joint, arm};
        if (page == Page::motion) {
            choose_clip(state, 0);
            model::Clip second = *state.playing_clip();
            add_clip(state, "copy", second);
            state.motion_tool.curves = true;
            state.motion_tool.key = 1;
            state.selection = {SelectionKind::joint, arm};
        }
        look();
        open_sections({"Camera", "Combine", "Marks", "Extrapolation", "Joint limits"});
        look();
        open_sections({"Clip", "Layers", "Keys", "Pose", "Limit this joint", "Observation", "Contacts",
                       "Parts and fit", "Compare methods"});
        look();
    }
    for (int method = 0; method < 9; ++method) {
        show_page(state, Page::body);
        state.skeleton_choice.options.method = static_cast<rig::SkeletonMethod>(method);
        look();
    }
    state.compare.on = true;
    state.guide.on = true;
    for (state.guide.step = 0; state.guide.step < 6; ++state.guide.step) look();
    state.guide = {};
    for (const Dialog dialog : {Dialog::open, Dialog::write, Dialog::keys, Dialog::unsaved, Dialog::overwrite,
                                Dialog::preferences, Dialog::first_steps}) {
        state.dialog = dialog;
        look();
        look();
        s.click(dialog == Dialog::unsaved || dialog == Dialog::overwrite ? "Cancel" : "Close");
        if (state.dialog != Dialog::none) s.click("Close");  // not replacing goes back to the other dialog
        s.frame();
    }
    EXPECT_GT(seen.size(), 150u) << "most of what there is was looked at";
    std::string list;
    for (const std::string& name : without) list += name + "; ";
    EXPECT_EQ(list, "") << "a control says what it does when it is pointed at";
    test::close_studio();
}

}  // namespace shortcuts_test
}  // namespace sinew::studio
