// SPDX-License-Identifier: MIT
// The curve editor: the three values of the selected joint over time, with their keys.

#include <algorithm>
#include <cmath>

#include "actions.h"
#include "extend_keys.h"
#include "motion_edit.h"
#include "motion_layer.h"
#include "panels.h"
#include "ui.h"

namespace sinew::studio {
namespace {

constexpr ImU32 inks[3] = {IM_COL32(232, 82, 78, 255), IM_COL32(104, 200, 96, 255),
                           IM_COL32(88, 140, 250, 255)};
constexpr float reach_pixels = 7;  ///< pixels

/// The key that is dragged, and its curve.
struct Held {
    int key = -1, channel = 0;
    int handle = 0;  ///< -1 or 1: the tangent before or after the key
    bool moved = false;
};
Held held;

constexpr float handle_pixels = 44;  ///< from a key to the handle of its tangent

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

/// Angles that are continuous from one sample to the next instead of jumping by a full circle.
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

/// The angles that the limits of a joint allow, one band per axis.
void limit_bands(const Frame& frame, const model::JointLimits& limits, ImDrawList& list) {
    for (int axis = 0; axis < 3; ++axis) {
        const double low = math::degrees(limits.low[axis]), high = math::degrees(limits.high[axis]);
        const float top = frame.y(std::min(high, frame.top)), bottom = frame.y(std::max(low, frame.bottom));
        const ImU32 fill = (inks[axis] & ~IM_COL32_A_MASK) | IM_COL32(0, 0, 0, 26);
        const ImU32 line = (inks[axis] & ~IM_COL32_A_MASK) | IM_COL32(0, 0, 0, 150);
        if (bottom > top) list.AddRectFilled({frame.low.x, top}, {frame.high.x, bottom}, fill);
        for (const double edge : {low, high})
            if (edge >= frame.bottom && edge <= frame.top)
                list.AddLine({frame.low.x, frame.y(edge)}, {frame.high.x, frame.y(edge)}, line, 1.5f);
    }
    ui::mark_at("curve/limits", {frame.low.x, (frame.low.y + frame.high.y) / 2});
}

/// Position of the handle of a tangent; `slope` in values per second.
ImVec2 handle_at(const Frame& frame, const ImVec2& key, double slope, int side) {
    const double seconds = frame.time(frame.low.x + 1) - frame.time(frame.low.x);
    const double values = frame.value(frame.low.y) - frame.value(frame.low.y + 1);
    const auto steep = static_cast<float>(slope * seconds / values);
    const float length = handle_pixels / std::hypot(1.0f, steep);
    const auto sign = static_cast<float>(side);
    return {key.x + sign * length, key.y - sign * length * steep};
}

/// The dragged tangent gets the slope from its key to the mouse; with Shift only on this side.
void drag_handle(State& state, const Frame& frame, int joint, KeyProperty property, double time,
                 double value) {
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    const auto key = static_cast<std::size_t>(held.key), channel = static_cast<std::size_t>(held.channel);
    const double pixel = frame.time(frame.low.x + 1) - frame.time(frame.low.x);
    double ahead = frame.time(mouse.x) - time;
    ahead = held.handle > 0 ? std::max(ahead, 2 * pixel) : std::min(ahead, -2 * pixel);
    const double slope = (frame.value(mouse.y) - value) / ahead;
    const KeySide side = !ImGui::GetIO().KeyShift ? KeySide::both
                         : held.handle > 0        ? KeySide::after
                                                  : KeySide::before;
    edit_keys(
        state, "tangent",
        [&](const model::Clip& old) {
            model::Clip changed = old;
            const AngleFrame angles = angle_frame(edited_skeleton(state), joint);
            std::array<double, 3> slopes = key_slope(old, joint, property, key, held.handle > 0, angles);
            slopes[channel] = slope;
            set_slope(changed, joint, property, key, side, slopes, angles);
            return changed;
        },
        held.moved);
    held.moved = true;
}

/// The visible part of the time.
struct TimeWindow {
    double start = 0, end = 1;
    bool operator==(const TimeWindow&) const = default;
};

/// The wheel zooms about the mouse, the right or middle button pans; another clip is shown completely.
TimeWindow zoomed(const TimeWindow& whole, const ImVec2& low, const ImVec2& size) {
    static TimeWindow known, seen;
    if (known != whole) known = seen = whole;
    const ImGuiIO& io = ImGui::GetIO();
    const bool inside = io.MousePos.x > low.x && io.MousePos.x < low.x + size.x && io.MousePos.y > low.y &&
                        io.MousePos.y < low.y + size.y && ImGui::IsWindowHovered();
    const double span = seen.end - seen.start;
    if (inside && io.MouseWheel != 0) {
        const double at = seen.start + span * static_cast<double>((io.MousePos.x - low.x) / size.x);
        const double factor = std::max(std::pow(0.8, static_cast<double>(io.MouseWheel)), 1e-3 / span);
        seen = {at - factor * (at - seen.start), at + factor * (seen.end - at)};
    }
    if (inside && (io.MouseDown[1] || io.MouseDown[2])) {
        const double by = -span * static_cast<double>(io.MouseDelta.x / size.x);
        seen = {seen.start + by, seen.end + by};
    }
    const double width = std::min(seen.end - seen.start, whole.end - whole.start);
    seen.start = std::clamp(seen.start, whole.start, whole.end - width);
    seen.end = seen.start + width;
    return seen;
}

}  // namespace

void curve_editor(State& state) {
    const model::Clip* clip = edited_clip(state);
    const int joint = selected_joint(state);
    MotionTool& tool = state.motion_tool;
    const KeyProperty property = shown_property(state);
    if (clip == nullptr || joint < 0) {
        ImGui::TextDisabled(clip == nullptr ? "choose a clip below" : "select a joint to see its curves");
        return;
    }
    const model::Skeleton& skeleton = edited_skeleton(state);
    ImGui::Text("%s", skeleton.joints[static_cast<std::size_t>(joint)].name.c_str());
    ImGui::SameLine();
    const AngleFrame angles = angle_frame(skeleton, joint);
    const std::string unit = fmt::format("{}{}", tool.layer ? "layer, " : "",
                                         property == KeyProperty::position ? "metres x y z"
                                         : angles.limited                  ? "degrees x y z from rest"
                                                                           : "degrees x y z");
    ImGui::TextDisabled("%s", unit.c_str());
    const char* advice = "drag keys and tangents; double click: new key; wheel: zoom";
    const float used = ImGui::GetItemRectMax().x - ImGui::GetWindowPos().x;
    if (used + ImGui::CalcTextSize(advice).x + 110 < ImGui::GetWindowWidth()) {
        ImGui::SameLine();
        ImGui::TextDisabled("%s", advice);
    }
    ImGui::SameLine(ImGui::GetWindowWidth() - 80 * ImGui::GetIO().FontGlobalScale);
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
    // The extension that would be baked is part of the curves.
    model::Clip beyond;
    if (tool.extend_shown && tool.to > tool.from) {
        for (const model::Track& track : clip->tracks)
            if (track.joint == joint) beyond.tracks.push_back(track);
        beyond = extended(beyond, joint, chosen_extension(state), extension_rate(state));
        frame.start = std::min(frame.start, tool.from);
        frame.end = std::max(frame.end, tool.to);
    }
    const TimeWindow shown = zoomed({frame.start, frame.end}, frame.low, size);
    frame.start = shown.start;
    frame.end = shown.end;
    const model::Clip& drawn = beyond.empty() ? *clip : beyond;
    for (int i = 0; i <= samples; ++i)
        values.push_back(key_values(drawn, skeleton, joint, property,
                                    frame.start + (frame.end - frame.start) * i / samples));
    if (property == KeyProperty::rotation) unwrap(values);
    double low = 1e300, high = -1e300;
    for (const auto& v : values)
        for (const double x : v) {
            low = std::min(low, x);
            high = std::max(high, x);
        }
    const auto& limits = skeleton.joints[static_cast<std::size_t>(joint)].limits;
    const bool banded = limits && property == KeyProperty::rotation;
    for (int axis = 0; banded && axis < 3; ++axis) {
        if (std::isfinite(limits->low[axis])) low = std::min(low, math::degrees(limits->low[axis]));
        if (std::isfinite(limits->high[axis])) high = std::max(high, math::degrees(limits->high[axis]));
    }
    const double margin = std::max(0.08 * (high - low), property == KeyProperty::rotation ? 2.0 : 0.01);
    // While a key is dragged, the visible range is fixed: otherwise the key would move away from the mouse.
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
    if (banded) limit_bands(frame, *limits, list);
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
    if (!beyond.empty() && !times.empty())
        for (const auto& [from, to] :
             {std::pair(frame.start, times.front()), std::pair(times.back(), frame.end)})
            if (to > from)  // no keys there yet
                list.AddRectFilled(
                    {frame.x(from), frame.low.y}, {frame.x(to), frame.high.y},
                    (ImGui::GetColorU32(ImGuiCol_FrameBg) & ~IM_COL32_A_MASK) | IM_COL32(0, 0, 0, 150));
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    int near_key = -1, near_channel = 0, near_handle = 0;
    double held_value = 0;
    float nearest = reach_pixels;
    const bool cubic = interpolation_of(*clip, joint, property) == model::Interpolation::cubic;
    const bool dense = static_cast<float>(times.size()) * 6 > size.x;
    for (std::size_t k = 0; k < times.size(); ++k) {
        // Of thousands of keys only those under the mouse are processed.
        const bool here = static_cast<int>(k) == tool.key || static_cast<int>(k) == held.key;
        if (dense && !here && std::abs(frame.x(times[k]) - mouse.x) > reach_pixels) continue;
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
            if (static_cast<int>(k) == held.key && static_cast<int>(c) == held.channel) held_value = at[c];
            const auto reach = [&](const ImVec2& spot, int handle) {
                const float away = std::hypot(spot.x - mouse.x, spot.y - mouse.y);
                if (away >= nearest) return;
                nearest = away;
                near_key = static_cast<int>(k);
                near_channel = static_cast<int>(c);
                near_handle = handle;
            };
            reach(p, 0);
            if (!chosen || !cubic) continue;
            for (const int side : {-1, 1}) {
                const double slope = key_slope(*clip, joint, property, k, side > 0, angles)[c];
                const ImVec2 end = handle_at(frame, p, slope, side);
                list.AddLine(p, end, inks[c], 1);
                list.AddRectFilled({end.x - 3.5f, end.y - 3.5f}, {end.x + 3.5f, end.y + 3.5f}, inks[c]);
                ui::mark_at(fmt::format("curve/{}/{}/{}", k, c, side < 0 ? "in" : "out"), end);
                reach(end, side);
            }
        }
    }
    const float now = frame.x(state.timeline.time);
    list.AddLine({now, frame.low.y}, {now, frame.high.y}, ImGui::GetColorU32(ImGuiCol_CheckMark), 1.5f);
    list.PopClipRect();
    if (hovered && ImGui::IsMouseDoubleClicked(0) && near_key < 0) {
        const double time = std::clamp(frame.time(mouse.x), std::max(frame.start, 0.0), frame.end);
        edit_keys(state, "add key", [&](const model::Clip& old) {
            model::Clip changed = old;
            tool.key = static_cast<int>(add_key(changed, skeleton, joint, property, time));
            return changed;
        });
        return;
    }
    if (pressed) {
        held = {near_key, near_channel, near_handle, false};
        if (near_key >= 0) tool.key = near_key;
    }
    if (!active) held.key = -1;
    if (held.key < 0) {
        if (active)
            seek(state.timeline, std::clamp(frame.time(mouse.x), state.timeline.start, state.timeline.end));
        return;
    }
    const ImVec2 moved = ImGui::GetIO().MouseDelta;
    if (moved.x == 0 && moved.y == 0) return;
    const auto key = static_cast<std::size_t>(held.key);
    if (key >= times.size()) return;
    if (held.handle != 0) return drag_handle(state, frame, joint, property, times[key], held_value);
    edit_keys(
        state, "move key",
        [&](const model::Clip& old) {
            model::Clip changed = old;
            std::array<double, 3> value = key_values(old, skeleton, joint, property, times[key]);
            value[static_cast<std::size_t>(held.channel)] +=
                frame.value(mouse.y) - frame.value(mouse.y - moved.y);
            set_curve_key(changed, skeleton, joint, property, key, value);
            if (moved.x != 0)
                move_key(changed, joint, property, key,
                         times[key] + frame.time(mouse.x) - frame.time(mouse.x - moved.x));
            return changed;
        },
        held.moved);
    held.moved = true;
}

}  // namespace sinew::studio
