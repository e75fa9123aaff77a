// SPDX-License-Identifier: MIT
#include <algorithm>

#include "actions.h"
#include "autosave.h"
#include "keys.h"
#include "motion_import.h"
#include "panels.h"
#include "ui.h"

#include "sinew/base/error.h"

namespace sinew::studio {
namespace {

void keys_dialog(State& state) {
    if (!ui::begin_dialog("Keys and mouse", {640, 660})) return;
    if (ImGui::BeginTable("keys", 2, ImGuiTableFlags_RowBg)) {
        ImGui::TableSetupColumn("keys", ImGuiTableColumnFlags_WidthFixed, 260);
        for (const auto& [usual, key] : state.preferences.keys) {
            const auto row = std::ranges::find(shortcuts(), usual, &Shortcut::usual);
            if (row == shortcuts().end()) continue;
            ImGui::TableNextColumn();
            ImGui::Text("%s (usually %s)", key.c_str(), usual.c_str());
            ImGui::TableNextColumn();
            ImGui::TextUnformatted(row->what.data(), row->what.data() + row->what.size());
        }
        for (const KeyHelp& row : key_table()) {
            ImGui::TableNextColumn();
            ImGui::TextUnformatted(row.keys.data(), row.keys.data() + row.keys.size());
            ImGui::TableNextColumn();
            ImGui::TextUnformatted(row.what.data(), row.what.data() + row.what.size());
        }
        ImGui::EndTable();
    }
    if (ui::button("Close", true, 100) || ui::escape()) close_dialog(state);
    ImGui::EndPopup();
}

/// Which joint of the last motion moves which joint of the character.
void joint_map_dialog(State& state) {
    if (!state.document.motion) return close_dialog(state);
    if (!ui::begin_dialog("Joint map", {560, 640})) return;
    const model::Skeleton& here = state.character().skeleton;
    std::vector<std::string> sources = {"(none)"};
    for (const model::Joint& joint : state.document.motion->source.character.skeleton.joints)
        sources.push_back(joint.name);
    ImGui::TextDisabled("Joints of the character, and the joints of %s that move them",
                        state.document.motion->source.path.filename().string().c_str());
    ImGui::BeginChild("joints", {0, -40});
    if (ImGui::BeginTable("map", 2, ImGuiTableFlags_RowBg)) {
        for (std::size_t j = 0; j < state.map_edit.size() && j < here.size(); ++j) {
            ImGui::TableNextColumn();
            ImGui::AlignTextToFramePadding();
            ImGui::TextUnformatted(here.joints[j].name.c_str());
            ImGui::TableNextColumn();
            ImGui::SetNextItemWidth(-1);
            int chosen = state.map_edit[j] + 1;
            const std::string& name = here.joints[j].name;
            if (ui::choice(("##" + name).c_str(), chosen, sources)) state.map_edit[j] = chosen - 1;
            ui::tip("the joint of the motion that moves this one");
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
    if (ui::button("Close", true, 100) || ui::escape()) close_dialog(state);
    ImGui::EndPopup();
}

/// Save, discard or cancel.
void unsaved_dialog(State& state) {
    if (!ui::begin_dialog("Unsaved work", {520, 116})) return;
    ImGui::TextWrapped("There are unsaved changes in %s. Save them before %s?",
                       state.character().name.empty() ? "this" : state.character().name.c_str(),
                       state.question.c_str());
    ImGui::Spacing();
    const bool save = ui::button("Save ...", true, 120);
    ImGui::SameLine();
    const bool lose = ui::button("Do not save", true, 120);
    ImGui::SameLine();
    const bool stay = ui::button("Cancel##unsaved", true, 120) || ui::escape();
    if (save || lose || stay) {
        const auto then = std::move(state.pending);
        state.pending = nullptr;
        close_dialog(state);
        if (save) {
            ask_for_project(state);
            state.pending = then;  // continues when it is written
        } else if (lose && then) {
            then(state);
        }
    }
    ImGui::EndPopup();
}

void overwrite_dialog(State& state) {
    if (!ui::begin_dialog("Replace the file?", {560, 116})) return;
    ImGui::TextWrapped("%s exists already.", state.question.c_str());
    ImGui::Spacing();
    const bool replace = ui::button("Replace", true, 120);
    ImGui::SameLine();
    const bool stay = ui::button("Cancel##replace", true, 120) || ui::escape();
    if (replace || stay) {
        const auto then = std::move(state.pending);
        state.pending = nullptr;
        close_dialog(state);
        if (replace && then) then(state);
        if (stay) state.dialog = Dialog::write;
    }
    ImGui::EndPopup();
}

/// Offers work that a crashed program has left behind.
void recover_dialog(State& state) {
    if (state.leftovers.empty()) return close_dialog(state);
    if (!ui::begin_dialog("Recover unsaved work", {620, 120 + 30 * static_cast<float>(std::min<std::size_t>(
                                                                       state.leftovers.size(), 12))}))
        return;
    ImGui::TextWrapped("The studio did not close properly. This work was not saved:");
    ImGui::Spacing();
    int chosen = -1;
    for (std::size_t i = 0; i < state.leftovers.size(); ++i) {
        const Leftover& left = state.leftovers[i];
        const std::string label = fmt::format(
            "{}   {}", left.when, left.source.empty() ? "not saved in any file" : left.source.string());
        ImGui::PushID(static_cast<int>(i));
        if (ui::button("Recover", true, 90)) chosen = static_cast<int>(i);
        ImGui::SameLine();
        ImGui::TextUnformatted(label.c_str());
        ImGui::PopID();
    }
    ImGui::Spacing();
    const bool lose = ui::button("Discard", true, 140);
    ImGui::SameLine();
    const bool later = ui::button("Later", true, 100) || ui::escape();
    if (chosen >= 0 || lose || later) {
        const std::vector<Leftover> list = std::move(state.leftovers);
        state.leftovers.clear();
        close_dialog(state);
        if (chosen >= 0) recover(state, list[static_cast<std::size_t>(chosen)]);
        if (lose)
            for (const Leftover& left : list) forget(left);
    }
    ImGui::EndPopup();
}

}  // namespace

void close_dialog(State& state) {
    state.dialog = Dialog::none;
    state.adding = false;
    ImGui::CloseCurrentPopup();
}

void dialogs(State& state) {
    if (state.dialog == Dialog::open) open_dialog(state);
    if (state.dialog == Dialog::write) write_dialog(state);
    if (state.dialog == Dialog::unsaved) unsaved_dialog(state);
    if (state.dialog == Dialog::overwrite) overwrite_dialog(state);
    if (state.dialog == Dialog::recover) recover_dialog(state);
    if (state.dialog == Dialog::preferences) preferences_dialog(state);
    if (state.dialog == Dialog::first_steps) first_steps_dialog(state);
    if (state.dialog == Dialog::keys) keys_dialog(state);
    if (state.dialog == Dialog::joint_map) joint_map_dialog(state);
}

}  // namespace sinew::studio
