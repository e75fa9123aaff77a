// SPDX-License-Identifier: MIT
// Curves beyond their keys, and limits of joints: the end of the page Motion.

#include <algorithm>
#include <array>

#include "actions.h"
#include "extend_keys.h"
#include "joint_limits.h"
#include "panels.h"
#include "ui.h"

namespace sinew::studio {
namespace {

/// Three numbers in degrees that can be dragged; infinite ones are shown as 180 degrees.
bool drag_degrees(const char* label, Vec3d& radians) {
    float numbers[3];
    for (int axis = 0; axis < 3; ++axis)
        numbers[axis] = static_cast<float>(math::degrees(std::clamp(radians[axis], -math::pi, math::pi)));
    ImGui::SetNextItemWidth(-60);
    const bool changed =
        ImGui::DragFloat3(label, numbers, 1, -180, 180, "%.0f", ImGuiSliderFlags_AlwaysClamp);
    ui::mark(label);
    ui::control(label);
    if (!changed) return false;
    for (int axis = 0; axis < 3; ++axis) radians[axis] = math::radians(static_cast<double>(numbers[axis]));
    return true;
}

}  // namespace

void extend_panel(State& state, int joint) {
    MotionTool& tool = state.motion_tool;
    tool.extend_shown = ui::section("Extrapolation", false);
    if (!tool.extend_shown) return;
    const Timeline& timeline = state.timeline;
    if (tool.to <= tool.from) {
        tool.from = timeline.start;
        tool.to = 2 * timeline.end - timeline.start;
    }
    static const std::vector<std::string> rules(beyond_names().begin(), beyond_names().end());
    static const std::array<std::string, 5> texts = {
        "keeps the value of the last key", "goes on with the slope of the curve",
        "repeats the keys; jumps where start and end differ",
        "repeats the keys from where they ended, as for one who walks on", "plays the keys forth and back"};
    ImGui::SetNextItemWidth(-70);
    ui::choice("Before", tool.before, rules, texts);
    ui::tip("what the curve does before its first key");
    ImGui::SetNextItemWidth(-70);
    ui::choice("After", tool.after, rules, texts);
    ui::tip("what the curve does after its last key");
    float range[2] = {static_cast<float>(tool.from), static_cast<float>(tool.to)};
    ImGui::SetNextItemWidth(-70);
    if (ImGui::DragFloat2("Range", range, 0.02f, -60, 600, "%.2f s", ImGuiSliderFlags_AlwaysClamp)) {
        tool.from = static_cast<double>(range[0]);
        tool.to = static_cast<double>(range[1]);
    }
    ui::mark("Range");
    ui::control("Range");
    ui::tip("start and end of the range in which keys are baked; before 0, the whole clip begins later");
    ui::toggle("All joints", tool.extend_all);
    ui::tip("else the selected joint alone");
    ImGui::SameLine(124);
    const bool some = state.playing_clip() != nullptr && (tool.extend_all || joint >= 0);
    if (ui::button("Bake range", some, -1)) extend_clip(state);
    ui::tip("files of clips hold no such rule: keys are set a frame apart over the range");
}

void limits_panel(State& state, int joint) {
    if (!ui::section("Joint limits", false)) return;
    const model::Skeleton& skeleton = state.character().skeleton;
    if (joint < 0) {
        ImGui::TextDisabled("select a joint");
    } else {
        std::optional<model::JointLimits> limits = skeleton.joints[static_cast<std::size_t>(joint)].limits;
        bool on = limits.has_value();
        if (ui::toggle("Limit this joint", on))
            set_limits(state, joint, on ? std::optional(limits_of_clip(state, joint)) : std::nullopt);
        ui::tip("its angles are counted from the rest pose then; bands in the curve editor show the limits");
        static bool again = false;
        if (limits) {
            bool changed = drag_degrees("Min", limits->low);
            ui::tip("smallest angles about x, y and z, in degrees");
            bool active = ImGui::IsItemActive();
            changed = drag_degrees("Max", limits->high) || changed;
            ui::tip("largest angles about x, y and z, in degrees");
            active = active || ImGui::IsItemActive();
            limits->high = limits->high.cwiseMax(limits->low);
            if (changed) set_limits(state, joint, limits, again);
            again = active && (again || changed);
        }
        if (ui::button("As in the clip", state.playing_clip() != nullptr, ui::part_width(2)))
            set_limits(state, joint, limits_of_clip(state, joint));
        ui::tip("limits that just hold what the clip does with this joint");
        ImGui::SameLine();
    }
    if (ui::button("Limit clip", state.playing_clip() != nullptr, -1)) limit_clip(state);
    ui::tip("brings the clip within the limits of all joints");
}

}  // namespace sinew::studio
