// SPDX-License-Identifier: MIT
#pragma once
// The complete program except its window: one call per frame, in the current OpenGL context.

#include <memory>

#include "autosave.h"
#include "viewport.h"

namespace sinew::studio {

class Studio {
  public:
    /// A Dear ImGui context and an OpenGL context must be current, now and whenever this is used.
    Studio();
    State& state() { return *state_; }
    const Viewport& viewport() const { return viewport_; }

    /// Between ImGui::NewFrame and ImGui::Render; `seconds` since the last one.
    void frame(double seconds);
    /// The user moves the mouse or presses something: the response is fast, and is refined later.
    void touch();
    Autosave& autosave() { return autosave_; }
    /// True when the next frame will differ without any input.
    bool busy() const;

  private:
    void left_panel(float top, float width, float height);
    void right_panel(float left, float top, float width, float height);
    void view(const ViewArea& area, double seconds);
    void show_pictures(const ViewArea& area);
    void save_picture();
    void measure_frame();

    std::unique_ptr<State> state_;
    Viewport viewport_;
    Autosave autosave_;
    double last_frame_ = 0;
    double touched_ = -1e9;  ///< time of it
};

}  // namespace sinew::studio
