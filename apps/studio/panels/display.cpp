// SPDX-License-Identifier: MIT
#include <array>

#include "actions.h"
#include "keys.h"
#include "panels.h"
#include "ui.h"

namespace sinew::studio {
namespace {

template <class Value>
bool segments(const char* name, Value& value, std::span<const char* const> labels) {
    int number = static_cast<int>(value);
    const bool changed = ui::segments(name, number, labels);
    value = static_cast<Value>(number);
    return changed;
}

void color_choice(State& state) {
    static const std::array<std::string, 5> names = {"Materials", "Clay", "Parts", "Weights",
                                                     "Weights of one joint"};
    int coloring = static_cast<int>(state.view.coloring);
    ImGui::SetNextItemWidth(-70);
    ui::choice("Colour", coloring, names);
    state.view.coloring = static_cast<Coloring>(coloring);
    if (state.view.coloring == Coloring::joint_weights) {
        const int joint = selected_joint(state);
        ImGui::TextDisabled(
            "%s", joint < 0
                      ? "select a joint or a part"
                      : state.character().skeleton.joints[static_cast<std::size_t>(joint)].name.c_str());
    }
}

}  // namespace

void display_panel(State& state) {
    if (!ui::section("Display")) return;
    ViewSettings& view = state.view;
    constexpr std::array modes = {"Points", "Wire", "Solid", "Edges"};
    constexpr std::array skeletons = {"Hidden", "Over", "X-ray"};
    constexpr std::array targets = {"Anything", "Skeleton", "Surface"};
    ImGui::TextDisabled("Mesh");
    segments("Mesh", view.mode, modes);
    ImGui::TextDisabled("Skeleton");
    segments("Skeleton", view.skeleton, skeletons);
    ImGui::TextDisabled("Click selects");
    segments("Pick", view.pick, targets);
    color_choice(state);
    ui::toggle("Transparent", view.transparent);
    ImGui::SameLine(140);
    ImGui::SetNextItemWidth(-1);
    if (ui::slider("##Opacity", view.opacity, 0.05f, 0.95f)) view.transparent = true;
    ui::toggle("Floor", view.floor);
    ImGui::SameLine(140);
    ui::toggle("Axes", view.axes);
    ui::toggle("Shadows", view.shadows);
    ImGui::SameLine(140);
    ui::toggle("All boxes", view.all_boxes);
    ui::toggle("Joint names", view.names);
    ImGui::SameLine(140);
    bool smooth = view.samples > 1;
    if (ui::toggle("Smooth", smooth)) view.samples = smooth ? 4 : 1;
    if (state.document.trial && !state.document.trial->platforms.empty()) ui::toggle("Forces", view.forces);
    ui::toggle("Simpler while it moves", view.adaptive);
    ui::tip("where the full picture takes too long for 25 frames a second");
}

void camera_panel(State& state) {
    if (!ui::section("Camera", false)) return;
    const float width = (ImGui::GetContentRegionAvail().x - 3 * ImGui::GetStyle().ItemSpacing.x) / 4;
    if (ui::button("Front", true, width)) look_from(state, render::View::front);
    ImGui::SameLine();
    if (ui::button("Left", true, width)) look_from(state, render::View::left);
    ImGui::SameLine();
    if (ui::button("Above", true, width)) look_from(state, render::View::top);
    ImGui::SameLine();
    if (ui::button("All", true, width)) look_at_all(state);
    ui::toggle("Follow pelvis", state.camera_mode.follow);
    ImGui::SameLine(140);
    if (ui::toggle("Fly", state.camera_mode.fly)) state.camera_mode.velocity = 0;
}

}  // namespace sinew::studio
