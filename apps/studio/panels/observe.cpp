// SPDX-License-Identifier: MIT
// The checklist of gait observation: the user's observations, phase by phase.

#include <array>

#include "actions.h"
#include "panels.h"
#include "ui.h"

#include "sinew/gait/report.h"

namespace sinew::studio {
namespace {

constexpr std::array<const char*, gait::phase_count> short_names = {"LR",  "MSt", "TSt", "PSw",
                                                                    "ISw", "MSw", "TSw"};
constexpr std::array<const char*, gait::phase_count> long_names = {
    "loading response", "mid-stance", "terminal stance", "pre-swing",
    "initial swing",    "mid-swing",  "terminal swing"};

void set_cell(State& state, std::size_t row, gait::GaitPhase phase, bool seen) {
    remember(state, "checklist");
    gait::Checklist sheet = state.document.checklist ? *state.document.checklist : gait::Checklist{};
    sheet.set(gait::checklist_rows()[row].finding, phase, seen);
    state.document.checklist = std::make_shared<const gait::Checklist>(sheet);
}

void cells(State& state, std::size_t row) {
    const gait::ChecklistRow& info = gait::checklist_rows()[row];
    for (std::size_t p = 0; p < gait::phase_count; ++p) {
        ImGui::TableNextColumn();
        if (!info.applicable[p]) continue;
        const auto phase = static_cast<gait::GaitPhase>(p);
        bool seen = state.document.checklist && state.document.checklist->seen(row, phase);
        ImGui::PushID(static_cast<int>(row * gait::phase_count + p));
        if (ImGui::Checkbox("##seen", &seen)) set_cell(state, row, phase, seen);
        ImGui::PopID();
        const std::string name = fmt::format("check/{}/{}", info.finding, short_names[p]);
        ui::mark(name);
        ui::control(name);
        ui::tip(fmt::format("{} in {}", info.finding, long_names[p]).c_str());
    }
}

}  // namespace

void observation_panel(State& state) {
    if (!ui::section("Observation", state.document.checklist != nullptr)) return;
    const std::size_t found = state.document.checklist ? state.document.checklist->findings() : 0;
    ui::field("Findings", fmt::format("{}", found));
    constexpr ImGuiTableFlags flags = ImGuiTableFlags_BordersInnerH | ImGuiTableFlags_SizingFixedFit;
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {0, 0});
    ImGui::PushStyleVar(ImGuiStyleVar_CellPadding, {1, 2});
    if (ImGui::BeginTable("checklist", 1 + static_cast<int>(gait::phase_count), flags)) {
        ImGui::TableSetupColumn("", ImGuiTableColumnFlags_WidthStretch);
        for (const char* name : short_names)
            ImGui::TableSetupColumn(name, ImGuiTableColumnFlags_WidthFixed,
                                    18 * ImGui::GetIO().FontGlobalScale);
        ImGui::TableNextColumn();
        ImGui::SetWindowFontScale(0.75f);
        for (std::size_t p = 0; p < gait::phase_count; ++p) {
            ImGui::TableNextColumn();
            ImGui::TextDisabled("%s", short_names[p]);
            ui::tip(long_names[p]);
        }
        ImGui::SetWindowFontScale(1);
        const auto rows = gait::checklist_rows();
        for (std::size_t row = 0; row < rows.size(); ++row) {
            ImGui::TableNextColumn();
            std::string text(rows[row].finding);
            if (const auto slash = text.find('/'); slash != text.npos)
                text.insert(slash + 1, " ");  // breaks a line
            ImGui::TextWrapped("%s", text.c_str());
            ui::tip(fmt::format("{}: {}", rows[row].part, text).c_str());
            cells(state, row);
        }
        ImGui::EndTable();
    }
    ImGui::PopStyleVar(2);
    if (ui::button("Save the checklist ...", found > 0, -1)) {
        state.export_path = (std::filesystem::current_path() / (state.character().name + ".txt")).string();
        state.dialog = Dialog::write;
    }
    ui::tip("as text, which `sinew study` compares with other checklists");
}

}  // namespace sinew::studio
