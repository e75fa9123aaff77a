// SPDX-License-Identifier: MIT
#pragma once
// The picture of the scene as a texture in the current OpenGL context.

#include "quality.h"
#include "stage.h"
#include "viewport_input.h"

namespace sinew::studio {

class Viewport {
  public:
    /// An OpenGL context of 3.3 core or later is current, now and whenever this is used.
    Viewport();
    Viewport(const Viewport&) = delete;
    Viewport& operator=(const Viewport&) = delete;
    ~Viewport();

    /// Poses and draws. Warnings go to the messages of the state.
    void draw(State& state, int width, int height);
    const PosedBody& posed() const { return poser_.last(); }
    /// Whether that is of what is open now.
    bool ready(const State& state) const { return poser_.ready(state); }
    const render::Scene& scene() const { return stage_.scene(); }
    ViewportInput& input() { return input_; }
    unsigned texture() const { return texture_; }
    Quality quality() const { return quality_.now(); }
    render::Picture picture() const;  ///< as it was drawn last

  private:
    void resize(int width, int height);
    bool is_moving(const State& state);
    void go_along(State& state, const PosedBody& posed);

    render::Renderer renderer_;
    Poser poser_;
    Stage stage_;
    ViewportInput input_;
    unsigned framebuffer_ = 0, texture_ = 0;
    int width_ = 0, height_ = 0;
    QualityControl quality_;
    double seconds_ = 0;  ///< that the last picture took
    render::OrbitCamera seen_from_;
    std::shared_ptr<const model::Character> followed_;
    int pelvis_joint_ = -1;
    Vec3f pelvis_ = Vec3f::Zero();
};

}  // namespace sinew::studio
