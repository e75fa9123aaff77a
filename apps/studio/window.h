// SPDX-License-Identifier: MIT
#pragma once
// The window of the program: SDL2 and Dear ImGui around a Studio.

#include <memory>

#include "options.h"

#include "sinew/render/renderer.h"

namespace sinew::studio {

class Window {
  public:
    /// \throws Error that says what is missing: a display, OpenGL 3.3.
    explicit Window(const Options& options);
    Window(const Window&) = delete;
    Window& operator=(const Window&) = delete;
    ~Window();

    /// Until it is closed, or until what the options ask for is done. 0 when all went well.
    int run();

  private:
    struct Parts;
    /// Unsaved work is kept from now on, and what a killed program left is offered.
    void keep_work(const Options& options);
    /// True when something came.
    bool listen(bool wait);
    /// No more pictures a second than are wanted; an event ends the wait.
    void pace(double began);
    void show_frame(double seconds);
    bool ended();
    /// Somebody acts, or a measurement plays somebody.
    bool attended() const;
    /// Tells the measurement what a frame took, and ends it.
    void measure(double began);

    const Options& options_;
    std::unique_ptr<Parts> parts_;
    double spent_ = 0;  ///< processor seconds until the last frame
    int shown_ = 0;     ///< frames, after the script was done
};

}  // namespace sinew::studio
