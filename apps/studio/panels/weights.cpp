// SPDX-License-Identifier: MIT
// The page Weights: the brush, the joint that it paints, and what is done to all weights.

#include <array>

#include "actions.h"
#include "panels.h"
#include "rig_edit.h"
#include "ui.h"
#include <imgui_stdlib.h>

#include "sinew/base/text.h"

namespace sinew::studio {
namespace {

void brush(State& state) {
    if (!ui::section("Brush")) return;
    WeightTool& tool = state.weight_tool;
    constexpr std::array actions = {"Add", "Erase", "Replace", "Smooth", "Paste"};
    int action = static_cast<int>(tool.action);
    ui::segments("Brush", action, actions);
    tool.action = static_cast<BrushAction>(action);
    ImGui::SetNextItemWidth(-90);
    ui::slider("Radius", tool.radius, 0.005f, 0.3f, "%.3f");
    ui::tip("in parts of the size of the body ( - and = )");
    ImGui::SetNextItemWidth(-90);
    ui::slider("Strength", tool.strength, 0.02f, 1);
    if (tool.action == BrushAction::replace || tool.action == BrushAction::add) {
        ImGui::SetNextItemWidth(-90);
        ui::slider("Value", tool.value, 0, 1);
    }
    ui::toggle("Symmetry", tool.symmetry);
    ui::tip("when a stroke ends, the other side gets the weights of this one");
    ImGui::SameLine(140);
    if (ui::button(tool.picking ? "click the skin" : "Copy", true, -1)) tool.picking = true;
    ui::tip("the next click on the skin copies its weights, which the brush then pastes");
}

/// Joints by name, with a lock each.
void joint_list(State& state) {
    if (!ui::section("Joint")) return;
    static std::string search;
    ImGui::SetNextItemWidth(-1);
    ImGui::InputTextWithHint("##Search", "search", &search);
    ui::mark("Search");
    ImGui::BeginChild("joints", {0, 150});
    const auto& joints = state.character().skeleton.joints;
    for (std::size_t j = 0; j < joints.size(); ++j) {
        const std::string& name = joints[j].name;
        if (!search.empty() && to_lower(name).find(to_lower(search)) == std::string::npos) continue;
        ImGui::PushID(static_cast<int>(j));
        bool locked = state.weight_tool.locked.contains(name);
        if (ImGui::Checkbox("##lock", &locked)) {
            if (locked)
                state.weight_tool.locked.insert(name);
            else
                state.weight_tool.locked.erase(name);
        }
        ui::mark("lock/" + name);
        ui::tip("locked: its weights stay while others are painted");
        ImGui::SameLine();
        const Selection self{SelectionKind::joint, static_cast<int>(j)};
        if (ImGui::Selectable(name.c_str(), state.selection == self)) state.selection = self;
        ui::mark("weights/" + name);
        ImGui::PopID();
    }
    ImGui::EndChild();
}

void all_weights(State& state) {
    if (!ui::section("All weights")) return;
    WeightTool& tool = state.weight_tool;
    const int joint = selected_joint(state);
    const float half = ui::part_width(2);
    if (ui::button("Smooth all", true, half))
        edit_rig(state, "smooth weights",
                 [&](const model::Character& c) { return rig::smooth_weights(c, {.passes = tool.passes}); });
    ImGui::SameLine();
    ImGui::SetNextItemWidth(-60);
    ui::slider("passes", tool.passes, 1, 20);
    if (ui::button("Prune below", true, half))
        edit_rig(state, "prune weights", [&](const model::Character& c) {
            return rig::limit_influences(c, 0, static_cast<double>(tool.prune));
        });
    ui::tip("lighter weights go; the others are brought to the sum 1");
    ImGui::SameLine();
    ImGui::SetNextItemWidth(-60);
    ui::slider("weight", tool.prune, 0, 0.2f, "%.3f");
    if (ui::button("Joints a vertex", true, half))
        edit_rig(state, "limit influences",
                 [&](const model::Character& c) { return rig::limit_influences(c, tool.influences); });
    ui::tip("the heaviest stay, brought to the sum 1");
    ImGui::SameLine();
    ImGui::SetNextItemWidth(-60);
    ui::slider("at most", tool.influences, 1, 8);
    if (ui::button("Left to right", true, half))
        edit_rig(state, "mirror weights",
                 [](const model::Character& c) { return rig::mirror_weights(c, model::Side::left); });
    ImGui::SameLine();
    if (ui::button("Right to left", true, half))
        edit_rig(state, "mirror weights",
                 [](const model::Character& c) { return rig::mirror_weights(c, model::Side::right); });
    if (ui::button("Gradient", joint >= 0, half))
        edit_rig(state, "gradient",
                 [&](const model::Character& c) { return gradient_at_joint(c, joint, tool.locked); });
    ui::tip("weights of the joint rise evenly across it, from the bone before it to its own");
    ImGui::SameLine();
    if (ui::button("Limit slopes", true, half))
        edit_rig(state, "limit slopes", [](const model::Character& c) { return rig::limit_slopes(c); });
    ui::tip("no weight changes faster than over the thickness of the limb");
}

void view_choice(State& state) {
    constexpr std::array views = {"One joint", "All joints", "Materials"};
    int view = state.view.coloring == Coloring::joint_weights ? 0
               : state.view.coloring == Coloring::weights     ? 1
                                                              : 2;
    if (ui::segments("Show weights", view, views))
        state.view.coloring = view == 0   ? Coloring::joint_weights
                              : view == 1 ? Coloring::weights
                                          : Coloring::material;
}

}  // namespace

void weights_page(State& state) {
    if (!state.character().has_skin()) {
        ImGui::Spacing();
        ImGui::TextWrapped("There are no weights yet. The page Body binds the skin to a skeleton.");
        return;
    }
    brush(state);
    joint_list(state);
    view_choice(state);
    all_weights(state);
}

}  // namespace sinew::studio
