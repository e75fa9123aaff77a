// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <filesystem>

#include "actions.h"
#include "keys.h"
#include "motion_import.h"
#include "panels.h"
#include "ui.h"
#include <imgui_stdlib.h>

#include "sinew/base/error.h"

namespace sinew::studio {
namespace {

namespace fs = std::filesystem;

/// A window over everything, in the middle; the caller ends it when this is true.
bool begin_dialog(const char* title, const ImVec2& size) {
    if (!ImGui::IsPopupOpen(title)) ImGui::OpenPopup(title);
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    ImGui::SetNextWindowPos({screen.x / 2, screen.y / 2}, ImGuiCond_Always, {0.5f, 0.5f});
    ImGui::SetNextWindowSize(size);
    return ImGui::BeginPopupModal(title, nullptr, ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoMove);
}

void close(State& state) {
    state.dialog = Dialog::none;
    ImGui::CloseCurrentPopup();
}

bool escape() {
    return ImGui::IsKeyPressed(ImGui::GetKeyIndex(ImGuiKey_Escape), false);
}

void open_path(State& state, const fs::path& path) {
    std::error_code code;
    Browser& browser = state.browser;
    if (fs::is_directory(path, code) && io::find_format(path) == nullptr) {
        enter(browser, path);
        browser.path = browser.folder.string() + "/";
        return;
    }
    open_file(state, path);
    close(state);
}

void folder_list(State& state) {
    Browser& browser = state.browser;
    ImGui::BeginChild("files", {0, -40});
    fs::path chosen;
    if (ImGui::Selectable("..")) chosen = browser.folder.parent_path();
    for (const FolderEntry& entry : browser.entries) {
        const std::string label = entry.folder ? entry.name + "/" : entry.name;
        if (ImGui::Selectable(label.c_str())) chosen = browser.folder / entry.name;
        ui::mark(label);
    }
    if (!browser.error.empty()) ImGui::TextDisabled("%s", browser.error.c_str());
    ImGui::EndChild();
    if (!chosen.empty()) open_path(state, chosen);
}

/// What a file does not say, or says wrongly.
void read_options(io::ReadOptions& read) {
    static const std::array<std::string, 7> units = {
        "guessed or stated", "m", "cm", "mm", "in", "ft", "file"};
    static const std::array<std::string, 4> ups = {"stated", "x", "y", "z"};
    const auto choose = [](const char* label, std::string& value, std::span<const std::string> names) {
        const auto found = std::find(names.begin(), names.end(), value);
        int index = found == names.end() ? 0 : static_cast<int>(found - names.begin());
        ImGui::SetNextItemWidth(140);
        if (ui::choice(label, index, names)) value = index == 0 ? "" : names[static_cast<std::size_t>(index)];
    };
    choose("Units", read.units, units);
    ImGui::SameLine();
    choose("Up", read.up, ups);
    ImGui::SameLine();
    ImGui::SetNextItemWidth(80);
    ImGui::InputDouble("fps", &read.rate, 0, 0, read.rate > 0 ? "%.3g" : "stated");
    ui::tip("frames a second of a file that states none; 0 leaves it to the file");
    read.rate = std::max(read.rate, 0.0);
}

void open_dialog(State& state) {
    Browser& browser = state.browser;
    if (browser.folder.empty()) {
        const bool recent = !state.recent.list().empty();
        enter(browser, recent ? state.recent.list().front().parent_path() : fs::current_path());
        browser.path = browser.folder.string() + "/";
    }
    if (!begin_dialog("Open", {620, 480})) return;
    ImGui::TextDisabled(
        "A mesh, a character, a motion, a trial or a folder of frames. Files can also be dropped.");
    ImGui::SetNextItemWidth(-1);
    const bool entered = ImGui::InputText("##Path", &browser.path, ImGuiInputTextFlags_EnterReturnsTrue);
    ui::mark("Path");
    read_options(state.read);
    folder_list(state);
    if (state.dialog != Dialog::none) {
        const bool pressed = ui::button("Open##do", !browser.path.empty(), 100);
        ImGui::SameLine();
        const bool cancelled = ui::button("Close", true, 100) || escape();
        if (pressed || entered)
            open_path(state, browser.path);
        else if (cancelled)
            close(state);
    }
    ImGui::EndPopup();
}

void write_dialog(State& state) {
    if (!begin_dialog("Export", {600, 190})) return;
    std::string& path = state.export_path;
    if (path.empty()) path = (fs::current_path() / (state.character().name + ".glb")).string();
    ImGui::TextDisabled(
        "By the suffix: glb, gltf, bvh, asf, obj, ply, usda, py; c3d, trc of a trial; csv angles; png;\n"
        "sinew for the whole project, map for the joints of the last motion");
    ImGui::SetNextItemWidth(-1);
    const bool entered = ImGui::InputText("##Target", &path, ImGuiInputTextFlags_EnterReturnsTrue);
    ui::mark("Target");
    ImGui::Spacing();
    const bool pressed = ui::button("Write", !path.empty(), 100);
    ImGui::SameLine();
    const bool cancelled = ui::button("Close", true, 100) || escape();
    if (pressed || entered) {
        write_what_is_open(state, path);
        close(state);
    } else if (cancelled) {
        close(state);
    }
    ImGui::EndPopup();
}

void keys_dialog(State& state) {
    if (!begin_dialog("Keys and mouse", {640, 660})) return;
    if (ImGui::BeginTable("keys", 2, ImGuiTableFlags_RowBg)) {
        ImGui::TableSetupColumn("keys", ImGuiTableColumnFlags_WidthFixed, 260);
        for (const KeyHelp& row : key_table()) {
            ImGui::TableNextColumn();
            ImGui::TextUnformatted(row.keys.data(), row.keys.data() + row.keys.size());
            ImGui::TableNextColumn();
            ImGui::TextUnformatted(row.what.data(), row.what.data() + row.what.size());
        }
        ImGui::EndTable();
    }
    if (ui::button("Close", true, 100) || escape()) close(state);
    ImGui::EndPopup();
}

/// Which joint of the last motion moves which joint here.
void joint_map_dialog(State& state) {
    if (!state.document.motion) return close(state);
    if (!begin_dialog("Joint map", {560, 640})) return;
    const model::Skeleton& here = state.character().skeleton;
    std::vector<std::string> sources = {"(none)"};
    for (const model::Joint& joint : state.document.motion->source.character.skeleton.joints)
        sources.push_back(joint.name);
    ImGui::TextDisabled("Each joint of the character, and the joint of %s that moves it",
                        state.document.motion->source.path.filename().string().c_str());
    ImGui::BeginChild("joints", {0, -40});
    if (ImGui::BeginTable("map", 2, ImGuiTableFlags_RowBg)) {
        for (std::size_t j = 0; j < state.map_edit.size() && j < here.size(); ++j) {
            ImGui::TableNextColumn();
            ImGui::TextUnformatted(here.joints[j].name.c_str());
            ImGui::TableNextColumn();
            ImGui::SetNextItemWidth(-1);
            int chosen = state.map_edit[j] + 1;
            const std::string& name = here.joints[j].name;
            if (ui::choice(("##" + name).c_str(), chosen, sources)) state.map_edit[j] = chosen - 1;
            ui::mark("map/" + name);
        }
        ImGui::EndTable();
    }
    ImGui::EndChild();
    if (ui::button("By name and role", true, 150)) state.map_edit = map_by_itself(state.document);
    ImGui::SameLine();
    const bool changed = state.map_edit != state.document.motion->map;
    const bool applied = ui::button("Apply", changed, 100);
    ImGui::SameLine();
    if (applied) use_joint_map(state, state.map_edit);
    if (ui::button("Close", true, 100) || escape()) close(state);
    ImGui::EndPopup();
}

}  // namespace

void dialogs(State& state) {
    if (state.dialog == Dialog::open) open_dialog(state);
    if (state.dialog == Dialog::write) write_dialog(state);
    if (state.dialog == Dialog::keys) keys_dialog(state);
    if (state.dialog == Dialog::joint_map) joint_map_dialog(state);
}

}  // namespace sinew::studio
