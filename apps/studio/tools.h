// SPDX-License-Identifier: MIT
#pragma once
// Tools that a press in the picture begins on the pages of the left panel: dragging a joint, painting a
// stroke, bending a limb.

#include <memory>

#include "poser.h"

#include "sinew/render/view.h"

namespace sinew::studio {

using math::Vec2f;

/// From press to release. The ray is the line of sight under the mouse.
class Tool {
  public:
    Tool() = default;
    Tool(const Tool&) = delete;
    Tool& operator=(const Tool&) = delete;
    virtual ~Tool() = default;
    virtual void move(State& state, const render::Ray& ray) = 0;
    virtual void end(State& state) = 0;
};

/// The tool that a press at a pixel begins; null if the camera should handle the press. `pick`: on the page
/// Weights the press selects a joint.
std::unique_ptr<Tool> begin_tool(State& state, const PosedBody& posed, const Vec2f& pixel,
                                 const render::PictureArea& area, bool pick = false);

/// The joint that a press at a pixel begins to drag; -1 for none.
int joint_at(const State& state, const PosedBody& posed, const Vec2f& pixel, const render::PictureArea& area);

/// On a line of sight from `origin`: the middle of the part of the volume that is nearest to `depth`; nothing
/// if it misses the volume.
std::optional<Vec3f> middle_of_volume(const geometry::SurfaceQueries& surface, const render::Ray& ray,
                                      float depth);

}  // namespace sinew::studio
