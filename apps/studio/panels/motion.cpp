// SPDX-License-Identifier: MIT
// The page Motion: complete clips, keys, dragged limbs, and the source of the motion.

#include <algorithm>
#include <array>

#include "actions.h"
#include "motion_edit.h"
#include "motion_import.h"
#include "motion_layer.h"
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
    ui::tip("the part that Trim keeps begins at this time");
    ImGui::SameLine();
    if (ui::button("End here", some, half)) tool.trim_end = timeline.time;
    ui::tip("the part that Trim keeps ends at this time");
    if (ui::button(fmt::format("Trim to {:.2f} .. {:.2f} s###Trim", tool.trim_start, tool.trim_end).c_str(),
                   some, -1)) {
        trim_clip(state, tool.trim_start, tool.trim_end);
        tool.trim_start = tool.trim_end = 0;
    }
    if (ui::button("Make a loop", some, half)) loop_clip(state);
    ui::tip("finds the part that repeats best and joins its end to its start");
    ImGui::SameLine();
    if (ui::button("Mirror", some, half)) mirror_clip(state);
    ui::tip("exchanges left and right");
    if (ui::button("Reduce keys", some, half)) reduce_clip(state, tool.tolerance);
    ui::tip("largest error, as a fraction of the size of the body");
    ImGui::SameLine();
    ImGui::SetNextItemWidth(-1);
    ui::slider("##tolerance", tool.tolerance, 0.0002, 0.02, "%.4f");
    if (ui::button("Smooth at 6 Hz", some, half)) smooth_clip(state, 6);
    ui::tip("low-pass filter without delay: takes the noise of markers away");
    ImGui::SameLine();
    if (ui::button("Copy clip", some, half)) {
        model::Clip copy = *state.playing_clip();
        copy.name += " copy";
        add_clip(state, "copy clip", std::move(copy));
    }
    ui::tip("the copy can be changed while the clip stays");
    if (ui::button("Arm space", some, half)) widen_arms(state, tool.arm_space);
    ui::tip("turns the arms away from the body in the whole clip, so that hands do not go through it");
    ImGui::SameLine();
    ImGui::SetNextItemWidth(-1);
    ui::slider("##degrees", tool.arm_space, -30, 30, "%.0f degrees");
}

/// A layer with few keys over a clip with many.
void layers(State& state) {
    if (!ui::section("Layers", shown_layer(state) != nullptr || state.motion_tool.layer)) return;
    MotionTool& tool = state.motion_tool;
    const MotionLayer* layer = shown_layer(state);
    if (ui::toggle("Keys go to a layer", tool.layer)) tool.key = -1;
    ui::tip(
        "for captured motion, which has a key in every frame: the clip stays as it is, and few keys over it "
        "change it");
    ImGui::SetNextItemWidth(-110);
    ui::slider("Ease", tool.ease, 0, 2, "%.2f s");
    ui::tip("a pose that is keyed comes and goes in this time; 0 keeps it");
    static bool again = false;
    ImGui::BeginDisabled(layer == nullptr);
    double weight = layer != nullptr ? layer->weight : 1;
    ImGui::SetNextItemWidth(-110);
    if (ui::slider("Layer weight", weight, 0, 1)) {
        set_layer_weight(state, weight, again);
        again = true;
    }
    if (!ImGui::IsItemActive()) again = false;
    ImGui::EndDisabled();
    const float half = ui::part_width(2);
    if (ui::button("Merge layer", layer != nullptr, half)) merge_layer(state);
    ui::tip("the keys become part of the clip");
    ImGui::SameLine();
    if (ui::button("Discard layer", layer != nullptr, half)) discard_layer(state);
    ui::tip("the clip is as it was");
}

/// Combines two clips to one.
void combining(State& state, int joint) {
    const auto& clips = state.character().clips;
    if (clips.size() < 2 || !ui::section("Combine", false)) return;
    MotionTool& tool = state.motion_tool;
    std::vector<std::string> names;
    for (const model::Clip& clip : clips) names.push_back(clip.name.empty() ? "unnamed" : clip.name);
    tool.other = std::clamp(tool.other, 0, static_cast<int>(clips.size()) - 1);
    ImGui::SetNextItemWidth(-90);
    ui::choice("With clip", tool.other, names);
    ImGui::SetNextItemWidth(-90);
    ui::slider("Its weight", tool.weight, 0, 1);
    ImGui::SetNextItemWidth(-90);
    ui::slider("Fade", tool.fade, 0, 2, "%.2f s");
    ui::toggle("In step", tool.in_step);
    ui::tip("walks: left foot strikes of both come together");
    const bool some = state.playing_clip() != nullptr && tool.other != state.clip;
    const float third = ui::part_width(3);
    if (ui::button("Mix", some, third)) mix_with(state, tool.other);
    ui::tip("both at once, by weight");
    ImGui::SameLine();
    if (ui::button("Layer", some, third)) layer_over(state, tool.other, joint);
    ui::tip("the other clip over this one: from the selected joint downwards, or everywhere");
    ImGui::SameLine();
    if (ui::button("Append", some, third)) append_clip(state, tool.other);
    ui::tip("the other clip follows this one");
}

