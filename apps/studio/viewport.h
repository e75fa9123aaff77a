// SPDX-License-Identifier: MIT
#pragma once
// The picture of the scene as a texture in the current OpenGL context.

#include "look.h"
#include "quality.h"
#include "stage.h"
#include "viewport_input.h"

namespace sinew::studio {

class Viewport {
  public:
    /// An OpenGL context of 3.3 core or later must be current, now and whenever this is used.
    Viewport();
    Viewport(const Viewport&) = delete;
    Viewport& operator=(const Viewport&) = delete;
    ~Viewport();

    /// Poses and draws, unless the picture would be the same. While the user is active (`touched`) it is
    /// drawn as simply as necessary. Warnings are added to the messages of the state.
    void draw(State& state, int width, int height, bool touched = false);
    /// A better picture will be drawn.
    bool unfinished() const { return answered_; }
    const PosedBody& posed() const { return poser_.last(); }
    /// Whether that belongs to the open document.
    bool ready(const State& state) const { return poser_.ready(state); }
    const render::Scene& scene() const { return stage_.scene(); }
    ViewportInput& input() { return input_; }
    unsigned texture() const { return target_.texture; }
    /// The same view by the second method; 0 while nothing is compared.
    unsigned other_texture() const { return compared_ ? other_target_.texture : 0; }
    Quality quality() const { return quality_.now(); }
    render::Picture picture() const;  ///< the last one that was drawn
    /// Processor time of this thread that the last call of draw took; 0 when it drew nothing.
    double cpu_seconds() const { return cpu_; }

  private:
    struct Target {
        unsigned framebuffer = 0, texture = 0;
        int width = 0, height = 0;
        void resize(int wide, int high);
    };
    /// False when the picture would have been the same.
    bool draw_picture(State& state, int width, int height, bool touched);
    void draw_other(State& state, const render::Scene& scene, const PosedBody& posed, int samples,
                    Monitor& monitor);
    void show_difference(render::Scene& scene) const;
    bool is_moving(const State& state);
    void go_along(State& state, const PosedBody& posed);

    render::Renderer renderer_;
    Poser poser_;
    Stage stage_;
    ViewportInput input_;
    Target target_, other_target_;
    Poser other_poser_;
    bool compared_ = false;
    std::vector<math::Vec4f> difference_;  ///< as colour
    QualityControl quality_;
    double seconds_ = 0;  ///< time of the last picture
    double cpu_ = 0;
    render::OrbitCamera seen_from_;
    std::optional<Look> shown_;  ///< the contents of the texture
    bool answered_ = false;      ///< it was drawn with reduced quality
    std::shared_ptr<const model::Character> followed_;
    int pelvis_joint_ = -1;
    Vec3f pelvis_ = Vec3f::Zero();
};

}  // namespace sinew::studio
