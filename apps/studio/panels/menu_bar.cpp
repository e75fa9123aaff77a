// SPDX-License-Identifier: MIT
#include <array>

#include "actions.h"
#include "keys.h"
#include "panels.h"
#include "ui.h"
#include <SDL_misc.h>

#include "sinew/base/system.h"
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
    if (ui::menu_item("Add to the scene ...", nullptr, false, idle && !state.document.empty())) {
        state.adding = true;
        state.dialog = Dialog::open;
    }
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
    if (ui::menu_item("Bake pose into clip", nullptr, false, !state.pose.empty())) bake_pose(state);
}

void view_menu(State& state) {
    if (ui::menu_item("Frame all", "F")) look_at_all(state);
    if (ui::menu_item("Front view", "1")) look_from(state, render::View::front);
    if (ui::menu_item("Left view", "3")) look_from(state, render::View::left);
    if (ui::menu_item("Top view", "7")) look_from(state, render::View::top);
    if (ui::menu_item("Three-quarter", "0")) look_from(state, render::View::three_quarter);
    ImGui::Separator();
    if (ui::menu_item("Follow the pelvis", "P", state.camera_mode.follow))
        state.camera_mode.follow = !state.camera_mode.follow;
    if (ui::menu_item("Keep this view", "Shift+F5")) keep_view(state);
    for (std::size_t i = 0; i < state.views.size(); ++i)
        if (ui::menu_item(state.views[i].name.c_str(), i < 4 ? fmt::format("F{}", 5 + i).c_str() : nullptr))
            go_to_view(state, i);
    if (ui::menu_item("Fly", "V", state.camera_mode.fly))
        state.camera_mode = {!state.camera_mode.fly, 0, false};
}

struct Tutorial {
    const char* title;
    const char* page;
};
constexpr std::array tutorials = {Tutorial{"Weights and corrections by hand", "studio"},
                                  Tutorial{"A scan walks", "scan-walks"},
                                  Tutorial{"A gait report", "gait-report"},
                                  Tutorial{"Mesh animation to bones", "mesh-animation"},
                                  Tutorial{"Collision", "collision"},
                                  Tutorial{"In Blender", "blender"},
                                  Tutorial{"In Python", "python"},
                                  Tutorial{"In an engine", "engine"},
                                  Tutorial{"Ten thousand files", "batch"}};

/// The manual of a build is in a folder above its program, that of a package in the usual folder of packages.
std::filesystem::path manual_file(const std::string& page) {
    namespace fs = std::filesystem;
    const fs::path program = program_path().parent_path();
    for (const fs::path& folder : {program / "../../docs", program / "../share/doc/sinew/docs"}) {
        std::error_code code;
        const fs::path file = folder / (page + ".md");
        if (fs::exists(file, code)) return fs::weakly_canonical(file, code);
    }
    return {};
}

void tutorial_menu(State& state) {
    if (!begin_menu("Tutorials")) return;
    for (const Tutorial& tutorial : tutorials) {
        const std::string page = fmt::format("tutorials/{}", tutorial.page);
        if (ui::menu_item(tutorial.title)) open_manual(state, page);
        ui::tip(fmt::format("docs/{}.md", page).c_str());
    }
    ImGui::EndMenu();
}

}  // namespace

void open_manual(State& state, const std::string& page) {
    const std::filesystem::path file = manual_file(page);
    const std::string name = file.empty() ? fmt::format("docs/{}.md", page) : file.string();
    const bool opened = !file.empty() && SDL_OpenURL(("file://" + name).c_str()) == 0;
    state.messages.add(Severity::note, (opened ? "opened " : "the manual is ") + name);
}

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
        if (ui::menu_item("Guide", nullptr, state.guide.on)) {
            state.guide.on = !state.guide.on;
            go_to_guide_step(state, state.character().has_mesh() ? 1 : 0);
        }
        tutorial_menu(state);
        if (ui::menu_item("Keys and mouse")) state.dialog = Dialog::keys;
        ImGui::EndMenu();
    }
    const std::string name = title_of(state);
    const float width = ImGui::CalcTextSize(name.c_str()).x;
    ImGui::SameLine((ImGui::GetWindowWidth() - width) / 2);
    ImGui::TextDisabled("%s", name.c_str());
    // The most used controls, without a menu.
    ImGui::SameLine(ImGui::GetWindowWidth() - 200 * ImGui::GetIO().FontGlobalScale);
    if (ui::button("Open a file", !state.job.running())) state.dialog = Dialog::open;
    ui::tip("a mesh, a character, a motion or a trial", "Ctrl+O");
    if (ui::button("Export", !state.document.empty())) state.dialog = Dialog::write;
    ui::tip("in any format, as a film or as a page", "Ctrl+E");
    ImGui::EndMainMenuBar();
}

}  // namespace sinew::studio
