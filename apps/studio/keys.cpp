// SPDX-License-Identifier: MIT
#include "keys.h"

#include <algorithm>
#include <array>

#include "actions.h"
#include "rig_edit.h"
#include <SDL_scancode.h>
#include <fmt/format.h>
#include <imgui.h>

namespace sinew::studio {
namespace {

constexpr std::array table = {
    KeyHelp{"left drag", "orbit"},
    KeyHelp{"right or middle drag, Shift + left drag", "pan"},
    KeyHelp{"wheel", "zoom"},
    KeyHelp{"click", "select a joint, a bone or a part"},
    KeyHelp{"arrow keys", "heading and pitch of the camera"},
    KeyHelp{"W, S", "forward and back; in fly mode faster and slower"},
    KeyHelp{"A, D", "left and right"},
    KeyHelp{"V", "fly mode: arrows turn on the spot"},
    KeyHelp{"P", "follow the pelvis"},
    KeyHelp{"F, double click", "look at all of it"},
    KeyHelp{"1, 3, 7, 0", "from the front, the left, above, three-quarter"},
    KeyHelp{"M", "points, wire, solid, solid with edges"},
    KeyHelp{"K", "skeleton hidden, over the mesh, inside (x-ray)"},
    KeyHelp{"B", "transparent mesh"},
    KeyHelp{"Space", "play and pause"},
    KeyHelp{", and .", "a frame back and on"},
    KeyHelp{"Home, End", "first and last frame"},
    KeyHelp{"C", "next clip"},
    KeyHelp{"L", "loop"},
    KeyHelp{"X, Y, Z", "choose the axis; held, a drag moves the joint along it"},
    KeyHelp{"[ and ]", "turn the selected joint about the axis"},
    KeyHelp{"G", "axes of the world or of the joint"},
    KeyHelp{"R", "reset the pose"},
    KeyHelp{"- and =", "smaller and larger brush"},
    KeyHelp{"Delete", "on the page Joints: take the selected joint out"},
    KeyHelp{"F1", "first steps"},
    KeyHelp{"I", "print what the file holds"},
    KeyHelp{"Esc", "select nothing"},
    KeyHelp{"Ctrl+O, Ctrl+S, Ctrl+E", "open, save as a project, export"},
    KeyHelp{"Ctrl+Z, Ctrl+Y", "undo, redo"},
    KeyHelp{"Ctrl+Q", "quit"},
};

bool held(SDL_Scancode key) {
    return ImGui::IsKeyDown(key);
}

bool hit(SDL_Scancode key) {
    return ImGui::IsKeyPressed(key, false);
}

bool tapped(SDL_Scancode key) {
    return ImGui::IsKeyPressed(key, true);
}

void move_by_keys(State& state, double seconds) {
    const auto angle = static_cast<float>(1.2 * seconds);
    const float heading = angle * static_cast<float>(held(SDL_SCANCODE_LEFT) - held(SDL_SCANCODE_RIGHT));
    const float pitch = angle * static_cast<float>(held(SDL_SCANCODE_UP) - held(SDL_SCANCODE_DOWN));
    if (state.camera_mode.fly)
        render::look(state.camera, heading, pitch);
    else
        render::orbit(state.camera, -heading, -pitch);
    const auto forward = static_cast<float>(held(SDL_SCANCODE_W) - held(SDL_SCANCODE_S));
    const auto side = static_cast<float>(held(SDL_SCANCODE_D) - held(SDL_SCANCODE_A));
    const float step = scene_size(state.document) * static_cast<float>(seconds);
    if (state.camera_mode.fly)
        state.camera_mode.velocity =
            std::clamp(state.camera_mode.velocity + forward * static_cast<float>(seconds), -3.0f, 3.0f);
    else
        render::advance(state.camera, 0.8f * forward * step);
    state.camera.target += orientation(state.camera) * Vec3f(0.5f * side * step, 0, 0);
}

void view_keys(State& state) {
    if (hit(SDL_SCANCODE_V)) {
        state.camera_mode.fly = !state.camera_mode.fly;
        state.camera_mode.velocity = 0;
    }
    if (hit(SDL_SCANCODE_P)) state.camera_mode.follow = !state.camera_mode.follow;
    if (hit(SDL_SCANCODE_F)) look_at_all(state);
    if (hit(SDL_SCANCODE_1)) look_from(state, render::View::front);
    if (hit(SDL_SCANCODE_3)) look_from(state, render::View::left);
    if (hit(SDL_SCANCODE_7)) look_from(state, render::View::top);
    if (hit(SDL_SCANCODE_0)) look_from(state, render::View::three_quarter);
    if (hit(SDL_SCANCODE_M)) next_mode(state);
    if (hit(SDL_SCANCODE_K)) next_skeleton_mode(state);
    if (hit(SDL_SCANCODE_B)) state.view.transparent = !state.view.transparent;
    if (hit(SDL_SCANCODE_ESCAPE)) state.selection = {};
    if (hit(SDL_SCANCODE_I))
        for (const std::string& line : describe(state.document)) fmt::print("{}\n", line);
}

void play_keys(State& state) {
    Timeline& timeline = state.timeline;
    if (hit(SDL_SCANCODE_SPACE)) toggle_play(timeline);
    if (tapped(SDL_SCANCODE_COMMA)) step(timeline, -1);
    if (tapped(SDL_SCANCODE_PERIOD)) step(timeline, 1);
    if (hit(SDL_SCANCODE_HOME)) seek(timeline, timeline.start);
    if (hit(SDL_SCANCODE_END)) seek(timeline, timeline.end);
    if (hit(SDL_SCANCODE_L)) timeline.loop = !timeline.loop;
    const auto clips = static_cast<int>(state.character().clips.size());
    if (hit(SDL_SCANCODE_C) && clips > 0) choose_clip(state, (state.clip + 1) % clips);
}

void edit_keys(State& state) {
    if (const int axis = held_axis(); axis >= 0) state.edit.axis = axis;
    if (tapped(SDL_SCANCODE_LEFTBRACKET)) rotate_selected(state, state.edit.axis, -state.edit.step);
    if (tapped(SDL_SCANCODE_RIGHTBRACKET)) rotate_selected(state, state.edit.axis, state.edit.step);
    if (hit(SDL_SCANCODE_G))
        state.edit.space = state.edit.space == Space::global ? Space::local : Space::global;
    if (hit(SDL_SCANCODE_R)) reset_pose(state);
    WeightTool& tool = state.weight_tool;
    if (tapped(SDL_SCANCODE_MINUS)) tool.radius = std::max(tool.radius / 1.15f, 0.005f);
    if (tapped(SDL_SCANCODE_EQUALS)) tool.radius = std::min(tool.radius * 1.15f, 0.3f);
    if (hit(SDL_SCANCODE_F1)) state.dialog = Dialog::first_steps;
    if (hit(SDL_SCANCODE_DELETE) && state.page == Page::joints && selected_joint(state) >= 0) {
        const int joint = selected_joint(state);
        edit_rig(state, "delete joint",
                 [&](const model::Character& c) { return rig::delete_joint(c, joint); });
    }
}

void command_keys(State& state) {
    if (hit(SDL_SCANCODE_Z)) undo(state);
    if (hit(SDL_SCANCODE_Y)) redo(state);
    if (hit(SDL_SCANCODE_O)) state.dialog = Dialog::open;
    if (hit(SDL_SCANCODE_S) && !state.document.empty()) ask_for_project(state);
    if (hit(SDL_SCANCODE_E)) state.dialog = Dialog::write;
    if (hit(SDL_SCANCODE_Q)) ask_to_quit(state);
}

}  // namespace

std::span<const KeyHelp> key_table() {
    return table;
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
    return held(SDL_SCANCODE_X) ? 0 : held(SDL_SCANCODE_Y) ? 1 : held(SDL_SCANCODE_Z) ? 2 : -1;
}

void handle_keys(State& state, double seconds) {
    const ImGuiIO& io = ImGui::GetIO();
    if (io.WantTextInput || state.dialog != Dialog::none) return;
    if (io.KeyCtrl) {
        command_keys(state);
        return;
    }
    move_by_keys(state, seconds);
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
    // Along the floor only: a camera that bobs with every step makes seasick.
    camera.target += Vec3f(to.x() - from.x(), 0, to.z() - from.z());
}

}  // namespace sinew::studio
