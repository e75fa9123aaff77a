// SPDX-License-Identifier: MIT
#pragma once
// Widgets of Dear ImGui that store their positions, so that scripts and tests can press them by name.

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <imgui.h>

namespace sinew::studio::ui {

/// Clears all positions: a new frame.
void begin_frame();
/// Middle of the widget that was shown under this name in this frame.
std::optional<ImVec2> find(std::string_view name);
/// The text of a field of this frame.
std::optional<std::string> value_of(std::string_view label);
/// Stores the last item under a name.
void mark(std::string_view name);
/// Stores something that is drawn at a position of the screen.
void mark_at(std::string_view name, const ImVec2& position);
/// Stores a text that tests read by name.
void remember_value(std::string_view name, std::string value);

/// Adds the last item to the controls, which all have a tooltip: its own from control_tips.h, or a `tip` that
/// follows. The widgets below do so themselves; the texts of menus and rows of lists are sufficient.
void control(std::string_view label);
/// Controls of this frame, and those of them without a tooltip.
std::vector<std::string> controls();
std::vector<std::string> controls_without_tip();

bool button(const char* label, bool enabled = true, float width = 0);
bool toggle(const char* label, bool& value);
/// A row of buttons of which one is selected.
bool segments(const char* name, int& value, std::span<const char* const> labels);
/// A drop-down list; `texts` are the tooltips of the rows, and may be empty.
bool choice(const char* label, int& value, std::span<const std::string> names,
            std::span<const std::string> texts = {});
bool slider(const char* label, float& value, float low, float high, const char* format = "%.2f");
bool slider(const char* label, double& value, double low, double high, const char* format = "%.2f");
bool slider(const char* label, int& value, int low, int high);
/// `keys` is the default key of the action, as in tip; the key that the user assigned is shown.
bool menu_item(const char* label, const char* keys = nullptr, bool checked = false, bool enabled = true);

enum class Icon { to_start, back, play, pause, forward, to_end };
bool icon_button(const char* name, Icon icon, const char* tip, const char* key);

/// A line in grey with a value beside it.
void field(const char* label, const std::string& value);
/// A tooltip for the last item, with the key for the same action.
void tip(const char* text, const char* key = nullptr);
/// All names of this frame, in order.
std::vector<std::string> names();
/// A title above a group of widgets; false when it is collapsed.
bool section(const char* title, bool open = true);

/// A modal window in the middle; the caller ends the popup when this is true.
bool begin_dialog(const char* title, const ImVec2& size);
/// The key was pressed in this frame.
bool escape();

/// Width of each of several widgets that share a row.
float part_width(int parts);

/// A fixed window without a frame of its own.
void begin_panel(const char* name, const ImVec2& position, const ImVec2& size);
void end_panel();

}  // namespace sinew::studio::ui
