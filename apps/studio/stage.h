// SPDX-License-Identifier: MIT
#pragma once
// The contents of the viewport for a state, as a scene of the renderer.

#include <optional>

#include "others.h"
#include "poser.h"

#include "sinew/render/renderer.h"
#include "sinew/render/view.h"

namespace sinew::studio {

/// The ring of the gizmo that is under the mouse or dragged; -1 for none.
struct GizmoLook {
    int active = -1;
    float radius = 0;  ///< in the world; 0 hides it
};

/// The joint's rings: closed lines about x, y and z of `axes`.
std::vector<Vec3f> gizmo_ring(const Vec3f& center, const Mat3d& axes, int axis, float radius);

class Stage {
  public:
    explicit Stage(render::Renderer& renderer) : renderer_(renderer), others_(renderer) {}

    /// The mesh is uploaded when it is another one; only data that moved is sent each frame.
    render::Scene& update(const State& state, const PosedBody& posed, const GizmoLook& gizmo,
                          Monitor& monitor);
    const render::Scene& scene() const { return scene_; }
    /// Enlarges a box to contain the other characters.
    void include_others(const State& state, geometry::Box& box) const { others_.include(box, state); }

  private:
    void set_up(const State& state, Monitor& monitor);
    void add_body(const State& state, const PosedBody& posed, Monitor& monitor);
    void add_highlight(const State& state, const PosedBody& posed);
    void color_body(const State& state, render::Drawable& body);

    render::Renderer& renderer_;
    Others others_;
    std::shared_ptr<const model::Character> character_;
    std::shared_ptr<const std::vector<std::string>> surface_;  ///< of the mesh that is uploaded
    std::shared_ptr<const BodyParts> parts_;
    std::shared_ptr<const model::Trial> trial_;
    render::ForceOverlay forces_;  ///< of the trial
    std::vector<std::pair<int, int>> sticks_;
    std::optional<render::MeshHold> body_;
    std::optional<render::MeshHold> closed_;
    std::optional<render::MeshHold> highlight_;
    int highlighted_ = -1;
    std::vector<math::Vec4f> colors_;
    Coloring colored_ = Coloring::material;
    int colored_joint_ = -1;
    std::uint64_t colored_dabs_ = 0;
    float floor_ = 0;
    float size_ = 1;
    render::Scene scene_;
};

/// The box of a part in the present pose.
OrientedBox part_box(const State& state, const PosedBody& posed, int part);

}  // namespace sinew::studio
