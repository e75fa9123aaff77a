// SPDX-License-Identifier: MIT
#include "ui.h"

#include <algorithm>
#include <map>
#include <set>

#include "control_tips.h"
#include "shortcuts.h"

namespace sinew::studio::ui {
namespace {

constexpr double tip_seconds = 0.4;  ///< that the mouse must rest

/// Dear ImGui has one context; its widgets have one table of positions.
std::map<std::string, ImVec2, std::less<>>& positions() {
    static std::map<std::string, ImVec2, std::less<>> table;
    return table;
}

std::map<std::string, std::string, std::less<>>& values() {
    static std::map<std::string, std::string, std::less<>> table;
    return table;
}

/// The controls of this frame, and those of them without a tooltip.
std::set<std::string>& drawn() {
    static std::set<std::string> names;
    return names;
}

std::set<std::string>& untold() {
    static std::set<std::string> names;
    return names;
}

struct LastControl {
    std::string name;
    ImVec2 low, high;
};

LastControl& last_control() {
    static LastControl control;
    return control;
}

/// The name of a widget: the visible part of its label, or the text after the marks of Dear ImGui.
std::string_view visible(std::string_view label) {
    if (const auto own = label.find("###"); own != label.npos) return label.substr(own + 3);
    if (label.starts_with("##")) return label.substr(2);
    return label.substr(0, label.find("##"));
}

void draw_icon(ImDrawList& list, const ImVec2& at, float s, Icon icon, ImU32 color) {
    const auto triangle = [&](float left, float right) {
        list.AddTriangleFilled({at.x + left * s, at.y - s}, {at.x + left * s, at.y + s},
                               {at.x + right * s, at.y}, color);
    };
    const auto bar = [&](float left, float right) {
        list.AddRectFilled({at.x + left * s, at.y - s}, {at.x + right * s, at.y + s}, color);
    };
    switch (icon) {
        case Icon::to_start:
            bar(-1, -0.7f);
            triangle(1, -0.6f);
            break;
        case Icon::back:
            triangle(0.5f, -0.8f);
            bar(0.6f, 0.9f);
            break;
        case Icon::play:
            triangle(-0.7f, 1);
            break;
        case Icon::pause:
            bar(-0.8f, -0.25f);
            bar(0.25f, 0.8f);
            break;
        case Icon::forward:
            bar(-0.9f, -0.6f);
            triangle(-0.5f, 0.8f);
            break;
        case Icon::to_end:
            triangle(-1, 0.6f);
            bar(0.7f, 1);
            break;
    }
}

}  // namespace

void begin_frame() {
    positions().clear();
    values().clear();
    drawn().clear();
    untold().clear();
}

std::optional<std::string> value_of(std::string_view label) {
    const auto found = values().find(label);
    if (found == values().end()) return std::nullopt;
    return found->second;
}

std::optional<ImVec2> find(std::string_view name) {
    const auto found = positions().find(name);
    if (found == positions().end()) return std::nullopt;
    return found->second;
}

void mark_at(std::string_view name, const ImVec2& position) {
    positions()[std::string(name)] = position;
}

void remember_value(std::string_view name, std::string value) {
    values()[std::string(name)] = std::move(value);
}

void mark(std::string_view name) {
    if (!ImGui::IsItemVisible()) return;  // scrolled out of view: it cannot be pressed
    const ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
    positions()[std::string(visible(name))] = {(low.x + high.x) / 2, (low.y + high.y) / 2};
}

namespace {

/// The last item without the label beside it; `width` is its width, known from before.
void mark_frame(std::string_view name, float width) {
    if (!ImGui::IsItemVisible()) return;
    const ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
    positions()[std::string(visible(name))] = {low.x + width / 2, (low.y + high.y) / 2};
}

}  // namespace

void control(std::string_view label) {
    const std::string name(visible(label));
    drawn().insert(name);
    untold().insert(name);
    last_control() = {name, ImGui::GetItemRectMin(), ImGui::GetItemRectMax()};
    if (const ControlTip* text = tip_of(name)) tip(text->text, text->key);
}

std::vector<std::string> controls() {
    return {drawn().begin(), drawn().end()};
}

std::vector<std::string> controls_without_tip() {
    return {untold().begin(), untold().end()};
}

bool button(const char* label, bool enabled, float width) {
    ImGui::BeginDisabled(!enabled);
    const bool pressed = ImGui::Button(label, {width, 0});
    mark(label);
    ImGui::EndDisabled();
    control(label);
    return pressed;
}

bool toggle(const char* label, bool& value) {
    const bool changed = ImGui::Checkbox(label, &value);
    control(label);
    if (!ImGui::IsItemVisible()) return changed;
    // The box itself: the text may extend beyond the panel.
    const ImVec2 low = ImGui::GetItemRectMin();
    const float half = ImGui::GetFrameHeight() / 2;
    positions()[std::string(visible(label))] = {low.x + half, low.y + half};
    return changed;
}

bool segments(const char* name, int& value, std::span<const char* const> labels) {
    ImGui::PushID(name);
    ImGui::BeginGroup();  // a tip is for all of them
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {2, ImGui::GetStyle().ItemSpacing.y});
    // Long words get more of the row; the remaining width is distributed evenly.
    float words = 0;
    for (const char* label : labels) words += ImGui::CalcTextSize(label).x;
    const auto count = static_cast<float>(labels.size());
    const float spare = (ImGui::GetContentRegionAvail().x - 2 * (count - 1) - words) / count;
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {0, ImGui::GetStyle().FramePadding.y});
    bool changed = false;
    for (int i = 0; i < static_cast<int>(labels.size()); ++i) {
        if (i > 0) ImGui::SameLine();
        const bool down = value == i;
        const float width = ImGui::CalcTextSize(labels[static_cast<std::size_t>(i)]).x + spare;
        const ImVec4 lit = ImGui::GetStyleColorVec4(ImGuiCol_ButtonActive);
        if (down) ImGui::PushStyleColor(ImGuiCol_Button, lit);
        if (down) ImGui::PushStyleColor(ImGuiCol_ButtonHovered, lit);
        if (ImGui::Button(labels[static_cast<std::size_t>(i)], {width, 0})) {
            changed = !down;
            value = i;
        }
        if (down) ImGui::PopStyleColor(2);
        mark(std::string(name) + "/" + labels[static_cast<std::size_t>(i)]);
    }
    ImGui::PopStyleVar(2);
    ImGui::EndGroup();
    ImGui::PopID();
    control(name);
    return changed;
}

