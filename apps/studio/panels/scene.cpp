// SPDX-License-Identifier: MIT
// The characters of the scene, and the stored views.

#include "actions.h"
#include "cast.h"
#include "keys.h"
#include "panels.h"
#include "ui.h"

namespace sinew::studio {
namespace {

void saved_views(State& state) {
    if (ui::button("Keep this view", true, -1)) keep_view(state);
    ui::tip("remembers where the camera stands", "Shift+F5");
    for (std::size_t i = 0; i < state.views.size(); ++i) {
        ImGui::PushID(static_cast<int>(i));
        const std::string& name = state.views[i].name;
        if (ui::button(name.c_str(), true, ImGui::GetContentRegionAvail().x - 40)) go_to_view(state, i);
        ui::tip("back to this view", i < 4 ? fmt::format("F{}", 5 + i).c_str() : nullptr);
        ImGui::SameLine();
        const bool forget = ui::button(("x###forget " + name).c_str(), true, -1);
        ui::tip("forgets this view");
        ImGui::PopID();
        if (forget) {
            forget_view(state, i);
            break;
        }
    }
}

}  // namespace

void camera_panel(State& state) {
    if (!ui::section("Camera", false)) return;
    const float width = ui::part_width(4);
    if (ui::button("Front", true, width)) look_from(state, render::View::front);
    ui::tip("from the front", "1");
    ImGui::SameLine();
    if (ui::button("Left", true, width)) look_from(state, render::View::left);
    ui::tip("from its left", "3");
    ImGui::SameLine();
    if (ui::button("Above", true, width)) look_from(state, render::View::top);
    ui::tip("from above", "7");
    ImGui::SameLine();
    if (ui::button("All", true, width)) look_at_all(state);
    ui::tip("everything in view", "F");
    ui::toggle("Follow pelvis", state.camera_mode.follow);
    ui::tip("the camera goes along", "P");
    ImGui::SameLine(140);
    if (ui::toggle("Fly", state.camera_mode.fly)) state.camera_mode.velocity = 0;
    ui::tip("arrow keys rotate in place, W and S change the speed", "V");
    saved_views(state);
}

void scene_panel(State& state) {
    if (!ui::section("Scene", actor_count(state) > 1)) return;
    for (int i = 0; i < actor_count(state); ++i) {
        ImGui::PushID(i);
        const std::string name = actor_name(state, i);
        bool shown = !actor_hidden(state, i);
        if (ImGui::Checkbox("##shown", &shown)) hide_actor(state, i, !shown);
        ui::mark("show/" + name);
        ui::control("show/" + name);
        ui::tip("shown or hidden");
        ImGui::SameLine();
        if (ImGui::Selectable(name.c_str(), i == state.cast.active)) choose_actor(state, i);
        ui::mark("actor/" + name);
        ui::tip("the panels are about this one");
        ImGui::PopID();
    }
    const float half = ui::part_width(2);
    if (ui::button("Add ...", !state.job.running(), half)) {
        state.adding = true;
        state.dialog = Dialog::open;
    }
    ui::tip("opens another character beside this one, with its own motion");
    ImGui::SameLine();
    if (ui::button("Remove", actor_count(state) > 1, half)) remove_actor(state);
    ui::tip("takes the selected character out of the scene");
}

}  // namespace sinew::studio
