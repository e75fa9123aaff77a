// SPDX-License-Identifier: MIT
#include "studio.h"

#include <algorithm>
#include <array>

#include "actions.h"
#include "keys.h"
#include "panels/panels.h"
#include "shortcuts.h"
#include "ui.h"
#include "view_marks.h"

#include "sinew/base/error.h"

namespace sinew::studio {
namespace {

constexpr float left_width = 300, right_width = 290, timeline_height = 78, status_height = 28;
constexpr float lane_height = 22, curves_height = 230;
/// After this time without input a better picture is drawn.
constexpr double rest_seconds = 0.15;

Pointer pointer_of(const ViewArea& area, bool hovered) {
    const ImGuiIO& io = ImGui::GetIO();
    Pointer pointer;
    pointer.position = {io.MousePos.x - area.left, io.MousePos.y - area.top};
    pointer.inside = hovered;
    pointer.left = io.MouseDown[0];
    pointer.right = io.MouseDown[1];
    pointer.middle = io.MouseDown[2];
    pointer.shift = io.KeyShift;
    pointer.ctrl = io.KeyCtrl;
    pointer.wheel = io.MouseWheel;
    pointer.double_click = ImGui::IsMouseDoubleClicked(0);
    pointer.axis_key = io.WantTextInput ? -1 : held_axis();
    return pointer;
}

}  // namespace

Studio::Studio() : state_(std::make_unique<State>()) {}

bool Studio::busy() const {
    const State& state = *state_;
    return state.timeline.playing || state.job.running() || state.frame_wanted || viewport_.unfinished() ||
           (state.camera_mode.fly && state.camera_mode.velocity != 0);
}

void Studio::touch() {
    touched_ = seconds_now();
}

void Studio::left_panel(float top, float width, float height) {
    State& state = *state_;
    ui::begin_panel("##left", {0, top}, {width, height});
    constexpr std::array pages = {"Body", "Joints", "Weights", "Motion", "Measure"};
    int page = static_cast<int>(state.page);
    if (ui::segments("Page", page, pages)) show_page(state, static_cast<Page>(page));
    guide_panel(state);
    switch (state.page) {
        case Page::body:
            rig_panel(state);
            display_panel(state);
            skin_panel(state);
            camera_panel(state);
            break;
        case Page::joints:
            joints_page(state);
            break;
        case Page::weights:
            weights_page(state);
            break;
        case Page::motion:
            motion_page(state);
            break;
        case Page::measure:
            measure_page(state);
            break;
    }
    ui::end_panel();
}

void Studio::right_panel(float left, float top, float width, float height) {
    ui::begin_panel("##right", {left, top}, {width, height});
    if (viewport_.ready(*state_)) selection_panel(*state_, viewport_.posed());
    scene_panel(*state_);
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
        viewport_.draw(state, static_cast<int>(area.width), static_cast<int>(area.height),
                       seconds_now() - touched_ < rest_seconds);
    } catch (const Error& error) {
        state.messages.add(Severity::error, error.what());
    }
    show_pictures(area);
    if (viewport_.ready(state)) draw_marks(state, viewport_.posed(), viewport_.input().rotated());
    ui::end_panel();
    ImGui::PopStyleVar();
}

void Studio::show_pictures(const ViewArea& area) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const auto id = [](unsigned texture) {
        return reinterpret_cast<ImTextureID>(static_cast<std::intptr_t>(texture));
    };
    const float right = area.left + area.width, bottom = area.top + area.height;
    // The texture's first row is the lowest of the picture.
    list.AddImage(id(viewport_.texture()), {area.left, area.top}, {right, bottom}, {0, 1}, {1, 0});
    if (viewport_.other_texture() == 0) return;
    const CompareSettings& compare = state_->compare;
    const float border = area.left + compare.border * area.width;
    list.AddImage(id(viewport_.other_texture()), {border, area.top}, {right, bottom}, {compare.border, 1},
                  {1, 0});
    list.AddLine({border, area.top}, {border, bottom}, IM_COL32(235, 140, 46, 255), 2);
    std::string one(deform::name(state_->skin.method)), two(deform::name(compare.method));
    if (compare.weights) two += ", weights of " + compare.bound_by;
    const ImU32 ink = IM_COL32(235, 235, 235, 255);
    list.AddText({border - ImGui::CalcTextSize(one.c_str()).x - 10, area.top + 8}, ink, one.c_str());
    list.AddText({border + 10, area.top + 8}, ink, two.c_str());
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
    // By the clock, independent of the time of the motion: this is the time that a user waits.
    const double now = seconds_now();
    double& shown = state_->times.frame;
    if (last_frame_ > 0) shown = shown == 0 ? now - last_frame_ : 0.9 * shown + 0.1 * (now - last_frame_);
    last_frame_ = now;
}

void Studio::frame(double seconds) {
    State& state = *state_;
    ui::begin_frame();
    use_keys(state.preferences.keys);
    state.job.poll(state);
    advance(state.timeline, seconds);
    measure_frame();
    autosave_.update(state, seconds_now());
    menu_bar(state);
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    const float scale = ImGui::GetIO().FontGlobalScale;
    const float left = scale * left_width, right = scale * right_width;
    const float below = scale * (timeline_height + (has_lane(state) ? lane_height : 0));
    const float curves = state.motion_tool.curves ? scale * curves_height : 0;
    const float top = ImGui::GetFrameHeight(), status = scale * status_height;
    const float height = std::max(screen.y - top - below - status, 32.0f);
    const float width = std::max(screen.x - left - right, 32.0f);
    view({left, top, width, std::max(height - curves, 32.0f)}, seconds);
    left_panel(top, left, height);
    right_panel(left + width, top, right, height);
    if (curves > 0) {
        ui::begin_panel("##curves", {left, top + height - curves}, {width, curves});
        curve_editor(state);
        ui::end_panel();
    }
    ui::begin_panel("##timeline", {0, top + height}, {screen.x, below});
    timeline_panel(state);
    ui::end_panel();
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {12, 5});
    ui::begin_panel("##status", {0, top + height + below}, {screen.x, status});
    status_bar(state);
    ui::end_panel();
    ImGui::PopStyleVar();
    dialogs(state);
    save_picture();
}

}  // namespace sinew::studio
