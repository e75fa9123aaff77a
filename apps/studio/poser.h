// SPDX-License-Identifier: MIT
#pragma once
// The body in the present pose: from clip, changes and skinning method to vertices.

#include <memory>
#include <optional>

#include "state.h"

#include "sinew/articulated/gaps.h"
#include "sinew/deform/deformer.h"

namespace sinew::studio {

struct PosedBody {
    std::vector<Vec3f> positions;          ///< of the vertices of the mesh
    std::vector<Vec3f> normals;            ///< empty when the mesh has none
    std::vector<math::Mat4d> world;        ///< of the joints
    std::vector<math::Mat4d> palette;      ///< of the skin
    std::optional<geometry::Mesh> closed;  ///< surface of this frame alone, when gaps are closed
    double seconds = 0;                    ///< time of skinning

    geometry::Box bounds() const;
};

/// Stores data that does not change from frame to frame.
class Poser {
  public:
    /// If the requested method is not possible, a simpler one is used with a warning.
    const PosedBody& pose(const State& state, const SkinSettings& skin, Monitor& monitor) {
        return pose(state, state.document.character, skin, monitor);
    }
    /// The pose that is shown, applied to another character with the same mesh and joints.
    const PosedBody& pose(const State& state, const std::shared_ptr<const model::Character>& character,
                          const SkinSettings& skin, Monitor& monitor);
    const PosedBody& last() const { return posed_; }
    /// Whether the last pose is that of the open document.
    bool ready(const State& state) const;

  private:
    void set_up(const model::Character& character, deform::Corrective correction, Monitor& monitor);
    void show_sequence(const State& state);
    void skin(const State& state, deform::Method method);
    void close_gaps(Monitor& monitor);

    std::shared_ptr<const model::Character> character_;
    std::optional<deform::Deformer> deformer_;
    std::optional<articulated::GapDeformer> closing_;
    bool cannot_close_ = false;
    deform::Corrective correction_ = deform::Corrective::none;
    PosedBody posed_;
};

}  // namespace sinew::studio
