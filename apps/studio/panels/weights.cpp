// SPDX-License-Identifier: MIT
// The page Weights: the brush, the joint that it paints, and operations on all weights.

#include <array>

#include "actions.h"
#include "guide_work.h"
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
    ui::tip("relative to the size of the body (keys - and =)");
    ImGui::SetNextItemWidth(-90);
    ui::slider("Strength", tool.strength, 0.02f, 1);
    ui::tip("how much a single dab changes");
    if (tool.action == BrushAction::replace || tool.action == BrushAction::add) {
        ImGui::SetNextItemWidth(-90);
        ui::slider("Value", tool.value, 0, 1);
    }
    ui::toggle("Symmetry", tool.symmetry);
    ui::tip("mirrors the weights to the other side after each stroke");
    ImGui::SameLine(140);
    if (ui::button(tool.picking ? "click the skin" : "Copy", true, -1)) tool.picking = true;
    ui::tip("the next click on the skin copies its weights for the brush Paste");
}

/// Joints by name, each with a lock.
void joint_list(State& state) {
    if (!ui::section("Joint")) return;
    static std::string search;
    ImGui::SetNextItemWidth(-1);
    ImGui::InputTextWithHint("##Search", "search", &search);
    ui::mark("Search");
    ui::control("##Search");
    ImGui::TextDisabled("A tick locks the weights of a joint.");
    ImGui::BeginChild("joints", {0, 150});
    static Selection scrolled_to;
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
        ui::control("lock/" + name);
        ui::tip("locked: painting other joints does not change its weights");
        ImGui::SameLine();
        const Selection self{SelectionKind::joint, static_cast<int>(j)};
        if (ImGui::Selectable(name.c_str(), state.selection == self)) scrolled_to = state.selection = self;
        if (state.selection == self && scrolled_to != self) {
            ImGui::SetScrollHereY();  // selected elsewhere: in the view, or by the guide
            scrolled_to = self;
        }
        ui::mark("weights/" + name);
        ImGui::PopID();
    }
    ImGui::EndChild();
}

void all_weights(State& state) {
    if (!ui::section("All weights")) return;
    WeightTool& tool = state.weight_tool;
    const int joint = selected_joint(state);
    const bool idle = !state.job.running();
    const float half = ui::part_width(2);
    if (ui::button("Smooth all", idle, half))
        edit_rig_in_background(state, "smooth weights", [passes = tool.passes](const model::Character& c) {
            return rig::smooth_weights(c, {.passes = passes});
        });
    ui::tip("each vertex gets nearer to the mean of its neighbours");
    ImGui::SameLine();
    ImGui::SetNextItemWidth(-60);
    ui::slider("passes", tool.passes, 1, 20);
    if (ui::button("Prune below", idle, half))
        edit_rig_in_background(state, "prune weights",
                               [below = static_cast<double>(tool.prune)](const model::Character& c) {
                                   return rig::limit_influences(c, 0, below);
                               });
    ui::tip("removes smaller weights and normalises the others");
    ImGui::SameLine();
    ImGui::SetNextItemWidth(-60);
    ui::slider("weight", tool.prune, 0, 0.2f, "%.3f");
    if (ui::button("Limit influences", idle, half))
        edit_rig_in_background(
            state, "limit influences",
            [most = tool.influences](const model::Character& c) { return rig::limit_influences(c, most); });
    ui::tip("keeps the largest weights and normalises them");
    ImGui::SameLine();
    ImGui::SetNextItemWidth(-60);
    ui::slider("at most", tool.influences, 1, 8);
    if (ui::button("Left to right", idle, half))
        edit_rig_in_background(state, "mirror weights", [](const model::Character& c) {
            return rig::mirror_weights(c, model::Side::left);
        });
    ui::tip("the right side gets the weights of the left");
    ImGui::SameLine();
    if (ui::button("Right to left", idle, half))
        edit_rig_in_background(state, "mirror weights", [](const model::Character& c) {
            return rig::mirror_weights(c, model::Side::right);
        });
    ui::tip("the left side gets the weights of the right");
    if (ui::button("Gradient", idle && joint >= 0, half))
        edit_rig_in_background(state, "gradient", [joint, locked = tool.locked](const model::Character& c) {
            return gradient_at_joint(c, joint, locked);
        });
    ui::tip("makes the weights rise evenly from the parent's bone to this one");
    ImGui::SameLine();
    if (ui::button("Limit slopes", idle, half))
        edit_rig_in_background(state, "limit slopes",
                               [](const model::Character& c) { return rig::limit_slopes(c); });
    ui::tip("makes weights change no faster than over the thickness of the limb");
}

/// Weights of another method beside the present ones, on a bent body.
void other_weights(State& state) {
    if (!ui::section("Compare methods", state.compare.weights != nullptr)) return;
    const auto methods = rig::bind_methods();
    std::vector<std::string> names;
    for (const rig::BindMethod method : methods) names.emplace_back(rig::name_of(method));
    WeightTool& tool = state.weight_tool;
    const float half = ui::part_width(2);
    ImGui::SetNextItemWidth(half);
    ui::choice("##Other binding", tool.other_binding, names);
    ImGui::SameLine();
    const auto index =
        static_cast<std::size_t>(std::clamp(tool.other_binding, 0, static_cast<int>(names.size()) - 1));
    if (ui::button("Show beside", !state.job.running(), half)) compare_binding(state, methods[index]);
    ui::tip("binds the mesh by this method and shows it on the right of the view");
    if (!state.compare.weights) return;
    ui::field("Right", "weights of " + state.compare.bound_by);
    ui::field("Largest", fmt::format("{:.4f} apart", state.compared));
    ui::toggle("Difference##weights", state.compare.heat);
    ui::tip("colours the distance between both");
    ImGui::SameLine(124);
    ImGui::SetNextItemWidth(-1);
    ui::slider("##Split", state.compare.border, 0, 1, "");
    if (ui::button("Use the right ones", true, half)) return use_other_weights(state);
    ImGui::SameLine();
    if (ui::button("Keep the left ones", true, half)) {
        state.compare.weights.reset();
        state.compare.on = false;
    }
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
        ImGui::TextWrapped("There are no weights yet. Bind the skin on the page Body.");
        return;
    }
    brush(state);
    joint_list(state);
    view_choice(state);
    const float half = ui::part_width(2);
    if (ui::button("Test pose", true, half)) take_test_pose(state);
    ui::tip("bends all limbs, so that wrong weights are seen");
    ImGui::SameLine();
    if (ui::button("Rest pose", !state.pose.empty() || state.clip >= 0, half)) reset_pose(state);
    ui::tip("back to the rest pose", "R");
    other_weights(state);
    all_weights(state);
}

}  // namespace sinew::studio