bool choice(const char* label, int& value, std::span<const std::string> names,
            std::span<const std::string> texts) {
    const int shown = std::clamp(value, 0, static_cast<int>(names.size()) - 1);
    bool changed = false;
    const float width = ImGui::CalcItemWidth();
    const bool open =
        ImGui::BeginCombo(label, names[static_cast<std::size_t>(shown)].c_str(), ImGuiComboFlags_HeightLarge);
    if (!open) {
        mark_frame(label, width);
        control(label);
        return false;
    }
    for (int i = 0; i < static_cast<int>(names.size()); ++i) {
        const auto index = static_cast<std::size_t>(i);
        if (ImGui::Selectable(names[index].c_str(), i == value)) {
            changed = i != value;
            value = i;
        }
        mark(names[index]);
        if (index < texts.size() && !texts[index].empty()) tip(texts[index].c_str());
    }
    ImGui::EndCombo();
    control(label);
    return changed;
}

bool slider(const char* label, float& value, float low, float high, const char* format) {
    const float width = ImGui::CalcItemWidth();
    const bool changed = ImGui::SliderFloat(label, &value, low, high, format, ImGuiSliderFlags_AlwaysClamp);
    mark_frame(label, width);
    control(label);
    return changed;
}

bool slider(const char* label, double& value, double low, double high, const char* format) {
    auto number = static_cast<float>(value);
    const bool changed = slider(label, number, static_cast<float>(low), static_cast<float>(high), format);
    if (changed) value = number;
    return changed;
}

bool slider(const char* label, int& value, int low, int high) {
    const float width = ImGui::CalcItemWidth();
    const bool changed = ImGui::SliderInt(label, &value, low, high, "%d", ImGuiSliderFlags_AlwaysClamp);
    mark_frame(label, width);
    control(label);
    return changed;
}

bool menu_item(const char* label, const char* keys, bool checked, bool enabled) {
    const std::string key = keys != nullptr ? key_now(keys) : "";
    const bool chosen = ImGui::MenuItem(label, keys != nullptr ? key.c_str() : nullptr, checked, enabled);
    mark(label);
    if (keys != nullptr) values()["key/" + key] = label;
    return chosen;
}

