// SPDX-License-Identifier: MIT
// The page Motion: clips as a whole, keys, limbs that are dragged, and where the motion came from.

#include <array>
#include <cmath>

#include "actions.h"
#include "motion_edit.h"
#include "motion_import.h"
#include "panels.h"
#include "ui.h"

namespace sinew::studio {
namespace {

void whole_clip(State& state) {
    if (!ui::section("Clip")) return;
    MotionTool& tool = state.motion_tool;
    const Timeline& timeline = state.timeline;
    const bool some = state.playing_clip() != nullptr && !timeline.empty();
    if (tool.trim_end <= tool.trim_start || tool.trim_end > timeline.end + 1e-6) {
        tool.trim_start = timeline.start;
        tool.trim_end = timeline.end;
    }
    const float half = ui::part_width(2);
    if (ui::button("Start here", some, half)) tool.trim_start = timeline.time;
    ImGui::SameLine();
    if (ui::button("End here", some, half)) tool.trim_end = timeline.time;
    if (ui::button(fmt::format("Trim to {:.2f} .. {:.2f} s###Trim", tool.trim_start, tool.trim_end).c_str(),
                   some, -1)) {
        trim_clip(state, tool.trim_start, tool.trim_end);
        tool.trim_start = tool.trim_end = 0;
    }
    if (ui::button("Make a loop", some, half)) loop_clip(state);
    ui::tip("the part that repeats best, with its end bent to meet its start");
    ImGui::SameLine();
    if (ui::button("Mirror", some, half)) mirror_clip(state);
    ui::tip("left becomes right");
    if (ui::button("Fewer keys", some, half)) reduce_clip(state, tool.tolerance);
    ui::tip("no point moves farther than this part of the body's size");
    ImGui::SameLine();
    ImGui::SetNextItemWidth(-1);
    ui::slider("##tolerance", tool.tolerance, 0.0002, 0.02, "%.4f");
    if (ui::button("Smooth at 6 Hz", some, half)) smooth_clip(state, 6);
    ImGui::SameLine();
    if (ui::button("Copy clip", some, half)) {
        model::Clip copy = *state.playing_clip();
        copy.name += " copy";
        add_clip(state, "copy clip", std::move(copy));
    }
}

void keys(State& state, int joint) {
    if (!ui::section("Keys")) return;
    MotionTool& tool = state.motion_tool;
    const model::Clip* clip = state.playing_clip();
    const bool some = clip != nullptr && joint >= 0;
    constexpr std::array properties = {"Position", "Rotation"};
    ui::segments("Property", tool.property, properties);
    ui::toggle("Curves", tool.curves);
    ui::tip("the editor over the timeline");
    const std::vector<double> times = shown_keys(state);
    ImGui::SameLine(140);
    ImGui::TextDisabled(some ? "%d keys" : "select a joint", static_cast<int>(times.size()));
    const float half = ui::part_width(2);
    const KeyProperty property = shown_property(state);
    if (ui::button("Add key", some, half)) {
        const double time = state.timeline.time;
        edit_clip(state, "add key", [&](const model::Clip& old) {
            model::Clip changed = old;
            tool.key = static_cast<int>(add_key(changed, state.character().skeleton, joint, property, time));
            return changed;
        });
    }
    ImGui::SameLine();
    const bool chosen = tool.key >= 0 && static_cast<std::size_t>(tool.key) < times.size();
    if (ui::button("Delete key", some && chosen, half)) {
        edit_clip(state, "delete key", [&](const model::Clip& old) {
            model::Clip changed = old;
            delete_key(changed, joint, property, static_cast<std::size_t>(tool.key));
            return changed;
        });
        tool.key = -1;
    }
    if (!some || !chosen) return;
    static const std::array<std::string, 3> modes = {"hold", "straight", "smooth"};
    int mode = static_cast<int>(interpolation_of(*clip, joint, property));
    ImGui::SetNextItemWidth(-90);
    if (ui::choice("Between", mode, modes))
        edit_clip(state, "interpolation", [&](const model::Clip& old) {
            model::Clip changed = old;
            set_interpolation(changed, joint, property, static_cast<model::Interpolation>(mode));
            return changed;
        });
    const double time = times[static_cast<std::size_t>(tool.key)];
    const auto now = key_values(*state.playing_clip(), state.character().skeleton, joint, property, time);
    float numbers[3] = {static_cast<float>(now[0]), static_cast<float>(now[1]), static_cast<float>(now[2])};
    ImGui::SetNextItemWidth(-1);
    static bool again = false;
    if (ImGui::DragFloat3("##value", numbers, property == KeyProperty::rotation ? 0.5f : 0.005f, 0, 0,
                          property == KeyProperty::rotation ? "%.1f" : "%.3f")) {
        edit_clip(
            state, "change key",
            [&](const model::Clip& old) {
                model::Clip changed = old;
                set_key(changed, joint, property, static_cast<std::size_t>(tool.key),
                        {numbers[0], numbers[1], numbers[2]});
                return changed;
            },
            again);
        again = true;
    }
    if (!ImGui::IsItemActive()) again = false;
    ui::tip("degrees about x, y and z of its parent, or metres");
}

void limbs(State& state, int joint) {
    if (!ui::section("Pose")) return;
    MotionTool& tool = state.motion_tool;
    ui::toggle("Drag limbs", tool.drag_ends);
    ui::tip("a hand or a foot that is dragged bends its limb");
    ImGui::SameLine(140);
    bool pinned = tool.pins.contains(joint);
    ImGui::BeginDisabled(joint < 0);
    if (ui::toggle("Pin this joint", pinned)) {
        if (pinned)
            tool.pins.insert(joint);
        else
            tool.pins.erase(joint);
    }
    ui::tip("it stays where it is while others are dragged");
    ImGui::EndDisabled();
    const float half = ui::part_width(2);
    if (ui::button("Key here", !state.pose.empty() && state.playing_clip() != nullptr, half))
        key_this_pose(state);
    ui::tip("the changed pose becomes keys at this time");
    ImGui::SameLine();
    if (ui::button("Into clip", !state.pose.empty(), half)) bake_pose(state);
    ui::tip("the change holds for the whole clip");
    ImGui::SetNextItemWidth(-110);
    ui::slider("Onion skins", state.view.onion, 0, 5);
    ui::tip("skeletons of moments before (blue) and after (orange)");
    ImGui::SetNextItemWidth(-110);
    ui::slider("Frames between", state.view.onion_step, 1, 30);
}

void retargeting(State& state) {
    if (!ui::section("Retarget")) return;
    if (!state.document.motion) {
        ImGui::TextWrapped("Open a motion (BVH, AMC, C3D ...): it goes onto this character.");
        return;
    }
    const ImportedMotion& motion = *state.document.motion;
    int mapped = 0;
    for (const int source : motion.map) mapped += source >= 0;
    ui::field("Motion", motion.source.path.filename().string());
    ui::field("Joints", fmt::format("{} of {} follow", mapped, motion.map.size()));
    ui::field("Map", motion.by_itself ? "by name and role" : "by hand");
    if (ui::button("Joint map ...", true, -1)) ask_for_joint_map(state);
}

}  // namespace

void motion_page(State& state) {
    const int joint = selected_joint(state);
    whole_clip(state);
    keys(state, joint);
    limbs(state, joint);
    retargeting(state);
}

}  // namespace sinew::studio
