// SPDX-License-Identifier: MIT
#pragma once
// Mouse and keys in the order in which they came. Dear ImGui 1.86 sees only how things stand when a frame
// begins, so that a press and a release within one slow frame would be nothing at all: here they wait, and a
// key or a button changes once a frame.

#include <deque>
#include <vector>

#include <SDL_events.h>
#include <imgui.h>

namespace sinew::studio {

class InputQueue {
  public:
    /// Keeps what is input; other events are left alone.
    void push(const SDL_Event& event);
    bool empty() const { return events_.empty(); }

    /// Puts the events of one frame into Dear ImGui's input, before ImGui::NewFrame. It ends before a key
    /// that has changed in this frame already, before a movement that follows a button, before a release that
    /// follows a drag, and before a key that follows text.
    void feed(ImGuiIO& io);
    /// When the events of the last feed came, in seconds_now().
    const std::vector<double>& fed() const { return fed_; }
    bool holds_button() const { return buttons_[0] || buttons_[1] || buttons_[2]; }

  private:
    struct Changed;
    bool take(const SDL_Event& event, ImGuiIO& io, Changed& changed);
    void let_go(ImGuiIO& io);

    struct Waiting {
        SDL_Event event;
        double time;         ///< of the first
        std::size_t of = 1;  ///< movements that it stands for
    };
    std::deque<Waiting> events_;
    std::vector<double> fed_;
    ImVec2 mouse_{-1e6f, -1e6f};
    bool buttons_[3] = {false, false, false};
};

}  // namespace sinew::studio
