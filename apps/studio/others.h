// SPDX-License-Identifier: MIT
#pragma once
// The characters of a scene other than the current one, in their present poses.

#include <optional>

#include "state.h"

#include "sinew/deform/deformer.h"
#include "sinew/render/renderer.h"

namespace sinew::studio {

class Others {
  public:
    explicit Others(render::Renderer& renderer) : renderer_(renderer) {}

    /// Computes the poses of all of them at the time of the state.
    void update(const State& state, Monitor& monitor);
    /// The visible ones: their skins, or the bones of those without one.
    void add_to(render::Scene& scene, const State& state) const;
    void include(geometry::Box& box, const State& state) const;

  private:
    struct Body {
        std::shared_ptr<const model::Character> character;
        std::optional<deform::Deformer> deformer;
        std::optional<render::MeshHold> mesh;
        std::vector<Vec3f> positions, normals;
        std::vector<math::Mat4d> world;
    };
    void pose(Body& body, const Actor& actor, const State& state);

    render::Renderer& renderer_;
    std::vector<std::unique_ptr<Body>> bodies_;  ///< for each slot of the cast; null where nothing is drawn
};

}  // namespace sinew::studio