bool icon_button(const char* name, Icon icon, const char* text, const char* key) {
    const float side = ImGui::GetFrameHeight();
    ImGui::PushID(name);
    const bool pressed = ImGui::Button("##icon", {1.3f * side, side});
    ImGui::PopID();
    mark(name);
    const ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
    draw_icon(*ImGui::GetWindowDrawList(), {(low.x + high.x) / 2, (low.y + high.y) / 2}, 0.24f * side, icon,
              ImGui::GetColorU32(ImGuiCol_Text));
    control(name);
    tip(text, key);
    return pressed;
}

void field(const char* label, const std::string& value) {
    values()[label] = value;
    ImGui::TextDisabled("%s", label);
    ImGui::SameLine(86);
    ImGui::PushTextWrapPos(0);
    ImGui::TextUnformatted(value.c_str());
    ImGui::PopTextWrapPos();
}

namespace {

/// The mouse has been on an item for some time: no tooltip for a mouse that only passes, or presses the item.
bool rests_on(const ImVec2& low, const ImVec2& high) {
    static ImVec2 before_low, before_high;
    static double since = 0, pressed = 0;
    const double now = ImGui::GetTime();
    if (ImGui::IsAnyMouseDown()) pressed = now;
    if (low.x != before_low.x || low.y != before_low.y || high.x != before_high.x || high.y != before_high.y)
        since = now;
    before_low = low;
    before_high = high;
    return now - since > tip_seconds && now - pressed > 2 * tip_seconds;
}

}  // namespace

void tip(const char* text, const char* key) {
    const LastControl& last = last_control();
    const ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
    if (low.x == last.low.x && low.y == last.low.y && high.x == last.high.x && high.y == last.high.y)
        untold().erase(last.name);
    const std::string now = key != nullptr ? key_now(key) : "";
    if (key != nullptr) values()["key/" + now] = text;
    if (!ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled) || !rests_on(low, high)) return;
    ImGui::BeginTooltip();
    ImGui::PushTextWrapPos(26 * ImGui::GetFontSize());
    ImGui::TextUnformatted(text);
    if (key != nullptr) {
        ImGui::SameLine();
        ImGui::TextDisabled("(%s)", now.c_str());
    }
    ImGui::PopTextWrapPos();
    ImGui::EndTooltip();
}

std::vector<std::string> names() {
    std::vector<std::string> list;
    for (const auto& [name, position] : positions()) list.push_back(name);
    return list;
}

bool section(const char* title, bool open) {
    ImGui::Spacing();
    // Less prominent than the rows of lists, whose colour marks the selection.
    const ImGuiCol calm[] = {ImGuiCol_FrameBg, ImGuiCol_FrameBgHovered, ImGuiCol_FrameBgActive};
    for (int i = 0; i < 3; ++i) ImGui::PushStyleColor(ImGuiCol_Header + i, ImGui::GetStyleColorVec4(calm[i]));
    const bool shown = ImGui::CollapsingHeader(title, open ? ImGuiTreeNodeFlags_DefaultOpen : 0);
    ImGui::PopStyleColor(3);
    mark(title);
    if (shown) ImGui::Spacing();
    return shown;
}

float part_width(int parts) {
    const float space = ImGui::GetStyle().ItemSpacing.x * static_cast<float>(parts - 1);
    return (ImGui::GetContentRegionAvail().x - space) / static_cast<float>(parts);
}

bool begin_dialog(const char* title, const ImVec2& size) {
    if (!ImGui::IsPopupOpen(title)) ImGui::OpenPopup(title);
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    ImGui::SetNextWindowPos({screen.x / 2, screen.y / 2}, ImGuiCond_Always, {0.5f, 0.5f});
    ImGui::SetNextWindowSize({std::min(size.x, screen.x - 20), std::min(size.y, screen.y - 20)});
    return ImGui::BeginPopupModal(title, nullptr, ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoMove);
}

bool escape() {
    return ImGui::IsKeyPressed(ImGui::GetKeyIndex(ImGuiKey_Escape), false);
}

void begin_panel(const char* name, const ImVec2& position, const ImVec2& size) {
    ImGui::SetNextWindowPos(position);
    ImGui::SetNextWindowSize(size);
    ImGui::Begin(name, nullptr,
                 ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoMove |
                     ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoBringToFrontOnFocus |
                     ImGuiWindowFlags_NoNavInputs);
}

void end_panel() {
    ImGui::End();
}

}  // namespace sinew::studio::ui
