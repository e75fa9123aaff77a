// SPDX-License-Identifier: MIT
// The curve editor: three numbers of the selected joint over time, with their keys.

#include <algorithm>
#include <cmath>

#include "actions.h"
#include "motion_edit.h"
#include "panels.h"
#include "ui.h"

namespace sinew::studio {
namespace {

constexpr ImU32 inks[3] = {IM_COL32(232, 82, 78, 255), IM_COL32(104, 200, 96, 255),
                           IM_COL32(88, 140, 250, 255)};
constexpr float reach_pixels = 7;  ///< pixels

/// Which key is held, and of which curve.
struct Held {
    int key = -1, channel = 0;
    bool moved = false;
};
Held held;

struct Frame {
    ImVec2 low, high;
    double start = 0, end = 1, bottom = 0, top = 1;
    float x(double time) const {
        return low.x + (high.x - low.x) * static_cast<float>((time - start) / std::max(end - start, 1e-9));
    }
    float y(double value) const {
        return high.y - (high.y - low.y) * static_cast<float>((value - bottom) / (top - bottom));
    }
    double time(float px) const {
        return start + (end - start) * static_cast<double>((px - low.x) / (high.x - low.x));
    }
    double value(float py) const {
        return bottom + (top - bottom) * static_cast<double>((high.y - py) / (high.y - low.y));
    }
};

using Values = std::vector<std::array<double, 3>>;

/// Angles that go on from one sample to the next instead of jumping by a full circle.
void unwrap(Values& values) {
    for (std::size_t i = 1; i < values.size(); ++i)
        for (std::size_t c = 0; c < 3; ++c)
            values[i][c] -= 360 * std::round((values[i][c] - values[i - 1][c]) / 360);
}

void grid(const Frame& frame, ImDrawList& list) {
    list.AddRectFilled(frame.low, frame.high, ImGui::GetColorU32(ImGuiCol_FrameBg), 4);
    const double span = frame.top - frame.bottom;
    double step = std::pow(10, std::floor(std::log10(span)));
    if (span / step < 3) step /= 2;
    for (double v = std::ceil(frame.bottom / step) * step; v < frame.top; v += step) {
        const float y = frame.y(v);
        list.AddLine({frame.low.x, y}, {frame.high.x, y}, IM_COL32(128, 128, 128, 50));
        list.AddText({frame.low.x + 4, y - 14}, ImGui::GetColorU32(ImGuiCol_TextDisabled),
                     fmt::format("{:.4g}", v).c_str());
    }
}

}  // namespace

void curve_editor(State& state) {
    const model::Clip* clip = state.playing_clip();
    const int joint = selected_joint(state);
    MotionTool& tool = state.motion_tool;
    const KeyProperty property = shown_property(state);
    if (clip == nullptr || joint < 0) {
        ImGui::TextDisabled(clip == nullptr ? "choose a clip below" : "select a joint to see its curves");
        return;
    }
    const model::Skeleton& skeleton = state.character().skeleton;
    ImGui::Text("%s", skeleton.joints[static_cast<std::size_t>(joint)].name.c_str());
    ImGui::SameLine();
    ImGui::TextDisabled("%s   drag keys; a double click adds one",
                        property == KeyProperty::rotation ? "degrees x y z" : "metres x y z");
    ImGui::SameLine(ImGui::GetWindowWidth() - 80);
    if (ui::button("Close###Close curves", true)) tool.curves = false;
    Frame frame;
    frame.low = ImGui::GetCursorScreenPos();
    const ImVec2 size{std::max(ImGui::GetContentRegionAvail().x, 50.0f),
                      std::max(ImGui::GetContentRegionAvail().y, 40.0f)};
    frame.high = {frame.low.x + size.x, frame.low.y + size.y};
    frame.start = state.timeline.start;
    frame.end = std::max(state.timeline.end, state.timeline.start + 1e-3);
    const int samples = std::clamp(static_cast<int>(size.x / 3), 16, 400);
    Values values;
    for (int i = 0; i <= samples; ++i)
        values.push_back(key_values(*clip, skeleton, joint, property,
                                    frame.start + (frame.end - frame.start) * i / samples));
    if (property == KeyProperty::rotation) unwrap(values);
    double low = 1e300, high = -1e300;
    for (const auto& v : values)
        for (const double x : v) {
            low = std::min(low, x);
            high = std::max(high, x);
        }
    const double margin = std::max(0.08 * (high - low), property == KeyProperty::rotation ? 2.0 : 0.01);
    // While a key is held, the frame stays: otherwise it would run away from the mouse.
    static double kept_low = 0, kept_high = 1;
    if (held.key < 0) {
        kept_low = low - margin;
        kept_high = high + margin;
    }
    frame.bottom = kept_low;
    frame.top = kept_high;
    ImGui::InvisibleButton("##Curves", size);
    ui::mark("Curve field");
    const bool hovered = ImGui::IsItemHovered(), pressed = ImGui::IsItemActivated(),
               active = ImGui::IsItemActive();
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.PushClipRect(frame.low, frame.high, true);
    grid(frame, list);
    const auto sample_x = [&](int i) {
        return frame.x(frame.start + (frame.end - frame.start) * i / samples);
    };
    for (int c = 0; c < 3; ++c)
        for (int i = 0; i < samples; ++i)
            list.AddLine(
                {sample_x(i), frame.y(values[static_cast<std::size_t>(i)][static_cast<std::size_t>(c)])},
                {sample_x(i + 1),
                 frame.y(values[static_cast<std::size_t>(i) + 1][static_cast<std::size_t>(c)])},
                inks[c], 1.6f);
    const std::vector<double> times = key_times(*clip, joint, property);
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    int near_key = -1, near_channel = 0;
    float nearest = reach_pixels;
    const bool dense = static_cast<float>(times.size()) * 6 > size.x;
    for (std::size_t k = 0; k < times.size(); ++k) {
        std::array<double, 3> at = key_values(*clip, skeleton, joint, property, times[k]);
        const auto s = static_cast<std::size_t>(std::clamp(
            static_cast<int>(std::lround((times[k] - frame.start) / (frame.end - frame.start) * samples)), 0,
            samples));
        for (std::size_t c = 0; c < 3; ++c) {
            if (property == KeyProperty::rotation) at[c] -= 360 * std::round((at[c] - values[s][c]) / 360);
            const ImVec2 p{frame.x(times[k]), frame.y(at[c])};
            const bool chosen = static_cast<int>(k) == tool.key;
            ui::mark_at(fmt::format("curve/{}/{}", k, c), p);
            if (!dense || chosen)
                list.AddCircleFilled(p, chosen ? 5.0f : 3.5f,
                                     chosen ? ImGui::GetColorU32(ImGuiCol_Text) : inks[c]);
            const float away = std::hypot(p.x - mouse.x, p.y - mouse.y);
            if (away >= nearest) continue;
            nearest = away;
            near_key = static_cast<int>(k);
            near_channel = static_cast<int>(c);
        }
    }
    const float now = frame.x(state.timeline.time);
    list.AddLine({now, frame.low.y}, {now, frame.high.y}, ImGui::GetColorU32(ImGuiCol_SliderGrab), 1.5f);
    list.PopClipRect();
    if (hovered && ImGui::IsMouseDoubleClicked(0) && near_key < 0) {
        const double time = std::clamp(frame.time(mouse.x), frame.start, frame.end);
        edit_clip(state, "add key", [&](const model::Clip& old) {
            model::Clip changed = old;
            tool.key = static_cast<int>(add_key(changed, skeleton, joint, property, time));
            return changed;
        });
        return;
    }
    if (pressed) {
        held = {near_key, near_channel, false};
        if (near_key >= 0) tool.key = near_key;
    }
    if (!active) held.key = -1;
    if (held.key < 0) {
        if (active) seek(state.timeline, std::clamp(frame.time(mouse.x), frame.start, frame.end));
        return;
    }
    const ImVec2 moved = ImGui::GetIO().MouseDelta;
    if (moved.x == 0 && moved.y == 0) return;
    const auto key = static_cast<std::size_t>(held.key);
    edit_clip(
        state, "move key",
        [&](const model::Clip& old) {
            model::Clip changed = old;
            std::array<double, 3> value = key_values(old, skeleton, joint, property, times[key]);
            value[static_cast<std::size_t>(held.channel)] +=
                frame.value(mouse.y) - frame.value(mouse.y - moved.y);
            set_key(changed, joint, property, key, value);
            if (moved.x != 0)
                move_key(changed, joint, property, key,
                         times[key] + frame.time(mouse.x) - frame.time(mouse.x - moved.x));
            return changed;
        },
        held.moved);
    held.moved = true;
}

}  // namespace sinew::studio
