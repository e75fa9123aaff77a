// SPDX-License-Identifier: MIT
#include "keys.h"

#include <algorithm>
#include <array>

#include "actions.h"
#include "gait_work.h"
#include "motion_edit.h"
#include "rig_edit.h"
#include "shortcuts.h"
#include <SDL_scancode.h>
#include <fmt/format.h>
#include <imgui.h>

namespace sinew::studio {
namespace {

constexpr std::array all_keys = {
    KeyHelp{"left drag", "orbit"},
    KeyHelp{"right or middle drag, Shift + left drag", "pan"},
    KeyHelp{"wheel", "zoom"},
    KeyHelp{"click", "select a joint, a bone or a part"},
    KeyHelp{"Ctrl + click", "on the page Weights: choose the joint that moves this skin"},
    KeyHelp{"arrow keys", "heading and pitch of the camera"},
    KeyHelp{"W, S", "forward and backward; in fly mode faster and slower"},
    KeyHelp{"A, D", "left and right"},
    KeyHelp{"V", "fly mode: arrow keys rotate the camera in place"},
    KeyHelp{"P", "follow the pelvis"},
    KeyHelp{"F, double click", "frame everything"},
    KeyHelp{"1, 3, 7, 0", "front, left, top, three-quarter view"},
    KeyHelp{"F5 to F8", "back to a view that was kept; with Shift, keep this view"},
    KeyHelp{"M", "points, wire, solid, solid with edges"},
    KeyHelp{"K", "skeleton hidden, over the mesh, inside (x-ray)"},
    KeyHelp{"B", "transparent mesh"},
    KeyHelp{"Space", "play or pause"},
    KeyHelp{", and .", "previous and next frame"},
    KeyHelp{"Home, End", "first and last frame"},
    KeyHelp{"C", "next clip"},
    KeyHelp{"L", "loop"},
    KeyHelp{"X, Y, Z", "choose the axis; hold and drag to move the joint along it"},
    KeyHelp{"[ and ]", "rotate the selected joint about the axis"},
    KeyHelp{"G", "world axes or joint axes"},
    KeyHelp{"R", "reset the pose"},
    KeyHelp{"- and =", "smaller and larger brush"},
    KeyHelp{"Delete", "delete the selected joint, key or gait event, by the page"},
    KeyHelp{"F1", "first steps"},
    KeyHelp{"I", "print a summary of the file"},
    KeyHelp{"Esc", "clear the selection"},
    KeyHelp{"Ctrl+O, Ctrl+S, Ctrl+E", "open, save as a project, export"},
    KeyHelp{"Ctrl+Z, Ctrl+Y", "undo, redo"},
    KeyHelp{"Ctrl+Q", "quit"},
};

bool arrow(SDL_Scancode key) {
    return ImGui::IsKeyDown(key);
}

void move_by_keys(State& state, double seconds) {
    const auto angle = static_cast<float>(1.2 * seconds);
    const float heading = angle * static_cast<float>(arrow(SDL_SCANCODE_LEFT) - arrow(SDL_SCANCODE_RIGHT));
    const float pitch = angle * static_cast<float>(arrow(SDL_SCANCODE_UP) - arrow(SDL_SCANCODE_DOWN));
    if (state.camera_mode.fly)
        render::look(state.camera, heading, pitch);
    else
        render::orbit(state.camera, -heading, -pitch);
    const auto forward = static_cast<float>(is_held("W") - is_held("S"));
    const auto side = static_cast<float>(is_held("D") - is_held("A"));
    const float step = scene_size(state.document) * static_cast<float>(seconds);
    if (state.camera_mode.fly)
        state.camera_mode.velocity =
            std::clamp(state.camera_mode.velocity + forward * static_cast<float>(seconds), -3.0f, 3.0f);
    else
        render::advance(state.camera, 0.8f * forward * step);
    state.camera.target += orientation(state.camera) * Vec3f(0.5f * side * step, 0, 0);
}

void view_keys(State& state) {
    if (pressed("V")) {
        state.camera_mode.fly = !state.camera_mode.fly;
        state.camera_mode.velocity = 0;
    }
    if (pressed("P")) state.camera_mode.follow = !state.camera_mode.follow;
    if (pressed("F")) look_at_all(state);
    if (pressed("1")) look_from(state, render::View::front);
    if (pressed("3")) look_from(state, render::View::left);
    if (pressed("7")) look_from(state, render::View::top);
    if (pressed("0")) look_from(state, render::View::three_quarter);
    if (pressed("Shift+F5")) keep_view(state);
    constexpr std::array kept = {"F5", "F6", "F7", "F8"};
    for (std::size_t i = 0; i < kept.size(); ++i) {
        if (!pressed(kept[i])) continue;
        if (ImGui::GetIO().KeyShift)
            keep_view(state);
        else
            go_to_view(state, i);
    }
    if (pressed("M")) next_mode(state);
    if (pressed("K")) next_skeleton_mode(state);
    if (pressed("B")) state.view.transparent = !state.view.transparent;
    if (ImGui::IsKeyPressed(SDL_SCANCODE_ESCAPE, false)) state.selection = {};
    if (pressed("I"))
        for (const std::string& line : describe(state.document)) fmt::print("{}\n", line);
}

void play_keys(State& state) {
    Timeline& timeline = state.timeline;
    if (pressed("Space")) toggle_play(timeline);
    if (pressed(",", true)) step(timeline, -1);
    if (pressed(".", true)) step(timeline, 1);
    if (pressed("Home")) seek(timeline, timeline.start);
    if (pressed("End")) seek(timeline, timeline.end);
    if (pressed("L")) timeline.loop = !timeline.loop;
    const auto clips = static_cast<int>(state.character().clips.size());
    if (pressed("C") && clips > 0) choose_clip(state, (state.clip + 1) % clips);
}

/// Deletes the subject of the page: a joint, a key, an event of a walk.
void delete_selected(State& state) {
    const int joint = selected_joint(state);
    if (state.page == Page::joints && joint >= 0)
        edit_rig(state, "delete joint",
                 [&](const model::Character& c) { return rig::delete_joint(c, joint); });
    if (state.page == Page::motion) delete_shown_key(state);
    if (state.page == Page::measure) delete_selected_event(state);
}

void edit_keys(State& state) {
    if (const int axis = held_axis(); axis >= 0 && !ImGui::GetIO().KeyCtrl) state.edit.axis = axis;
    if (pressed("[", true)) rotate_selected(state, state.edit.axis, -state.edit.step);
    if (pressed("]", true)) rotate_selected(state, state.edit.axis, state.edit.step);
    if (pressed("G")) state.edit.space = state.edit.space == Space::global ? Space::local : Space::global;
    if (pressed("R")) reset_pose(state);
    WeightTool& tool = state.weight_tool;
    if (pressed("-", true)) tool.radius = std::max(tool.radius / 1.15f, 0.005f);
    if (pressed("=", true)) tool.radius = std::min(tool.radius * 1.15f, 0.3f);
    if (pressed("F1")) state.dialog = Dialog::first_steps;
    if (pressed("Delete")) delete_selected(state);
}

void command_keys(State& state) {
    if (pressed("Ctrl+Z")) undo(state);
    if (pressed("Ctrl+Y")) redo(state);
    if (pressed("Ctrl+O")) state.dialog = Dialog::open;
    if (pressed("Ctrl+S") && !state.document.empty()) ask_for_project(state);
    if (pressed("Ctrl+E")) state.dialog = Dialog::write;
    if (pressed("Ctrl+Q")) ask_to_quit(state);
}

}  // namespace

std::span<const KeyHelp> key_table() {
    return all_keys;
}

void look_from(State& state, render::View view) {
    const render::ViewAxes axes = render::axes_of(view);
    render::Camera camera;
    camera.target = state.camera.target;
    camera.eye = camera.target + axes.backward;
    camera.up = axes.up;
    const render::OrbitCamera rotated = render::orbit_of(camera);
    state.camera.heading = rotated.heading;
    state.camera.pitch = rotated.pitch;
    look_at_all(state);
}

int held_axis() {
    return is_held("X") ? 0 : is_held("Y") ? 1 : is_held("Z") ? 2 : -1;
}

void handle_keys(State& state, double seconds) {
    const ImGuiIO& io = ImGui::GetIO();
    if (io.WantTextInput || state.dialog != Dialog::none) return;
    command_keys(state);
    if (!io.KeyCtrl) move_by_keys(state, seconds);
    view_keys(state);
    play_keys(state);
    edit_keys(state);
}

void move_camera(State& state, double seconds) {
    if (!state.camera_mode.fly) return;
    render::advance(state.camera,
                    state.camera_mode.velocity * static_cast<float>(seconds) * scene_size(state.document));
}

void follow(render::OrbitCamera& camera, const Vec3f& from, const Vec3f& to) {
    // Along the floor only: a camera that follows the vertical motion of each step causes motion sickness.
    camera.target += Vec3f(to.x() - from.x(), 0, to.z() - from.z());
}

}  // namespace sinew::studio
