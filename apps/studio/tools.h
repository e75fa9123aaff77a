// SPDX-License-Identifier: MIT
#pragma once
// What a press in the picture begins on the pages of the left panel: a joint that is dragged, a stroke of the
// brush, a limb that is bent.

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

/// The tool that a press at a pixel begins; null leaves the press to the camera. `pick`: on the page Weights
/// the press chooses a joint.
std::unique_ptr<Tool> begin_tool(State& state, const PosedBody& posed, const Vec2f& pixel,
                                 const render::PictureArea& area, bool pick = false);

/// The joint that a press at a pixel takes hold of; -1 for none.
int joint_at(const State& state, const PosedBody& posed, const Vec2f& pixel, const render::PictureArea& area);

/// A line of sight from `origin`: the middle of the part of the volume under it that is nearest to `depth`;
/// nothing when it misses.
std::optional<Vec3f> middle_of_volume(const geometry::SurfaceQueries& surface, const render::Ray& ray,
                                      float depth);

}  // namespace sinew::studio
