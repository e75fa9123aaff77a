// SPDX-License-Identifier: MIT
#pragma once
// The window of the program: SDL2 and Dear ImGui around a Studio.

#include <memory>

#include "options.h"

#include "sinew/render/renderer.h"

namespace sinew::studio {

class Window {
  public:
    /// \throws Error that names what is missing: a display, OpenGL 3.3.
    explicit Window(const Options& options);
    Window(const Window&) = delete;
    Window& operator=(const Window&) = delete;
    ~Window();

    /// Runs until the window is closed, or until the options are done. 0 without errors.
    int run();

  private:
    struct Parts;
    /// From now on unsaved work is stored, and work that a killed program left is offered.
    void keep_work(const Options& options);
    /// True when an event arrived.
    bool listen(bool wait);
    /// Limits the number of pictures per second; an event ends the wait.
    void pace(double began);
    void show_frame(double seconds);
    bool ended();
    /// The user, or a measurement in the role of the user, is active.
    bool attended() const;
    /// Passes the time of a frame to the measurement, and ends it.
    void measure(double began);

    const Options& options_;
    std::unique_ptr<Parts> parts_;
    double spent_ = 0;  ///< processor seconds until the last frame
    int shown_ = 0;     ///< frames, after the script was done
};

}  // namespace sinew::studio