void keys(State& state, int joint) {
    if (!ui::section("Keys")) return;
    MotionTool& tool = state.motion_tool;
    const model::Clip* clip = edited_clip(state);
    const bool some = clip != nullptr && joint >= 0;
    constexpr std::array properties = {"Position", "Rotation"};
    ui::segments("Property", tool.property, properties);
    ui::toggle("Curves", tool.curves);
    ui::tip("opens the curve editor above the timeline");
    const std::vector<double> times = shown_keys(state);
    ImGui::SameLine(140);
    ImGui::TextDisabled(some ? "%d keys" : "select a joint", static_cast<int>(times.size()));
    const float half = ui::part_width(2);
    const KeyProperty property = shown_property(state);
    if (ui::button("Add key", some, half)) {
        const double time = state.timeline.time;
        edit_keys(state, "add key", [&](const model::Clip& old) {
            model::Clip changed = old;
            tool.key = static_cast<int>(add_key(changed, edited_skeleton(state), joint, property, time));
            return changed;
        });
    }
    ImGui::SameLine();
    const bool chosen = tool.key >= 0 && static_cast<std::size_t>(tool.key) < times.size();
    if (ui::button("Delete key", some && chosen, half)) delete_shown_key(state);
    ui::tip("the last key of a joint stays", "Delete");
    if (!some || !chosen) return;
    static const std::array<std::string, 3> modes = {"step", "linear", "cubic"};
    int mode = static_cast<int>(interpolation_of(*clip, joint, property));
    ImGui::SetNextItemWidth(-90);
    if (ui::choice("Interpolation", mode, modes))
        edit_keys(state, "interpolation", [&](const model::Clip& old) {
            model::Clip changed = old;
            set_interpolation(changed, joint, property, static_cast<model::Interpolation>(mode));
            return changed;
        });
    if (ui::button("Smooth tangents", mode == static_cast<int>(model::Interpolation::cubic), -1))
        edit_keys(state, "smooth tangents", [&](const model::Clip& old) {
            model::Clip changed = old;
            smooth_key(changed, joint, property, static_cast<std::size_t>(tool.key));
            return changed;
        });
    ui::tip("the curve goes smoothly through this key again");
    const double time = times[static_cast<std::size_t>(tool.key)];
    const auto now = key_values(*edited_clip(state), edited_skeleton(state), joint, property, time);
    float numbers[3] = {static_cast<float>(now[0]), static_cast<float>(now[1]), static_cast<float>(now[2])};
    ImGui::SetNextItemWidth(-1);
    static bool again = false;
    if (ImGui::DragFloat3("##value", numbers, property == KeyProperty::rotation ? 0.5f : 0.005f, 0, 0,
                          property == KeyProperty::rotation ? "%.1f" : "%.3f")) {
        edit_keys(
            state, "change key",
            [&](const model::Clip& old) {
                model::Clip changed = old;
                set_curve_key(changed, edited_skeleton(state), joint, property,
                              static_cast<std::size_t>(tool.key), {numbers[0], numbers[1], numbers[2]});
                return changed;
            },
            again);
        again = true;
    }
    if (!ImGui::IsItemActive()) again = false;
    ui::control("##value");
    ui::tip("degrees about the axes of the parent, or metres");
}

void limbs(State& state, int joint) {
    if (!ui::section("Pose")) return;
    MotionTool& tool = state.motion_tool;
    ui::toggle("Drag limbs", tool.drag_ends);
    ui::tip("inverse kinematics: drag a hand or a foot");
    ImGui::SameLine(140);
    bool pinned = tool.pins.contains(joint);
    ImGui::BeginDisabled(joint < 0);
    if (ui::toggle("Pin this joint", pinned)) {
        if (pinned)
            tool.pins.insert(joint);
        else
            tool.pins.erase(joint);
    }
    ui::tip("keeps its position while other joints are dragged");
    ImGui::EndDisabled();
    const float half = ui::part_width(2);
    if (ui::button("Key pose", !state.pose.empty() && state.playing_clip() != nullptr, half))
        key_this_pose(state);
    ui::tip(state.motion_tool.layer ? "sets keys of the layer for the changed pose at this time"
                                    : "sets keys for the changed pose at this time");
    ImGui::SameLine();
    if (ui::button("Bake to clip", !state.pose.empty(), half)) bake_pose(state);
    ImGui::SetNextItemWidth(-110);
    ui::slider("Onion skins", state.view.onion, 0, 5);
    ui::tip("skeletons of earlier (blue) and later (orange) frames");
    ImGui::SetNextItemWidth(-110);
    ui::slider("Frames between", state.view.onion_step, 1, 30);
}

void retargeting(State& state) {
    if (!ui::section("Retarget")) return;
    if (!state.document.motion) {
        ImGui::TextWrapped("Open a motion (BVH, AMC, C3D ...): it is retargeted to this character.");
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
    combining(state, joint);
    layers(state);
    keys(state, joint);
    limbs(state, joint);
    retargeting(state);
    extend_panel(state, joint);
    limits_panel(state, joint);
}

}  // namespace sinew::studio
