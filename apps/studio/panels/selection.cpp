// SPDX-License-Identifier: MIT
#include <array>
#include <memory>
#include <utility>

#include "actions.h"
#include "joint_limits.h"
#include "panels.h"
#include "rig_edit.h"
#include "shared/plural.h"
#include "stage.h"
#include "ui.h"
#include <imgui_stdlib.h>

#include "sinew/base/text.h"
#include "sinew/math/quaternion.h"

namespace sinew::studio {
namespace {

using app::with_commas;

std::string numbers(const Vec3d& v) {
    return fmt::format("{:.3f}  {:.3f}  {:.3f}", v.x(), v.y(), v.z());
}

const std::string& name_of_joint(const State& state, int joint) {
    return state.character().skeleton.joints[static_cast<std::size_t>(joint)].name;
}

void show_part(const State& state, const PosedBody& posed) {
    const BodyPart& part = state.document.parts->parts[static_cast<std::size_t>(state.selection.index)];
    const OrientedBox box = part_box(state, posed, state.selection.index);
    ui::field("Part", part.name);
    ui::field("Vertices", with_commas(part.vertices.size()));
    ui::field("Faces", with_commas(part.triangles));
    ui::field("Box", numbers(2 * box.half));
    ui::field("Centre", numbers(box.centre));
    ui::field("Main axis", numbers(box.axes.col(0)));
}

std::size_t vertices_moved(State& state, int joint) {
    MovedVertices& known = state.moved;
    if (known.character == state.document.character && known.joint == joint) return known.count;
    known = {state.document.character, joint, 0};
    const model::Skin& skin = state.character().skin;
    for (const model::Influence& influence : skin.influences)
        known.count += skin.joints[influence.joint].joint == joint;
    return known.count;
}

void show_joint(State& state, const PosedBody& posed, int joint) {
    const auto index = static_cast<std::size_t>(joint);
    const model::Joint& info = state.character().skeleton.joints[index];
    ui::field("Joint", info.name);
    ui::field("Parent", info.parent < 0 ? "none" : name_of_joint(state, info.parent));
    if (state.page != Page::joints) ui::field("Position", numbers(posed.world[index].topRightCorner<3, 1>()));
    if (state.character().has_skin())
        ui::field("Moves", with_commas(vertices_moved(state, joint)) + " vertices");
}

void show_bone(const State& state, const PosedBody& posed) {
    const auto bones = model::bones(state.character().skeleton, posed.world);
    const auto index = static_cast<std::size_t>(state.selection.index);
    if (index >= bones.size()) return;
    const model::Bone& bone = bones[index];
    ui::field("Bone", fmt::format("{} to {}", name_of_joint(state, bone.joint),
                                  bone.end_joint < 0 ? "its tip" : name_of_joint(state, bone.end_joint)));
    ui::field("Length", fmt::format("{:.4f}", (bone.end - bone.start).norm()));
}

/// The rest position as three numbers: the same as a drag in the view.
void edit_position(State& state, const PosedBody& posed, int joint) {
    const Vec3d now = posed.world[static_cast<std::size_t>(joint)].topRightCorner<3, 1>();
    float position[3] = {static_cast<float>(now.x()), static_cast<float>(now.y()),
                         static_cast<float>(now.z())};
    static std::unique_ptr<JointDrag> drag;
    ImGui::SetNextItemWidth(-60);
    const bool moved =
        ImGui::DragFloat3("Position", position, 0.001f * scene_size(state.document), 0, 0, "%.4f");
    ui::mark("Position");
    ui::control("Position");
    ui::tip("rest position in metres, with Symmetry and Carry children as in the view; double click to type");
    if (moved) {
        if (!drag) drag = std::make_unique<JointDrag>(state, joint);
        drag->move(state, {static_cast<double>(position[0]), static_cast<double>(position[1]),
                           static_cast<double>(position[2])});
    }
    if (!ImGui::IsItemActive() && drag) std::exchange(drag, nullptr)->end(state);
}

/// The rotation as three angles, the same as in the curve editor.
void edit_rotation(State& state, int joint) {
    const model::Skeleton& skeleton = state.character().skeleton;
    const auto index = static_cast<std::size_t>(joint);
    const AngleFrame frame = angle_frame(skeleton, joint);
    const std::vector<Transform> below = pose_below(state);
    const auto found = state.pose.offsets.find(joint);
    const Quatd offset = found == state.pose.offsets.end() ? Quatd::Identity() : found->second.rotation;
    // During a drag the typed angles are kept: the same rotation has several triples.
    static float degrees[3];
    static bool held = false;
    if (!held) {
        const Vec3d now = to_degrees(frame, below[index].rotation * offset);
        for (int axis = 0; axis < 3; ++axis)
            degrees[axis] = std::abs(now[axis]) < 0.05 ? 0.0f : static_cast<float>(now[axis]);
    }
    ImGui::SetNextItemWidth(-60);
    const bool changed = ImGui::DragFloat3("Rotation", degrees, 0.5f, 0, 0, "%.1f");
    held = ImGui::IsItemActive();
    ui::mark("Rotation");
    ui::control("Rotation");
    ui::tip(frame.limited ? "degrees about x, y and z from the rest pose; double click to type"
                          : "degrees about x, y and z of the parent; double click to type");
    if (ImGui::IsItemActivated()) remember(state, "rotate");
    if (!changed) return;
    const std::array<double, 3> wanted = within_limits(
        skeleton, joint,
        {static_cast<double>(degrees[0]), static_cast<double>(degrees[1]), static_cast<double>(degrees[2])});
    state.pose.offsets[joint].rotation =
        (below[index].rotation.conjugate() * to_rotation(frame, {wanted[0], wanted[1], wanted[2]}))
            .normalized();
}

/// Input fields: rotations about the axes, a translation, a scale.
void edit_joint(State& state, int joint) {
    constexpr std::array spaces = {"World axes", "Own axes"};
    int space = static_cast<int>(state.edit.space);
    ui::segments("Space", space, spaces);
    ui::tip("axes of the world, or of the joint", "G");
    state.edit.space = static_cast<Space>(space);
    static constexpr std::array labels = {"X", "Y", "Z"};
    ImGui::AlignTextToFramePadding();
    ImGui::TextDisabled("Rotate by");
    ImGui::SameLine(86);
    ImGui::SetNextItemWidth(-1);
    ImGui::InputDouble("##step", &state.edit.step, 0, 0, "%.2f degrees");
    ui::control("##step");
    const float width = (ImGui::GetContentRegionAvail().x - 5 * ImGui::GetStyle().ItemSpacing.x) / 6;
    for (int axis = 0; axis < 3; ++axis)
        for (const int sign : {-1, 1}) {
            if (axis > 0 || sign > 0) ImGui::SameLine();
            const std::string label =
                fmt::format("{}{}", sign < 0 ? "-" : "+", labels[static_cast<std::size_t>(axis)]);
            if (ui::button(label.c_str(), true, width)) rotate_selected(state, axis, sign * state.edit.step);
            ui::tip(fmt::format("rotates about {}; the axis of the keys is {}",
                                labels[static_cast<std::size_t>(axis)],
                                labels[static_cast<std::size_t>(state.edit.axis)])
                        .c_str(),
                    sign < 0 ? "[" : "]");
        }
    edit_rotation(state, joint);
    const auto found = state.pose.offsets.find(joint);
    const Transform now = found == state.pose.offsets.end() ? Transform{} : found->second;
    float move[3] = {static_cast<float>(now.translation.x()), static_cast<float>(now.translation.y()),
                     static_cast<float>(now.translation.z())};
    auto factor = static_cast<float>(now.scale.x());
    ImGui::SetNextItemWidth(-60);
    const bool moved = ImGui::DragFloat3("Move", move, 0.002f * scene_size(state.document), 0, 0, "%.3f");
    ui::mark("Move");
    ui::control("Move");
    if (ImGui::IsItemActivated()) remember(state, "move joint");
    if (moved) state.pose.offsets[joint].translation = {move[0], move[1], move[2]};
    ImGui::SetNextItemWidth(-60);
    const bool scaled = ui::slider("Scale", factor, 0.2f, 3);
    // A press on a slider changes it immediately: the step begins before it.
    if (ImGui::IsItemActivated()) remember(state, "scale joint");
    if (scaled) state.pose.offsets[joint].scale.setConstant(factor);
    const float half = (ImGui::GetContentRegionAvail().x - ImGui::GetStyle().ItemSpacing.x) / 2;
    if (ui::button("Reset joint", found != state.pose.offsets.end(), half)) {
        remember(state, "reset joint");
        state.pose.offsets.erase(joint);
    }
    ImGui::SameLine();
    if (ui::button("Bake to clip", !state.pose.empty(), half)) bake_pose(state);
}

}  // namespace

void selection_panel(State& state, const PosedBody& posed) {
    if (!ui::section("Selection")) return;
    if (!state.selection) {
        ImGui::TextDisabled("click a joint, a bone or a part");
        return;
    }
    if (state.selection.kind == SelectionKind::part) show_part(state, posed);
    if (state.selection.kind == SelectionKind::bone) show_bone(state, posed);
    const int joint = selected_joint(state);
    if (joint < 0) return;
    show_joint(state, posed, joint);
    ImGui::Spacing();
    if (state.page == Page::joints) return edit_position(state, posed, joint);
    edit_joint(state, joint);
}

void joints_panel(State& state) {
    const model::Skeleton& skeleton = state.character().skeleton;
    const auto& parts = state.document.parts->parts;
    if (!ui::section("Joints and parts", false)) return;
    static std::string search;
    ImGui::SetNextItemWidth(-1);
    ImGui::InputTextWithHint("##Find joint", "search", &search);
    ui::mark("Find joint");
    ui::control("##Find joint");
    const auto wanted = [&](const std::string& name) {
        return search.empty() || to_lower(name).find(to_lower(search)) != std::string::npos;
    };
    ImGui::BeginChild("list", {0, 200});
    std::vector<int> depth(skeleton.size(), 0);
    for (std::size_t j = 0; j < skeleton.size(); ++j) {
        const int parent = skeleton.joints[j].parent;
        depth[j] = parent < 0 ? 0 : depth[static_cast<std::size_t>(parent)] + 1;
        if (!wanted(skeleton.joints[j].name)) continue;
        const Selection self{SelectionKind::joint, static_cast<int>(j)};
        ImGui::PushID(static_cast<int>(j));
        ImGui::Indent(static_cast<float>(10 * depth[j] + 1));
        if (ImGui::Selectable(skeleton.joints[j].name.c_str(), state.selection == self))
            state.selection = self;
        ui::mark("tree/" + skeleton.joints[j].name);
        ImGui::Unindent(static_cast<float>(10 * depth[j] + 1));
        ImGui::PopID();
    }
    for (std::size_t p = 0; !state.character().has_skin() && p < parts.size(); ++p) {
        if (!wanted(parts[p].name)) continue;
        const Selection self{SelectionKind::part, static_cast<int>(p)};
        ImGui::PushID(static_cast<int>(skeleton.size() + p));
        if (ImGui::Selectable(parts[p].name.c_str(), state.selection == self)) state.selection = self;
        ImGui::PopID();
    }
    ImGui::EndChild();
}

void geometry_panel(State& state) {
    if (!ui::section("Geometry")) return;
    // Influence sets take long on large meshes: they are computed only when something has changed, and not
    // during a drag.
    static std::shared_ptr<const BodyParts> counted;
    const bool same = state.described == state.document.character && counted == state.document.parts;
    if (!same && !ImGui::IsMouseDown(0)) {
        state.described = state.document.character;
        counted = state.document.parts;
        state.description = describe(state.document);
    }
    const std::vector<std::string>& lines = state.description;
    ImGui::PushTextWrapPos(0);
    for (const std::string& line : lines) ImGui::TextUnformatted(line.c_str());
    ImGui::PopTextWrapPos();
    if (ui::button("Print", !lines.empty()))
        for (const std::string& line : lines) fmt::print("{}\n", line);
}

void messages_panel(State& state) {
    const int errors = state.messages.count(Severity::error),
              warnings = state.messages.count(Severity::warning);
    const std::string title = fmt::format("Messages ({} errors, {} warnings)###Messages", errors, warnings);
    if (!ui::section(title.c_str())) return;
    for (const Message& message : state.messages.list()) {
        const ImVec4 color = message.severity == Severity::error     ? ImVec4(0.95f, 0.42f, 0.36f, 1)
                             : message.severity == Severity::warning ? ImVec4(0.93f, 0.73f, 0.36f, 1)
                                                                     : ImVec4(0.62f, 0.65f, 0.70f, 1);
        ImGui::PushStyleColor(ImGuiCol_Text, color);
        ImGui::PushTextWrapPos(0);
        const std::string code = message.code.empty() ? "" : message.code + ": ";
        const std::string count = message.count > 1 ? fmt::format(" ({} times)", message.count) : "";
        ImGui::TextUnformatted((code + message.text + count).c_str());
        ImGui::PopTextWrapPos();
        ImGui::PopStyleColor();
    }
    if (!state.messages.list().empty() && ui::button("Clear")) state.messages.clear();
}

}  // namespace sinew::studio
