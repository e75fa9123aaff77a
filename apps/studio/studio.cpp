// SPDX-License-Identifier: MIT
#include "studio.h"

#include <algorithm>
#include <chrono>

#include "keys.h"
#include "panels/panels.h"
#include "ui.h"
#include "view_marks.h"

#include "sinew/base/error.h"

namespace sinew::studio {
namespace {

constexpr float left_width = 300, right_width = 290, timeline_height = 78, status_height = 28;

Pointer pointer_of(const ViewArea& area, bool hovered) {
    const ImGuiIO& io = ImGui::GetIO();
    Pointer pointer;
    pointer.position = {io.MousePos.x - area.left, io.MousePos.y - area.top};
    pointer.inside = hovered;
    pointer.left = io.MouseDown[0];
    pointer.right = io.MouseDown[1];
    pointer.middle = io.MouseDown[2];
    pointer.shift = io.KeyShift;
    pointer.wheel = io.MouseWheel;
    pointer.double_click = ImGui::IsMouseDoubleClicked(0);
    pointer.axis_key = io.WantTextInput ? -1 : held_axis();
    return pointer;
}

}  // namespace

Studio::Studio() : state_(std::make_unique<State>()) {}

bool Studio::busy() const {
    const State& state = *state_;
    return state.timeline.playing || state.job.running() || state.frame_wanted ||
           (state.camera_mode.fly && state.camera_mode.velocity != 0);
}

void Studio::left_panel(float top, float width, float height) {
    ui::begin_panel("##left", {0, top}, {width, height});
    display_panel(*state_);
    rig_panel(*state_);
    skin_panel(*state_);
    camera_panel(*state_);
    ui::end_panel();
}

void Studio::right_panel(float left, float top, float width, float height) {
    ui::begin_panel("##right", {left, top}, {width, height});
    if (viewport_.ready(*state_)) selection_panel(*state_, viewport_.posed());
    geometry_panel(*state_);
    joints_panel(*state_);
    messages_panel(*state_);
    ui::end_panel();
}

void Studio::view(const ViewArea& area, double seconds) {
    State& state = *state_;
    state.area = area;
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
    ui::begin_panel("##view", {area.left, area.top}, {area.width, area.height});
    ImGui::InvisibleButton("##Viewport", {area.width, area.height},
                           ImGuiButtonFlags_MouseButtonLeft | ImGuiButtonFlags_MouseButtonRight |
                               ImGuiButtonFlags_MouseButtonMiddle);
    ui::mark("Viewport");
    const Pointer pointer = pointer_of(area, ImGui::IsItemHovered());
    const render::PictureArea picture{area.width, area.height};
    if (viewport_.ready(state)) viewport_.input().update(state, viewport_.posed(), picture, pointer);
    handle_keys(state, seconds);
    move_camera(state, seconds);
    try {
        viewport_.draw(state, static_cast<int>(area.width), static_cast<int>(area.height));
    } catch (const Error& error) {
        state.messages.add(Severity::error, error.what());
    }
    // The texture's first row is the lowest of the picture.
    ImGui::GetWindowDrawList()->AddImage(
        reinterpret_cast<ImTextureID>(static_cast<std::intptr_t>(viewport_.texture())), {area.left, area.top},
        {area.left + area.width, area.top + area.height}, {0, 1}, {1, 0});
    if (viewport_.ready(state)) draw_marks(state, viewport_.posed());
    ui::end_panel();
    ImGui::PopStyleVar();
}

void Studio::save_picture() {
    State& state = *state_;
    if (state.picture_path.empty()) return;
    try {
        render::save_png(state.picture_path, viewport_.picture());
        state.messages.add(Severity::note, "wrote " + state.picture_path);
    } catch (const Error& error) {
        state.messages.add(Severity::error, error.what());
    }
    state.picture_path.clear();
}

void Studio::measure_frame() {
    // By the clock, whatever time the motion is told: this is what a person waits.
    const double now =
        std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
    double& shown = state_->times.frame;
    if (last_frame_ > 0) shown = shown == 0 ? now - last_frame_ : 0.9 * shown + 0.1 * (now - last_frame_);
    last_frame_ = now;
}

void Studio::frame(double seconds) {
    State& state = *state_;
    ui::begin_frame();
    state.job.poll(state);
    advance(state.timeline, seconds);
    measure_frame();
    menu_bar(state);
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    const float top = ImGui::GetFrameHeight();
    const float height = std::max(screen.y - top - timeline_height - status_height, 32.0f);
    const float width = std::max(screen.x - left_width - right_width, 32.0f);
    view({left_width, top, width, height}, seconds);
    left_panel(top, left_width, height);
    right_panel(left_width + width, top, right_width, height);
    ui::begin_panel("##timeline", {0, top + height}, {screen.x, timeline_height});
    timeline_panel(state);
    ui::end_panel();
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {12, 5});
    ui::begin_panel("##status", {0, top + height + timeline_height}, {screen.x, status_height});
    status_bar(state);
    ui::end_panel();
    ImGui::PopStyleVar();
    dialogs(state);
    save_picture();
}

}  // namespace sinew::studio
