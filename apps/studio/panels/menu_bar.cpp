// SPDX-License-Identifier: MIT
#include "actions.h"
#include "keys.h"
#include "panels.h"
#include "ui.h"

#include "sinew/sample/samples.h"

namespace sinew::studio {
namespace {

bool begin_menu(const char* name) {
    const bool open = ImGui::BeginMenu(name);
    if (!open) ui::mark(name);
    return open;
}

void file_menu(State& state) {
    const bool idle = !state.job.running();
    if (ui::menu_item("Open ...", "Ctrl+O", false, idle)) state.dialog = Dialog::open;
    if (ImGui::BeginMenu("Recent", idle && !state.recent.list().empty())) {
        const auto list = state.recent.list();
        for (const std::filesystem::path& path : list) {
            if (ui::menu_item(path.filename().string().c_str())) open_file(state, path);
            ui::tip(path.string().c_str());
        }
        ImGui::EndMenu();
    }
    if (begin_menu("Samples")) {
        for (const sample::Sample& sample : sample::list()) {
            if (ui::menu_item(std::string(sample.name).c_str(), nullptr, false, idle))
                open_sample(state, std::string(sample.name));
            ui::tip(std::string(sample.what).c_str());
        }
        ImGui::EndMenu();
    }
    ImGui::Separator();
    if (ui::menu_item("Save project ...", "Ctrl+S", false, !state.document.empty())) ask_for_project(state);
    if (ui::menu_item("Export ...", "Ctrl+E", false, !state.document.empty())) state.dialog = Dialog::write;
    ImGui::Separator();
    if (ui::menu_item("Quit", "Ctrl+Q")) ask_to_quit(state);
}

void edit_menu(State& state) {
    const std::string back = state.undo.empty() ? "Undo" : "Undo " + state.undo.back().what;
    const std::string again = state.redo.empty() ? "Redo" : "Redo " + state.redo.back().what;
    if (ui::menu_item(back.c_str(), "Ctrl+Z", false, !state.undo.empty())) undo(state);
    if (ui::menu_item(again.c_str(), "Ctrl+Y", false, !state.redo.empty())) redo(state);
    if (ui::menu_item("Preferences ...")) state.dialog = Dialog::preferences;
    ImGui::Separator();
    if (ui::menu_item("Reset pose", "R")) reset_pose(state);
    if (ui::menu_item("Joint map ...", nullptr, false, state.document.motion != nullptr))
        ask_for_joint_map(state);
    if (ui::menu_item("Take pose into clip", nullptr, false, !state.pose.empty())) bake_pose(state);
}

void view_menu(State& state) {
    if (ui::menu_item("Look at all", "F")) look_at_all(state);
    if (ui::menu_item("From the front", "1")) look_from(state, render::View::front);
    if (ui::menu_item("From the left", "3")) look_from(state, render::View::left);
    if (ui::menu_item("From above", "7")) look_from(state, render::View::top);
    if (ui::menu_item("Three-quarter", "0")) look_from(state, render::View::three_quarter);
    ImGui::Separator();
    if (ui::menu_item("Follow the pelvis", "P", state.camera_mode.follow))
        state.camera_mode.follow = !state.camera_mode.follow;
    if (ui::menu_item("Fly", "V", state.camera_mode.fly))
        state.camera_mode = {!state.camera_mode.fly, 0, false};
}

}  // namespace

void menu_bar(State& state) {
    if (!ImGui::BeginMainMenuBar()) return;
    if (begin_menu("File")) {
        file_menu(state);
        ImGui::EndMenu();
    }
    if (begin_menu("Edit")) {
        edit_menu(state);
        ImGui::EndMenu();
    }
    if (begin_menu("View")) {
        view_menu(state);
        ImGui::EndMenu();
    }
    if (begin_menu("Help")) {
        if (ui::menu_item("First steps", "F1")) state.dialog = Dialog::first_steps;
        if (ui::menu_item("Keys and mouse")) state.dialog = Dialog::keys;
        ImGui::EndMenu();
    }
    const std::string name =
        (state.document.path.empty() ? state.character().name : state.document.path.filename().string()) +
        (is_unsaved(state) ? " *" : "");
    const float width = ImGui::CalcTextSize(name.c_str()).x;
    ImGui::SameLine((ImGui::GetWindowWidth() - width) / 2);
    ImGui::TextDisabled("%s", name.c_str());
    // What everybody needs, without a menu.
    ImGui::SameLine(ImGui::GetWindowWidth() - 200 * ImGui::GetIO().FontGlobalScale);
    if (ui::button("Open a file", !state.job.running())) state.dialog = Dialog::open;
    ui::tip("a mesh, a character, a motion or a trial (Ctrl+O)");
    if (ui::button("Export", !state.document.empty())) state.dialog = Dialog::write;
    ui::tip("in any format, as a film or as a page (Ctrl+E)");
    ImGui::EndMainMenuBar();
}

}  // namespace sinew::studio
