// SPDX-License-Identifier: MIT
#pragma once
// Mouse and keys in the order of their events. Dear ImGui 1.86 reads only the state at the beginning of a
// frame, so that a press and a release within one slow frame would be lost: here events wait, and a key or a
// button changes once per frame.

#include <deque>
#include <vector>

#include <SDL_events.h>
#include <imgui.h>

namespace sinew::studio {

class InputQueue {
  public:
    /// Stores input events; ignores others.
    void push(const SDL_Event& event);
    bool empty() const { return events_.empty(); }

    /// Passes the events of one frame to Dear ImGui's input, before ImGui::NewFrame. It ends before a key
    /// that has already changed in this frame, before a movement that follows a button, before a release that
    /// follows a drag, and before a key that follows text.
    void feed(ImGuiIO& io);
    /// Times of the events of the last feed, in seconds_now().
    const std::vector<double>& fed() const { return fed_; }
    bool holds_button() const { return buttons_[0] || buttons_[1] || buttons_[2]; }

  private:
    struct Changed;
    bool take(const SDL_Event& event, ImGuiIO& io, Changed& changed);
    void let_go(ImGuiIO& io);

    struct Waiting {
        SDL_Event event;
        double time;         ///< of the first
        std::size_t of = 1;  ///< number of movements that it represents
    };
    std::deque<Waiting> events_;
    std::vector<double> fed_;
    ImVec2 mouse_{-1e6f, -1e6f};
    bool buttons_[3] = {false, false, false};
};

}  // namespace sinew::studio
