// SPDX-License-Identifier: MIT
// First steps, and what a person likes.

#include <array>

#include "actions.h"
#include "panels.h"
#include "ui.h"

#include "sinew/base/error.h"

namespace sinew::studio {
namespace {

struct Step {
    const char* title;
    const char* text;
    const char* page;  ///< of the manual
};

constexpr std::array steps = {
    Step{"1  A mesh", "File > Open, or drop it on the window. Any format of File > Open will do.",
         "docs/studio.md"},
    Step{"2  A skeleton",
         "Body > Find skeleton. Template chooses the kind of body; the skin is bound at once.",
         "docs/bodies.md"},
    Step{"3  Joints", "The page Joints: drag a joint in the picture. Joints that are not sure are red.",
         "docs/studio.md"},
    Step{"4  Weights", "The page Weights: choose a joint, then paint on the skin.", "docs/studio.md"},
    Step{"5  Motion",
         "Open a motion (BVH, AMC, C3D ...): it goes onto the character. The page Motion edits it.",
         "docs/gait.md"},
    Step{"6  Out", "File > Export: GLB, FBX, BVH, a film, or one page that plays it in any browser.",
         "docs/publish.md"},
};

}  // namespace

void first_steps_dialog(State& state) {
    if (!ui::begin_dialog("First steps", {620, 410})) return;
    for (const Step& step : steps) {
        ImGui::TextUnformatted(step.title);
        ImGui::SameLine(140);
        ImGui::PushTextWrapPos(0);
        ImGui::TextDisabled("%s", step.text);
        ImGui::SetCursorPosX(140);
        ImGui::TextDisabled("%s", step.page);
        ImGui::PopTextWrapPos();
    }
    ImGui::Spacing();
    ui::toggle("Show this at the start", state.preferences.show_steps);
    const bool open = ui::button("Open a file", true, 120);
    ImGui::SameLine();
    const bool sample = ui::button("Try the walking man", true, 170);
    ImGui::SameLine();
    const bool closed = ui::button("Close", true, 100) || ui::escape();
    if (open || sample || closed) {
        try {
            save_preferences(state.preferences, state.preferences_path);
        } catch (const Error& error) {
            state.messages.add(Severity::warning, error.what());
        }
        close_dialog(state);
        if (open) state.dialog = Dialog::open;
        if (sample) open_sample(state, "man");
    }
    ImGui::EndPopup();
}

void preferences_dialog(State& state) {
    if (!ui::begin_dialog("Preferences", {440, 300})) return;
    Preferences& p = state.preferences;
    ImGui::SetNextItemWidth(-180);
    ui::slider("Size of the interface", p.scale, 0.7f, 2.5f, "%.1f");
    int theme = p.light ? 1 : 0;
    static const std::array<std::string, 2> themes = {"dark", "light"};
    ImGui::SetNextItemWidth(-180);
    if (ui::choice("Theme", theme, themes)) p.light = theme == 1;
    ImGui::SetNextItemWidth(-180);
    ui::slider("Pictures a second", p.frame_rate, 10, 120);
    ImGui::SetNextItemWidth(-180);
    ui::slider("Seconds between copies", p.autosave, 1, 120, "%.0f");
    ui::tip("of unsaved work, for the case that the program is killed; from the next start on");
    ui::toggle("First steps at the start", p.show_steps);
    ImGui::Spacing();
    const bool usual = ui::button("Usual values", true, 120);
    ImGui::SameLine();
    if (usual) p = {};
    if (ui::button("Close", true, 100) || ui::escape()) {
        try {
            save_preferences(p, state.preferences_path);
        } catch (const Error& error) {
            state.messages.add(Severity::warning, error.what());
        }
        close_dialog(state);
    }
    ImGui::EndPopup();
}

}  // namespace sinew::studio
