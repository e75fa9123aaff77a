// SPDX-License-Identifier: MIT
#include "ui_script.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <sstream>

#include "actions.h"
#include "cast.h"
#include "extend_keys.h"
#include "joint_limits.h"
#include "shortcuts.h"
#include "ui.h"
#include <SDL_keyboard.h>

#include "sinew/base/error.h"
#include "sinew/base/text.h"

namespace sinew::studio {
namespace {

ImVec2 in_view(const State& state, float x, float y) {
    return {state.area.left + x * state.area.width, state.area.top + y * state.area.height};
}

void select_named(State& state, const std::string& kind, const std::string& name) {
    if (kind == "joint") {
        state.selection = {SelectionKind::joint, state.character().skeleton.find(name)};
    } else {
        const auto& parts = state.document.parts->parts;
        const auto found = std::ranges::find(parts, name, &BodyPart::name);
        state.selection = {SelectionKind::part,
                           found == parts.end() ? -1 : static_cast<int>(found - parts.begin())};
    }
    if (state.selection.index < 0) {
        state.selection = {};
        fail("", "there is no {} \"{}\"", kind, name);
    }
}

void show_named_page(State& state, const std::string& name) {
    constexpr std::array names = {"body", "joints", "weights", "motion", "measure"};
    const auto found = std::ranges::find(names, name);
    if (found == names.end()) fail("", "there is no page \"{}\"", name);
    show_page(state, static_cast<Page>(found - names.begin()));
}

/// "extend constant repeat 0 4" sets the options of Bake range.
void choose_extension(State& state, std::string_view before, std::string_view after, double from, double to) {
    const auto rules = beyond_names();
    MotionTool& tool = state.motion_tool;
    for (const auto& [name, rule] : {std::pair(before, &tool.before), std::pair(after, &tool.after)}) {
        const auto found = std::ranges::find(rules, name, [](const char* n) { return std::string_view(n); });
        if (found == rules.end()) fail("", "there is no rule \"{}\"", name);
        *rule = static_cast<int>(found - rules.begin());
    }
    tool.from = from;
    tool.to = to;
}

/// "limit z -10 90" limits an angle of the selected joint.
void limit_selected(State& state, const std::string& axis, double low, double high) {
    const int joint = selected_joint(state);
    const auto index = static_cast<Eigen::Index>(std::string_view("xyz").find(axis));
    if (joint < 0) fail("", "limit: no joint is selected");
    if (axis.size() != 1 || index > 2) fail("", "there is no axis \"{}\"", axis);
    auto limits = state.character().skeleton.joints[static_cast<std::size_t>(joint)].limits;
    if (!limits) limits.emplace();
    limits->low[index] = math::radians(low);
    limits->high[index] = math::radians(high);
    set_limits(state, joint, limits);
}

float number_of(std::istringstream& words, const std::string& line) {
    float number = 0;
    if (!(words >> number)) fail("", "script: a number is missing in \"{}\"", line);
    return number;
}

}  // namespace

void UiScript::move_to(std::function<ImVec2(const State&)> position) {
    steps_.emplace_back([this, position = std::move(position)](State& state) {
        mouse_ = position(state);
        return true;
    });
}

void UiScript::press(int button, bool down) {
    steps_.emplace_back([this, button, down](State&) {
        buttons_[button] = down;
        return true;
    });
}

/// A panel that has just opened has its widgets only after a few frames.
void UiScript::move_to_named(const std::string& name, std::shared_ptr<ImVec2> found) {
    steps_.emplace_back([this, name, found = std::move(found), tries = 0](State&) mutable {
        const auto position = ui::find(name);
        if (!position && ++tries <= 5) return false;
        if (!position)
            fail("", "there is nothing named \"{}\" to click; it may be visible in a taller window", name);
        mouse_ = *position;
        if (found) *found = mouse_;
        return true;
    });
}

void UiScript::pull(std::string name, float dx, float dy) {
    auto start = std::make_shared<ImVec2>();
    move_to_named(name, start);
    press(0, true);
    for (const float part : {0.25f, 0.5f, 0.75f, 1.0f})
        move_to([=](const State&) { return ImVec2(start->x + part * dx, start->y + part * dy); });
    press(0, false);
    wait(1);
}

void UiScript::double_click(std::string name) {
    move_to_named(name);
    for (const bool down : {true, false, true, false}) press(0, down);
    wait(2);
}

void UiScript::type(std::string text) {
    steps_.emplace_back([this, text = std::move(text)](State&) {
        text_ = text;
        return true;
    });
    wait(1);
}

void UiScript::click(std::string name) {
    move_to_named(name);
    press(0, true);
    press(0, false);
    wait(2);  // lists that open appear a frame later
}

void UiScript::click_view(float x, float y) {
    move_to([=](const State& state) { return in_view(state, x, y); });
    press(0, true);
    press(0, false);
    wait(2);  // lists that open appear a frame later
}

void UiScript::drag_view(float x0, float y0, float x1, float y1, int button) {
    move_to([=](const State& state) { return in_view(state, x0, y0); });
    press(button, true);
    for (const float part : {0.25f, 0.5f, 0.75f, 1.0f})
        move_to(
            [=](const State& state) { return in_view(state, x0 + part * (x1 - x0), y0 + part * (y1 - y0)); });
    press(button, false);
    wait(1);
}

void UiScript::wheel_view(float notches) {
    move_to([](const State& state) { return in_view(state, 0.5f, 0.5f); });
    steps_.emplace_back([this, notches](State&) {
        wheel_ = notches;
        return true;
    });
    wait(1);
}

void UiScript::hold(int code, bool down) {
    steps_.emplace_back([this, code, down](State&) {
        std::erase(keys_, code);
        if (down) keys_.push_back(code);
        return true;
    });
}

void UiScript::key(int code, bool ctrl, int frames, bool shift) {
    hold_modifiers(ctrl, shift);
    hold(code, true);
    wait(frames - 1);
    hold(code, false);
    hold_modifiers(false, false);
}

void UiScript::hold_modifiers(bool ctrl, bool shift) {
    steps_.emplace_back([this, ctrl, shift](State&) {
        ctrl_ = ctrl;
        shift_ = shift;
        return true;
    });
}

void UiScript::set(std::string name, std::string value) {
    move_to_named(name);
    hold_modifiers(true, false);
    press(0, true);
    press(0, false);
    hold_modifiers(false, false);
    wait(2);
    type(std::move(value));
    key(SDL_SCANCODE_RETURN);
    wait(1);
}

void UiScript::wait(int frames) {
    for (int i = 0; i < frames; ++i) steps_.emplace_back([](State&) { return true; });
}

void UiScript::wait_for_job() {
    steps_.emplace_back([](State& state) { return !state.job.running(); });
    wait(1);
}

void UiScript::then(std::function<void(State&)> act) {
    steps_.emplace_back([act = std::move(act)](State& state) {
        act(state);
        return true;
    });
}

void UiScript::add_line(std::string_view text) {
    const std::string line(trim(text));
    std::istringstream words(line);
    std::string verb, rest;
    words >> verb;
    if (verb.empty() || verb[0] == '#') return;
    if (verb == "drag") {
        const float x0 = number_of(words, line), y0 = number_of(words, line), x1 = number_of(words, line);
        drag_view(x0, y0, x1, number_of(words, line));
        return;
    }
    if (verb == "at") {
        const float x = number_of(words, line);
        click_view(x, number_of(words, line));
        return;
    }
    if (verb == "extend") {
        std::string before, after;
        words >> before >> after;
        const auto from = static_cast<double>(number_of(words, line));
        const auto to = static_cast<double>(number_of(words, line));
        return then([=](State& state) {
            choose_extension(state, before, after, from, to);
            extend_clip(state);
        });
    }
    if (verb == "limit") {
        std::string axis;
        words >> axis;
        const auto low = static_cast<double>(number_of(words, line));
        const auto high = static_cast<double>(number_of(words, line));
        return then([=](State& state) { limit_selected(state, axis, low, high); });
    }
    if (verb == "wheel") return wheel_view(number_of(words, line));
    if (verb == "pan") {
        const float x0 = number_of(words, line), y0 = number_of(words, line), x1 = number_of(words, line);
        return drag_view(x0, y0, x1, number_of(words, line), 2);
    }
    if (verb == "frames") return wait(static_cast<int>(number_of(words, line)));
    if (verb == "seek") {
        const auto frame = static_cast<int>(number_of(words, line));
        return then([frame](State& state) { seek_frame(state.timeline, frame); });
    }
    std::getline(words >> std::ws, rest);
    if (verb == "wait") return wait_for_job();
    if (verb == "quit") return then([](State& state) { state.quit = true; });
    if (rest.empty()) fail("", "script: \"{}\" is incomplete or unknown", line);
    if (verb == "click") return click(rest);
    if (verb == "double") return double_click(rest);
    if (verb == "type") return type(rest);
    if (verb == "page") return then([rest](State& state) { show_named_page(state, rest); });
    if (verb == "set") {
        // The name may have spaces: the last word is the value.
        const std::size_t last = rest.rfind(' ');
        if (last == std::string::npos) fail("", "script: write set NAME VALUE");
        return set(rest.substr(0, last), rest.substr(last + 1));
    }
    if (verb == "pull") {
        // The name may have spaces: the last two words are numbers.
        const std::size_t last = rest.rfind(' '), before = rest.rfind(' ', last == 0 ? 0 : last - 1);
        if (last == std::string::npos || before == std::string::npos)
            fail("", "script: write pull NAME DX DY, in pixels");
        std::istringstream numbers(rest.substr(before));
        const float dx = number_of(numbers, line), dy = number_of(numbers, line);
        return pull(rest.substr(0, before), dx, dy);
    }
    if (verb == "key") {
        const int code = SDL_GetScancodeFromName(rest.c_str());
        if (code != SDL_SCANCODE_UNKNOWN) return key(code);
        const auto chord = parse_chord(rest);
        if (!chord) fail("", "script: there is no key \"{}\"", rest);
        return key(chord->code, chord->ctrl, 1, chord->shift);
    }
    if (verb == "open") {
        then([rest](State& state) {
            mark_saved(state);  // the author of a script knows what is lost
            open_file(state, rest);
        });
        return wait_for_job();
    }
    if (verb == "sample") {
        then([rest](State& state) {
            mark_saved(state);
            open_sample(state, rest);
        });
        return wait_for_job();
    }
    if (verb == "joint" || verb == "part")
        return then([verb, rest](State& state) { select_named(state, verb, rest); });
    if (verb == "picture") {
        then([rest](State& state) { state.picture_path = rest; });
        return wait(1);
    }
    if (verb == "add") {
        then([rest](State& state) { add_file(state, rest); });
        return wait_for_job();
    }
    if (verb == "actor")
        return then([rest](State& state) { choose_actor(state, std::atoi(rest.c_str()) - 1); });
    if (verb == "view")
        return then([rest](State& state) {
            go_to_view(state, static_cast<std::size_t>(std::atoi(rest.c_str()) - 1));
        });
    if (verb == "pace") {
        std::istringstream what(rest);
        const double seconds = static_cast<double>(number_of(what, line));
        std::string kind;
        what >> kind;
        if (!kind.empty() && kind != "strokes") fail("", "script: \"{}\" is not a kind of pace", kind);
        then([seconds, strokes = !kind.empty()](State& state) {
            state.pace = {};
            state.pace.strokes = strokes;
            state.pace.on = true;
            state.pace.seconds = seconds;
        });
        steps_.emplace_back([](State& state) { return !state.pace.on; });
        return;
    }
    if (verb == "export") return then([rest](State& state) { write_what_is_open(state, rest); });
    fail("", "script: unknown step \"{}\"", verb);
}

void UiScript::advance(State& state) {
    if (!steps_.empty() && steps_.front()(state)) steps_.pop_front();
}

void UiScript::feed(State& state, ImGuiIO& io) {
    wheel_ = 0;
    text_.clear();
    advance(state);
    if (!text_.empty()) io.AddInputCharactersUTF8(text_.c_str());
    io.MousePos = mouse_;
    for (int button = 0; button < 3; ++button) io.MouseDown[button] = buttons_[button];
    io.MouseWheel = wheel_;
    std::fill(std::begin(io.KeysDown), std::end(io.KeysDown), false);
    for (const int key : keys_) io.KeysDown[key] = true;
    io.KeyCtrl = ctrl_;
    io.KeyShift = shift_;
    io.KeyAlt = io.KeySuper = false;
}

std::string_view script_help() {
    return "open FILE, sample NAME       opens it and waits until it is loaded\n"
           "click NAME, double NAME      a button, a box, a row of an open list; a double click\n"
           "pull NAME DX DY              drags a key, an event or a curve by pixels\n"
           "set NAME VALUE               types a number into a slider\n"
           "type TEXT, page NAME         types text; shows body, joints, weights, motion or measure\n"
           "key NAME                     presses a key such as B, Space, Left, Ctrl+Z\n"
           "at X Y, drag X0 Y0 X1 Y1     clicks or drags in the view, from 0 0 (upper left) to 1 1\n"
           "pan X0 Y0 X1 Y1, wheel N     moves the camera as the middle button and the wheel do\n"
           "joint NAME, part NAME        selects it\n"
           "limit AXIS LOW HIGH          limits an angle of the selected joint, in degrees\n"
           "extend BEFORE AFTER T0 T1    bakes its keys from T0 to T1 s: constant, linear, repeat, "
           "repeat-offset, mirror\n"
           "seek FRAME, frames N, wait   goes to a frame; draws N frames; waits for background work\n"
           "add FILE, actor N, view N    adds a file or a sample to the scene; chooses a character, a kept "
           "view\n"
           "pace SECONDS [strokes]       measures how fast the program answers, and prints it; with strokes\n"
           "                             of the mouse from the middle of the view: they paint, drag or "
           "orbit\n"
           "picture FILE.png, export FILE, quit";
}

}  // namespace sinew::studio
