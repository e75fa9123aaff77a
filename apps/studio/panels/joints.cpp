// SPDX-License-Identifier: MIT
// The page Joints: where they are, what they hang from, how they are called.

#include <array>

#include "actions.h"
#include "panels.h"
#include "rig_edit.h"
#include "ui.h"
#include <imgui_stdlib.h>

namespace sinew::studio {
namespace {

void placing(State& state) {
    if (!ui::section("Place")) return;
    JointTool& tool = state.joint_tool;
    ImGui::PushTextWrapPos(0);
    ImGui::TextDisabled("Drag a joint in the picture.");
    ImGui::PopTextWrapPos();
    ui::toggle("Symmetry", tool.symmetry);
    ui::tip("the joint on the other side moves along");
    ImGui::SameLine(140);
    ui::toggle("Middle", tool.center);
    ui::tip("to the middle of the volume under the mouse");
    ui::toggle("Carry children", tool.carry);
    ui::tip("everything below moves along; otherwise it stays where it is");
    if (state.document.confidence) {
        ImGui::SameLine(140);
        ui::toggle("Confidence", state.view.confidence);
        ui::tip("green: sure; red: deserves a look");
    }
}

void structure(State& state, int joint) {
    if (!ui::section("Change")) return;
    JointTool& tool = state.joint_tool;
    const bool any = joint >= 0;
    const model::Skeleton& skeleton = state.character().skeleton;
    const int parent = any ? skeleton.joints[static_cast<std::size_t>(joint)].parent : -1;
    const std::string name = any ? skeleton.joints[static_cast<std::size_t>(joint)].name : "";
    ui::field("Joint", any ? name : "none: click one");
    ImGui::SetNextItemWidth(-90);
    ImGui::InputTextWithHint("##Name", "new name", &tool.name);
    ui::mark("Name");
    ImGui::SameLine();
    if (ui::button("Rename", any && !tool.name.empty(), -1)) {
        const std::string wanted = tool.name;
        edit_rig(state, "rename joint",
                 [&](const model::Character& c) { return rig::rename_joint(c, joint, wanted); });
        state.selection = {SelectionKind::joint, state.character().skeleton.find(wanted)};
        tool.name.clear();
    }
    ImGui::SetNextItemWidth(-90);
    ui::slider("On the bone", tool.part, 0.05, 0.95);
    const float half = ui::part_width(2);
    if (ui::button("Insert above", any && parent >= 0, half))
        edit_rig(state, "insert joint", [&](const model::Character& c) {
            return rig::insert_joint(c, joint, tool.part, tool.name.empty() ? name + "Twist" : tool.name);
        });
    ui::tip("a new joint between this one and its parent; it moves no skin");
    ImGui::SameLine();
    if (ui::button("Split bone", any, half))
        edit_rig(state, "split bone",
                 [&](const model::Character& c) { return rig::split_joint(c, joint, tool.part); });
    ui::tip("the bone of this joint becomes two, which share its weights");
    if (ui::button("Delete", any, half))
        edit_rig(state, "delete joint",
                 [&](const model::Character& c) { return rig::delete_joint(c, joint); });
    ui::tip("children and weights go to the parent");
    ImGui::SameLine();
    if (ui::button("Merge up", any && parent >= 0, half))
        edit_rig(state, "merge joints",
                 [&](const model::Character& c) { return rig::merge_joints(c, joint, parent); });
    ui::tip("it becomes part of its parent, with its weights");
    std::vector<std::string> parents = {"(root)"};
    for (const model::Joint& other : skeleton.joints) parents.push_back(other.name);
    int chosen = parent + 1;
    ImGui::BeginDisabled(!any);
    ImGui::SetNextItemWidth(-90);
    if (ui::choice("Parent", chosen, parents) && any)
        edit_rig(state, "change parent",
                 [&](const model::Character& c) { return rig::reparent_joint(c, joint, chosen - 1); });
    ImGui::EndDisabled();
    if (ui::button("Make it the root", any && parent >= 0, -1))
        edit_rig(state, "change root", [&](const model::Character& c) { return rig::reroot(c, joint); });
}

void whole(State& state) {
    if (!ui::section("All joints")) return;
    const bool some = state.character().has_skeleton();
    const float half = ui::part_width(2);
    if (ui::button("Left to right", some, half))
        edit_rig(state, "mirror joints",
                 [](const model::Character& c) { return rig::mirror_joints(c, model::Side::left); });
    ImGui::SameLine();
    if (ui::button("Right to left", some, half))
        edit_rig(state, "mirror joints",
                 [](const model::Character& c) { return rig::mirror_joints(c, model::Side::right); });
    if (ui::button("Axes along bones", some, half))
        edit_rig(state, "orient joints",
                 [](const model::Character& c) { return rig::orient_joints(c, rig::JointFrames::bone); });
    ImGui::SameLine();
    if (ui::button("Axes of world", some, half))
        edit_rig(state, "orient joints",
                 [](const model::Character& c) { return rig::orient_joints(c, rig::JointFrames::world); });
    static const std::array<std::string, 4> names = {"Sinew", "Mixamo", "VRM", "Unreal"};
    int convention = -1;
    ImGui::BeginDisabled(!some);
    ImGui::SetNextItemWidth(-90);
    if (ui::choice("Names of", convention, names))
        edit_rig(state, "rename joints", [&](const model::Character& c) {
            model::Character named = c;
            rig::rename_joints(named.skeleton, static_cast<rig::JointNames>(convention));
            return named;
        });
    ImGui::EndDisabled();
    const bool bindable = some && state.character().has_mesh() && !state.job.running();
    if (ui::button("Bind the skin again", bindable, -1)) bind_skin(state);
    ui::tip("weights by the method of the page Body, for the joints as they are now");
}

}  // namespace

void joints_page(State& state) {
    if (!state.character().has_skeleton()) {
        ImGui::Spacing();
        ImGui::TextWrapped("There is no skeleton yet. The page Body finds one.");
        return;
    }
    placing(state);
    structure(state, selected_joint(state));
    whole(state);
}

}  // namespace sinew::studio
