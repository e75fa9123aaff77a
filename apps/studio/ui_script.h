// SPDX-License-Identifier: MIT
#pragma once
// Hands for scripts and tests: moves the mouse and presses keys as a person would, a step a frame.

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
    /// The widget of this name, as it stands when its turn has come.
    void click(std::string name);
    /// Presses it, moves by pixels, and lets go.
    void pull(std::string name, float dx, float dy);
    /// Two clicks in a row.
    void double_click(std::string name);
    /// Text, as it would be typed.
    void type(std::string text);
    /// A place in the picture, in parts of its width and height.
    void click_view(float x, float y);
    void drag_view(float x0, float y0, float x1, float y1, int button = 0);
    void wheel_view(float notches);
    /// A key by SDL's scan code.
    void key(int code, bool ctrl = false, int frames = 1, bool shift = false);
    /// Types a number or a text into a slider or a field, as Ctrl+click does.
    void set(std::string name, std::string value);
    void hold(int code, bool down);
    void wait(int frames);
    /// Until no work runs in the background.
    void wait_for_job();
    /// Anything else.
    void then(std::function<void(State&)> act);

    /// One line of a script; `script_help` lists them. \throws Error that names the line.
    void add_line(std::string_view line);

    bool done() const { return steps_.empty(); }
    /// The next step, without hands: for a program that a person works with at the same time.
    void advance(State& state);
    /// Puts what it holds and presses into Dear ImGui's input, before ImGui::NewFrame.
    /// \throws Error when a widget is not there.
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

/// What a script may say.
std::string_view script_help();

}  // namespace sinew::studio
