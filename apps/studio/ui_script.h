// SPDX-License-Identifier: MIT
#pragma once
// Input for scripts and tests: moves the mouse and presses keys like a user, one step per frame.

#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "state.h"
#include <imgui.h>

namespace sinew::studio {

class UiScript {
  public:
    /// The widget of this name, at its position when the step runs.
    void click(std::string name);
    /// Presses it, moves by pixels, and releases it.
    void pull(std::string name, float dx, float dy);
    /// A double click.
    void double_click(std::string name);
    /// Types a text.
    void type(std::string text);
    /// A position in the picture, as fractions of its width and height.
    void click_view(float x, float y);
    void drag_view(float x0, float y0, float x1, float y1, int button = 0);
    void wheel_view(float notches);
    /// Presses a key by SDL's scan code.
    void key(int code, bool ctrl = false, int frames = 1, bool shift = false);
    /// Types a number or a text into a slider or a field, like Ctrl+click.
    void set(std::string name, std::string value);
    void hold(int code, bool down);
    void wait(int frames);
    /// Waits until no work runs in the background.
    void wait_for_job();
    /// Any other step.
    void then(std::function<void(State&)> act);

    /// One line of a script; `script_help` lists them. \throws Error that names the line.
    void add_line(std::string_view line);

    bool done() const { return steps_.empty(); }
    /// The next step, without input: for a program that a user operates at the same time.
    void advance(State& state);
    /// Passes the held and pressed keys and buttons to Dear ImGui's input, before ImGui::NewFrame.
    /// \throws Error when a widget is missing.
    void feed(State& state, ImGuiIO& io);

  private:
    using Step = std::function<bool(State&)>;  ///< true when it is done
    void move_to(std::function<ImVec2(const State&)> position);
    void move_to_named(const std::string& name, std::shared_ptr<ImVec2> found = nullptr);
    void press(int button, bool down);
    void hold_modifiers(bool ctrl, bool shift);

    std::deque<Step> steps_;
    ImVec2 mouse_{-1, -1};
    bool buttons_[3] = {false, false, false};
    std::vector<int> keys_;
    bool ctrl_ = false, shift_ = false;
    float wheel_ = 0;
    std::string text_;
};

/// The commands of a script.
std::string_view script_help();

}  // namespace sinew::studio
