// SPDX-License-Identifier: MIT
// The first steps and the preferences.

#include <array>
#include <utility>

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
    Step{"1  A mesh", "File > Open, or drop it on the window. Any format in the list of File > Open works.",
         "studio"},
    Step{"2  A skeleton",
         "Body > Find skeleton. Template chooses the kind of body; the skin is bound at once.", "bodies"},
    Step{"3  Joints", "The page Joints: drag joints in the view. Red joints are uncertain.",
         "tutorials/studio"},
    Step{"4  Weights", "The page Weights: choose a joint, then paint on the skin.", "tutorials/studio"},
    Step{"5  Motion",
         "Open a motion (BVH, AMC, C3D ...) to retarget it to the character. The page Motion edits it.",
         "tutorials/scan-walks"},
    Step{"6  Export", "File > Export: GLB, FBX, BVH, a film, or a web page that plays it.", "publish"},
};

}  // namespace

void first_steps_dialog(State& state) {
    if (!ui::begin_dialog("First steps", {640, 384})) return;
    const float indent = 130 * ImGui::GetIO().FontGlobalScale;
    for (const Step& step : steps) {
        ImGui::TextUnformatted(step.title);
        ImGui::SameLine(indent);
        ImGui::PushTextWrapPos(0);
        ImGui::TextUnformatted(step.text);
        ImGui::PopTextWrapPos();
        ImGui::SetCursorPosX(indent);
        ImGui::PushStyleColor(ImGuiCol_Text, ImGui::GetColorU32(ImGuiCol_CheckMark));
        const std::string link = fmt::format("docs/{}.md##{}", step.page, step.title);
        const float width = ImGui::CalcTextSize(link.c_str(), nullptr, true).x;
        if (ImGui::Selectable(link.c_str(), false, ImGuiSelectableFlags_DontClosePopups, {width, 0}))
            open_manual(state, step.page);
        ImGui::PopStyleColor();
        ui::mark(fmt::format("manual/{}", step.title));
        ui::tip("opens this page of the manual");
    }
    ImGui::Spacing();
    ui::toggle("Show at startup", state.preferences.show_steps);
    const bool guided = ui::button("Guide me", true, 120);
    ui::tip("opens the guide: six steps, each with its buttons");
    ImGui::SameLine();
    const bool open = ui::button("Open a file", true, 120);
    ui::tip("a mesh, a character, a motion or a trial", "Ctrl+O");
    ImGui::SameLine();
    const bool sample = ui::button("Try the walking man", true, 170);
    ImGui::SameLine();
    const bool closed = ui::button("Close", true, 100) || ui::escape();
    if (guided || open || sample || closed) {
        try {
            save_preferences(state.preferences, state.preferences_path);
        } catch (const Error& error) {
            state.messages.add(Severity::warning, error.what());
        }
        close_dialog(state);
        if (open) state.dialog = Dialog::open;
        if (guided) {
            state.guide.on = true;
            go_to_guide_step(state, state.character().has_mesh() ? 1 : 0);
        }
        if (sample) open_sample(state, "man");
    }
    ImGui::EndPopup();
}

namespace {

/// The next key is for the action that waits for one, unless it belongs to another action.
void take_key(State& state) {
    if (state.wanted_key.empty()) return;
    const std::string wanted = std::exchange(state.wanted_key, "");
    KeyChanges& keys = state.preferences.keys;
    if (ui::escape()) return;
    const auto chord = pressed_chord();
    if (!chord) {
        state.wanted_key = wanted;
        return;
    }
    const std::string key = name_of(*chord);
    if (!parse_chord(key)) {
        state.key_answer = fmt::format("{} cannot be changed", key);
    } else if (const Shortcut* owner = owner_of(keys, key, wanted)) {
        state.key_answer =
            fmt::format("{} is the key of \"{}\": give that one another key first", key, owner->what);
    } else if (key == wanted) {
        keys.erase(wanted);
    } else {
        keys[wanted] = key;
    }
}

void key_rows(State& state) {
    KeyChanges& keys = state.preferences.keys;
    ImGui::TextDisabled("Keys: press a button, then the new key (Esc: none)");
    ImGui::BeginChild("keys", {0, -64}, true);
    for (const Shortcut& row : shortcuts()) {
        const std::string usual(row.usual), now = key_now(keys, usual);
        const bool waits = state.wanted_key == usual;
        if (ui::button(fmt::format("{}###key of {}", waits ? "press a key" : now, usual).c_str(), true,
                       120)) {
            state.wanted_key = usual;
            state.key_answer.clear();
        }
        ui::tip("another key for this");
        ImGui::SameLine(140);
        ImGui::TextUnformatted(row.what.data(), row.what.data() + row.what.size());
        if (now == usual) continue;
        ImGui::SameLine();
        ImGui::TextDisabled("(usually %s)", usual.c_str());
    }
    ImGui::EndChild();
    ui::remember_value("key answer", state.key_answer);
    ImGui::TextColored({0.95f, 0.45f, 0.35f, 1}, "%s", state.key_answer.c_str());
}

}  // namespace

void preferences_dialog(State& state) {
    if (!ui::begin_dialog("Preferences", {480, 560})) return;
    const bool waited = !state.wanted_key.empty();
    take_key(state);
    Preferences& p = state.preferences;
    ImGui::SetNextItemWidth(-180);
    ui::slider("Interface scale", p.scale, 0.7f, 2.5f, "%.1f");
    int theme = p.light ? 1 : 0;
    static const std::array<std::string, 2> themes = {"dark", "light"};
    ImGui::SetNextItemWidth(-180);
    if (ui::choice("Theme", theme, themes)) p.light = theme == 1;
    ImGui::SetNextItemWidth(-180);
    ui::slider("Frames per second", p.frame_rate, 10, 120);
    ImGui::SetNextItemWidth(-180);
    ui::slider("Autosave interval (s)", p.autosave, 1, 120, "%.0f");
    ui::tip("how often unsaved work is copied for recovery after a crash");
    ui::toggle("First steps at startup", p.show_steps);
    ImGui::Spacing();
    key_rows(state);
    const bool usual = ui::button("Defaults", true, 120);
    ui::tip("all preferences as they were at first");
    ImGui::SameLine();
    if (usual) p = {};
    if (ui::button("Usual keys", !p.keys.empty(), 120)) p.keys.clear();
    ui::tip("all keys as in the manual");
    ImGui::SameLine();
    if (ui::button("Close", true, 100) || (ui::escape() && !waited)) {
        state.wanted_key.clear();
        state.key_answer.clear();
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
