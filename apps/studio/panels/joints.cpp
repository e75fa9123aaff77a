// SPDX-License-Identifier: MIT
// The page Joints: positions, parents and names.

#include <array>

#include "actions.h"
#include "marks.h"
#include "panels.h"
#include "rig_edit.h"
#include "ui.h"
#include <imgui_stdlib.h>

namespace sinew::studio {
namespace {

void placing(State& state) {
    if (!ui::section("Place joints")) return;
    JointTool& tool = state.joint_tool;
    ImGui::PushTextWrapPos(0);
    ImGui::TextDisabled("Drag a joint in the view.");
    ImGui::PopTextWrapPos();
    ui::toggle("Symmetry", tool.symmetry);
    ui::tip("the joint on the other side moves too");
    ImGui::SameLine(140);
    ui::toggle("Middle", tool.center);
    ui::tip("snap to the middle of the volume under the mouse");
    ui::toggle("Carry children", tool.carry);
    ui::tip("the children move too; otherwise they keep their positions");
    if (state.document.confidence) {
        ImGui::SameLine(140);
        ui::toggle("Confidence", state.view.confidence);
        ui::tip("green: certain; red: check its position");
    }
}

/// Marks on chin, groin, wrists, elbows and knees instead of a method.
void marking(State& state) {
    const auto& marks = state.document.marks;
    if (!ui::section("Marks", !state.character().has_skeleton() || state.joint_tool.mark >= 0)) return;
    const bool mesh = state.character().has_mesh(), idle = !state.job.running();
    ImGui::PushTextWrapPos(0);
    ImGui::TextDisabled(
        "View the body from the front. Click chin, groin, a wrist, an elbow and a knee; "
        "a marked point can be dragged.");
    ImGui::PopTextWrapPos();
    ui::toggle("Both sides", state.joint_tool.symmetry);
    ui::tip("the other side is marked, too");
    const float half = ui::part_width(2);
    const bool placing = state.joint_tool.mark >= 0;
    if (ui::button(placing ? "Stop###Place marks" : "Place marks###Place marks", mesh, half)) {
        if (placing)
            state.joint_tool.mark = -1;
        else
            begin_marks(state);
    }
    ui::tip("from now on, clicks in the view place marks");
    ImGui::SameLine();
    if (ui::button("Clear marks", marks != nullptr, half)) clear_marks(state);
    int placed = 0;
    for (int i = 0; marks && i < mark_count; ++i)
        placed += marks->at[static_cast<std::size_t>(i)].has_value();
    ui::field("Marked", fmt::format("{} of {}", placed, mark_count));
    if (ui::button("Skeleton from marks", marks && marks->complete() && idle, -1)) rig_from_marks(state);
    ui::tip(
        "fits the template of a biped to the marks and binds the skin; Template on the page Body adds "
        "fingers");
}

void structure(State& state, int joint) {
    if (!ui::section("Edit skeleton")) return;
    JointTool& tool = state.joint_tool;
    const bool any = joint >= 0;
    const model::Skeleton& skeleton = state.character().skeleton;
    const int parent = any ? skeleton.joints[static_cast<std::size_t>(joint)].parent : -1;
    const std::string name = any ? skeleton.joints[static_cast<std::size_t>(joint)].name : "";
    ui::field("Joint", any ? name : "none: click one");
    ImGui::SetNextItemWidth(-90);
    ImGui::InputTextWithHint("##Name", "new name", &tool.name);
    ui::mark("Name");
    ui::control("##Name");
    ImGui::SameLine();
    if (ui::button("Rename", any && !tool.name.empty(), -1)) {
        const std::string wanted = tool.name;
        edit_rig(state, "rename joint",
                 [&](const model::Character& c) { return rig::rename_joint(c, joint, wanted); });
        state.selection = {SelectionKind::joint, state.character().skeleton.find(wanted)};
        tool.name.clear();
    }
    ui::tip("gives the selected joint the typed name");
    ImGui::SetNextItemWidth(-90);
    ui::slider("Along bone", tool.part, 0.05, 0.95);
    ui::tip("where a bone is split or gets a joint: 0 is its start, 1 its end");
    const float half = ui::part_width(2);
    if (ui::button("Insert joint", any && parent >= 0, half))
        edit_rig(state, "insert joint", [&](const model::Character& c) {
            return rig::insert_joint(c, joint, tool.part, tool.name.empty() ? name + "Twist" : tool.name);
        });
    ui::tip("a new joint between this one and its parent; it gets no weights");
    ImGui::SameLine();
    if (ui::button("Split bone", any, half))
        edit_rig(state, "split bone",
                 [&](const model::Character& c) { return rig::split_joint(c, joint, tool.part); });
    ui::tip("splits the bone in two, which share its weights");
    if (ui::button("Delete", any, half))
        edit_rig(state, "delete joint",
                 [&](const model::Character& c) { return rig::delete_joint(c, joint); });
    ui::tip("the parent gets its children and weights", "Delete");
    ImGui::SameLine();
    if (ui::button("Merge into parent", any && parent >= 0, half))
        edit_rig(state, "merge joints",
                 [&](const model::Character& c) { return rig::merge_joints(c, joint, parent); });
    ui::tip("merges the joint and its weights into its parent");
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
    ui::tip("makes this joint the root of the tree; nothing moves");
}

void whole(State& state) {
    if (!ui::section("All joints")) return;
    const bool some = state.character().has_skeleton();
    const float half = ui::part_width(2);
    if (ui::button("Left to right", some, half))
        edit_rig(state, "mirror joints",
                 [](const model::Character& c) { return rig::mirror_joints(c, model::Side::left); });
    ui::tip("the right joints go where the left ones are, mirrored");
    ImGui::SameLine();
    if (ui::button("Right to left", some, half))
        edit_rig(state, "mirror joints",
                 [](const model::Character& c) { return rig::mirror_joints(c, model::Side::right); });
    ui::tip("the left joints go where the right ones are, mirrored");
    if (ui::button("Axes along bones", some, half))
        edit_rig(state, "orient joints",
                 [](const model::Character& c) { return rig::orient_joints(c, rig::JointFrames::bone); });
    ui::tip("y points along each bone, as Blender has it; nothing moves");
    ImGui::SameLine();
    if (ui::button("Axes of world", some, half))
        edit_rig(state, "orient joints",
                 [](const model::Character& c) { return rig::orient_joints(c, rig::JointFrames::world); });
    ui::tip("the axes of every joint are those of the world; nothing moves");
    static const std::array<std::string, 5> names = {"as they are", "Sinew", "Mixamo", "VRM", "Unreal"};
    int convention = 0;
    ImGui::BeginDisabled(!some);
    ImGui::SetNextItemWidth(-90);
    if (ui::choice("Naming", convention, names) && convention > 0)
        edit_rig(state, "rename joints", [&](const model::Character& c) {
            model::Character named = c;
            rig::rename_joints(named.skeleton, static_cast<rig::JointNames>(convention - 1));
            return named;
        });
    ImGui::EndDisabled();
    const bool bindable = some && state.character().has_mesh() && !state.job.running();
    if (ui::button("Bind the skin again", bindable, -1)) bind_skin(state);
    ui::tip("computes new weights with the method of the page Body");
}

}  // namespace

void joints_page(State& state) {
    if (!state.character().has_skeleton()) {
        ImGui::Spacing();
        ImGui::TextWrapped("There is no skeleton yet. Find one on the page Body, or mark the body by hand.");
        marking(state);
        return;
    }
    placing(state);
    structure(state, selected_joint(state));
    whole(state);
    marking(state);
}

}  // namespace sinew::studio
