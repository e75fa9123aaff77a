// SPDX-License-Identifier: MIT
#pragma once
// The studio without a window: Dear ImGui and OpenGL on a context that needs no display, worked by a script.

#include <functional>
#include <memory>
#include <string>

#include "studio.h"
#include "ui_script.h"

#include "sinew/render/renderer.h"

namespace sinew::studio::test {

class HeadlessStudio {
  public:
    static constexpr int width = 860, height = 1060;

    HeadlessStudio();
    ~HeadlessStudio();

    UiScript script;
    State& state() { return studio_->state(); }
    const Viewport& viewport() const { return studio_->viewport(); }
    /// As it is at the start, with this open.
    void open(model::Character character);
    /// Frames until the script has done everything, and one more.
    void run();
    void frame(double seconds = 1.0 / 30);
    /// Clicks, and runs.
    void click(const std::string& name);
    /// The whole window in a frame more; panels are drawn for this alone, which saves half of the time.
    render::Picture picture();

  private:
    render::HeadlessContext context_;
    std::unique_ptr<render::HeadlessContext::Scope> scope_;
    unsigned framebuffer_ = 0, color_ = 0;
    bool drawn_ = false;
    std::unique_ptr<Studio> studio_;
};

/// One for all tests of the program: shaders take their time.
HeadlessStudio& studio();
/// The next test begins with another: sections that were folded and lists that were scrolled are forgotten.
void close_studio();

/// How many pixels of the picture of the scene satisfy a condition.
int count_pixels(const render::Picture& picture, const std::function<bool(const render::Pixel&)>& condition);

}  // namespace sinew::studio::test
