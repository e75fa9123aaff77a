// SPDX-License-Identifier: MIT
#include "input_queue.h"

#include <algorithm>
#include <vector>

#include "timeline.h"
#include <SDL_timer.h>

namespace sinew::studio {

/// Changes in the present frame.
struct InputQueue::Changed {
    std::vector<int> keys;
    bool button = false;
    bool moved = false;
    bool text = false;
};

namespace {

/// Dear ImGui numbers the buttons left, right, middle.
int button_index(int sdl_button) {
    return sdl_button == SDL_BUTTON_LEFT     ? 0
           : sdl_button == SDL_BUTTON_RIGHT  ? 1
           : sdl_button == SDL_BUTTON_MIDDLE ? 2
                                             : -1;
}

void set_modifiers(ImGuiIO& io, int mod) {
    io.KeyCtrl = (mod & KMOD_CTRL) != 0;
    io.KeyShift = (mod & KMOD_SHIFT) != 0;
    io.KeyAlt = (mod & KMOD_ALT) != 0;
    io.KeySuper = (mod & KMOD_GUI) != 0;
}

/// Dear ImGui detects a double click by the time of its frames, which are late when pictures are slow. The
/// system counts clicks by their own time: the time limit is infinite for clicks that it counts in pairs, and
/// zero for the others.
float double_click_time(int clicks) {
    constexpr float usual = 0.3f, always = 1e6f;
    return clicks == 0 ? usual : clicks % 2 == 0 ? always : 0.0f;
}

bool is_input(const SDL_Event& event) {
    switch (event.type) {
        case SDL_MOUSEMOTION:
        case SDL_MOUSEBUTTONDOWN:
        case SDL_MOUSEBUTTONUP:
        case SDL_MOUSEWHEEL:
        case SDL_KEYDOWN:
        case SDL_KEYUP:
        case SDL_TEXTINPUT:
            return true;
        case SDL_WINDOWEVENT:
            return event.window.event == SDL_WINDOWEVENT_LEAVE ||
                   event.window.event == SDL_WINDOWEVENT_FOCUS_LOST;
        default:
            return false;
    }
}

}  // namespace

void InputQueue::push(const SDL_Event& event) {
    if (!is_input(event)) return;
    if (event.type == SDL_KEYDOWN && event.key.repeat != 0) return;  // Dear ImGui repeats keys itself
    // Only the last of several consecutive movements is used.
    if (event.type == SDL_MOUSEMOTION && !events_.empty() && events_.back().event.type == SDL_MOUSEMOTION) {
        events_.back().event = event;
        ++events_.back().of;
    } else {
        events_.push_back({event, seconds_now() - 1e-3 * (SDL_GetTicks() - event.common.timestamp)});
    }
}

void InputQueue::let_go(ImGuiIO& io) {
    std::fill(std::begin(io.KeysDown), std::end(io.KeysDown), false);
    std::fill(std::begin(buttons_), std::end(buttons_), false);
    set_modifiers(io, 0);
}

bool InputQueue::take(const SDL_Event& event, ImGuiIO& io, Changed& changed) {
    switch (event.type) {
        case SDL_MOUSEMOTION:
            if (changed.button) return false;
            mouse_ = {static_cast<float>(event.motion.x), static_cast<float>(event.motion.y)};
            changed.moved = true;
            return true;
        case SDL_MOUSEBUTTONDOWN:
        case SDL_MOUSEBUTTONUP: {
            // The last movement of a drag is shown before the drag ends.
            if (changed.button || changed.text || (changed.moved && holds_button())) return false;
            const int button = button_index(event.button.button);
            if (button < 0) return true;
            mouse_ = {static_cast<float>(event.button.x), static_cast<float>(event.button.y)};
            buttons_[button] = event.type == SDL_MOUSEBUTTONDOWN;
            if (buttons_[button]) io.MouseDoubleClickTime = double_click_time(event.button.clicks);
            changed.button = true;
            return true;
        }
        case SDL_MOUSEWHEEL:
            if (changed.button) return false;
            io.MouseWheel += static_cast<float>(event.wheel.y);
            io.MouseWheelH += static_cast<float>(event.wheel.x);
            return true;
        case SDL_KEYDOWN:
        case SDL_KEYUP: {
            const int key = event.key.keysym.scancode;
            if (changed.button || changed.text || std::ranges::count(changed.keys, key) > 0) return false;
            if (key >= 0 && key < IM_ARRAYSIZE(io.KeysDown)) io.KeysDown[key] = event.type == SDL_KEYDOWN;
            set_modifiers(io, event.key.keysym.mod);
            changed.keys.push_back(key);
            return true;
        }
        case SDL_TEXTINPUT:
            io.AddInputCharactersUTF8(event.text.text);
            changed.text = true;
            return true;
        default:
            if (event.window.event == SDL_WINDOWEVENT_FOCUS_LOST) let_go(io);
            if (!holds_button()) mouse_ = {-1e6f, -1e6f};
            return true;
    }
}

void InputQueue::feed(ImGuiIO& io) {
    Changed changed;
    fed_.clear();
    while (!events_.empty() && take(events_.front().event, io, changed)) {
        fed_.insert(fed_.end(), events_.front().of, events_.front().time);
        events_.pop_front();
    }
    io.MousePos = mouse_;
    for (int button = 0; button < 3; ++button) io.MouseDown[button] = buttons_[button];
}

}  // namespace sinew::studio
