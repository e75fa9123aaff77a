// SPDX-License-Identifier: MIT
// The lane under the ruler: keys of the selected joint, or events of the walk, which can be dragged.

#include <algorithm>
#include <cmath>

#include "actions.h"
#include "gait_work.h"
#include "motion_edit.h"
#include "motion_layer.h"
#include "panels.h"
#include "ui.h"

namespace sinew::studio {
namespace {

constexpr float reach_pixels = 7;  ///< pixels

bool shows_events(const State& state) {
    return state.document.gait && state.document.gait->analysis &&
           (state.page == Page::measure || selected_joint(state) < 0);
}

/// The object that is dragged.
struct Dragged {
    int index = -1;
    double time = 0;
    bool moved = false;
};
Dragged dragged;

struct Lane {
    ImVec2 low, size;
    double start = 0, end = 1;
    float x(double time) const {
        return low.x + size.x * static_cast<float>((time - start) / std::max(end - start, 1e-9));
    }
    double time(float px) const { return start + (end - start) * static_cast<double>((px - low.x) / size.x); }
};

Lane begin_lane(const State& state) {
    Lane lane;
    lane.low = ImGui::GetCursorScreenPos();
    lane.size = {std::max(ImGui::GetContentRegionAvail().x, 50.0f), 18 * ImGui::GetIO().FontGlobalScale};
    lane.start = state.timeline.start;
    lane.end = std::max(state.timeline.end, lane.start + 1e-3);
    ImGui::InvisibleButton("##Lane", lane.size);
    ui::mark("Lane");
    return lane;
}

void diamond(ImDrawList& list, float x, float y, float r, ImU32 color) {
    list.AddQuadFilled({x - r, y}, {x, y - r}, {x + r, y}, {x, y + r}, color);
}

int nearest_of(const std::vector<double>& times, const Lane& lane, float mouse) {
    int best = -1;
    float nearest = reach_pixels;
    for (std::size_t i = 0; i < times.size(); ++i)
        if (const float away = std::abs(lane.x(times[i]) - mouse); away < nearest) {
            nearest = away;
            best = static_cast<int>(i);
        }
    return best;
}

void key_lane(State& state, const std::vector<double>& times) {
    const Lane lane = begin_lane(state);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const float y = lane.low.y + lane.size.y / 2;
    MotionTool& tool = state.motion_tool;
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    float last = -100;
    for (std::size_t i = 0; i < times.size(); ++i) {
        const float x = lane.x(times[i]);
        const bool chosen = static_cast<int>(i) == tool.key;
        if (x - last < 3 && !chosen) continue;
        ui::mark_at("key/" + std::to_string(i), {x, y});
        last = x;
        diamond(list, x, y, chosen ? 6.5f : 4.5f,
                chosen                    ? ImGui::GetColorU32(ImGuiCol_CheckMark)
                : state.motion_tool.layer ? IM_COL32(96, 170, 235, 255)
                                          : ImGui::GetColorU32(ImGuiCol_TextDisabled));
    }
    if (ImGui::IsItemHovered())
        ui::tip(state.motion_tool.layer
                    ? "keys of the layer over the selected joint: drag one to another time"
                    : "keys of the selected joint: drag one to another time");
    if (ImGui::IsItemActivated()) {
        dragged = {nearest_of(times, lane, mouse.x), 0, false};
        tool.key = dragged.index;
        if (dragged.index >= 0) seek(state.timeline, times[static_cast<std::size_t>(dragged.index)]);
    }
    if (!ImGui::IsItemActive() || dragged.index < 0 || ImGui::GetIO().MouseDelta.x == 0) return;
    const double time = std::clamp(lane.time(mouse.x), lane.start, lane.end);
    const auto key = static_cast<std::size_t>(dragged.index);
    const int joint = selected_joint(state);
    edit_keys(
        state, "move key",
        [&](const model::Clip& old) {
            model::Clip changed = old;
            move_key(changed, joint, shown_property(state), key, time);
            return changed;
        },
        dragged.moved);
    dragged.moved = true;
}

void event_lane(State& state) {
    const Lane lane = begin_lane(state);
    const auto& events = state.document.gait->analysis->events.events;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    std::vector<double> times;
    int counts[2][2] = {};
    for (std::size_t i = 0; i < events.size(); ++i) {
        const gait::GaitEvent& event = events[i];
        const bool held = ImGui::IsItemActive() && dragged.index == static_cast<int>(i);
        const double time = state.timeline.start + (held ? dragged.time : event.time);
        times.push_back(time);
        const bool left = event.side == model::Side::left, strike = event.kind == gait::GaitEventKind::strike;
        const ImU32 color = left ? IM_COL32(220, 70, 60, 255) : IM_COL32(70, 130, 235, 255);
        const float x = lane.x(time), top = lane.low.y + 2, bottom = lane.low.y + lane.size.y - 2;
        if (strike)
            list.AddTriangleFilled({x - 6, top}, {x + 6, top}, {x, bottom}, color);
        else
            list.AddTriangle({x - 6, bottom}, {x + 6, bottom}, {x, top}, color, 2);
        ui::mark_at(fmt::format("event/{} {}/{}", left ? "left" : "right", strike ? "strike" : "off",
                                counts[left][strike]++),
                    {x, (top + bottom) / 2});
    }
    const int near = nearest_of(times, lane, mouse.x);
    if (ImGui::IsItemHovered() && near >= 0) {
        const gait::GaitEvent& event = events[static_cast<std::size_t>(near)];
        ui::tip(fmt::format("{} by {}: drag to move it, Delete removes it", event_text(event),
                            gait::name_of(event.source))
                    .c_str());
    }
    if (ImGui::IsItemActivated()) {
        dragged = {near, near < 0 ? 0 : events[static_cast<std::size_t>(near)].time, false};
        state.selected_event = near;
        if (near >= 0) seek(state.timeline, times[static_cast<std::size_t>(near)]);
    }
    if (ImGui::IsItemActive() && dragged.index >= 0 && ImGui::GetIO().MouseDelta.x != 0) {
        dragged.time = std::clamp(lane.time(mouse.x), lane.start, lane.end) - state.timeline.start;
        dragged.moved = true;
        seek(state.timeline, state.timeline.start + dragged.time);
    }
    if (ImGui::IsItemDeactivated() && dragged.moved && dragged.index >= 0) {
        const gait::GaitEvent& event = events[static_cast<std::size_t>(dragged.index)];
        change_event(state, {gait::EventEdit::Action::move, event, dragged.time});
        dragged = {};
    }
}

}  // namespace

bool has_lane(const State& state) {
    return shows_events(state) || (state.page == Page::motion && !shown_keys(state).empty());
}

void lane(State& state) {
    if (shows_events(state)) return event_lane(state);
    if (has_lane(state)) key_lane(state, shown_keys(state));
}

}  // namespace sinew::studio
