// SPDX-License-Identifier: MIT
#include <array>

#include "actions.h"
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
    ui::tip("how the mesh is drawn", "M");
    ImGui::TextDisabled("Skeleton");
    segments("Skeleton", view.skeleton, skeletons);
    ui::tip("hidden, over the mesh, or seen through it", "K");
    ImGui::TextDisabled("Click selects");
    segments("Pick", view.pick, targets);
    color_choice(state);
    ui::toggle("Transparent", view.transparent);
    ui::tip("lets the inside show", "B");
    ImGui::SameLine(140);
    ImGui::SetNextItemWidth(-1);
    if (ui::slider("##Opacity", view.opacity, 0.05f, 0.95f)) view.transparent = true;
    ui::toggle("Floor", view.floor);
    ui::tip("a grid to stand on");
    ImGui::SameLine(140);
    ui::toggle("Axes", view.axes);
    ui::tip("x red, y green, z blue");
    ui::toggle("Shadows", view.shadows);
    ui::tip("of the body on the floor and on itself");
    ImGui::SameLine(140);
    ui::toggle("All boxes", view.all_boxes);
    ui::tip("a box around every part");
    ui::toggle("Joint names", view.names);
    ui::tip("beside the joints in the view");
    ImGui::SameLine(140);
    bool smooth = view.samples > 1;
    if (ui::toggle("Smooth", smooth)) view.samples = smooth ? 4 : 1;
    ui::tip("smooth edges: four samples per pixel");
    ui::toggle("Light backdrop", view.light);
    ui::tip("a light background, as for a printed page");
    ImGui::SameLine(140);
    ImGui::SetNextItemWidth(-1);
    ui::slider("##Lamp", view.lamp, -180, 180, "light %.0f\xc2\xb0");
    ui::tip("turns the lights around the body");
    if (state.document.trial && !state.document.trial->platforms.empty()) ui::toggle("Forces", view.forces);
    ui::toggle("Draft while moving", view.adaptive);
    ui::tip("draws less detail while moving, if the full picture is slower than 25 frames per second");
}

}  // namespace sinew::studio
