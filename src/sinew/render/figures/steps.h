// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Common parts of the step pictures: a painter, colours, and the pictures of existing results.

#include "sinew/render/figures.h"
#include "sinew/rig/bind.h"
#include "sinew/rig/silhouette/silhouette_skeleton.h"

namespace sinew::render::step_colors {

inline const Vec4f red(0.75f, 0.02f, 0.02f, 1);
inline const Vec4f yellow(0.85f, 0.60f, 0.0f, 1);
inline const Vec4f green(0.02f, 0.45f, 0.08f, 1);
inline const Vec4f blue(0.02f, 0.10f, 0.75f, 1);
inline const Vec4f ink(0.01f, 0.01f, 0.02f, 1);

}  // namespace sinew::render::step_colors

namespace sinew::render {

/// Draws one body repeatedly, with different overlays.
class StepPainter {
  public:
    /// The mesh must outlive this.
    StepPainter(Renderer& renderer, const geometry::Mesh& mesh, const StepPictureOptions& options);

    /// A translucent grey body with the overlay visible inside, seen along `axes`.
    Picture glass(const ViewAxes& axes, Overlay overlay);
    /// A body with vertex colours and lines on its skin; the skin hides lines behind it.
    Picture colored(const ViewAxes& axes, const std::vector<Vec4f>& colors, Overlay overlay = {});
    /// Values as a heat map (grey where they are not finite) with a colour bar; as wide as the other
    /// pictures.
    Picture heat(const ViewAxes& axes, const std::vector<float>& values, const ValueRange& range,
                 std::string_view label);

  private:
    Picture paint(const ViewAxes& axes, Drawable body, Overlay overlay, int width);

    Renderer& renderer_;
    const geometry::Mesh& mesh_;
    StepPictureOptions options_;
    MeshHold held_;
};

/// A line between two points of the world.
SegmentShape step_line(const math::Vec3d& a, const math::Vec3d& b, const Vec4f& color, float width);

/// The steps of an existing silhouette skeleton.
std::vector<StepPicture> draw_skeleton_steps(Renderer& renderer, const geometry::Mesh& mesh,
                                             const rig::SilhouetteResult& result,
                                             const StepPictureOptions& options = {});

/// The steps of existing weights by regions.
std::vector<StepPicture> draw_weight_steps(Renderer& renderer, const geometry::Mesh& mesh,
                                           const model::Skeleton& skeleton, const rig::RegionResult& result,
                                           const WeightStepOptions& options = {});

/// The neck when it has a boundary, else the joint with the clearest minimum of the skin distance; -1 when no
/// joint has a boundary.
/// -1 when no joint has a boundary.
int profile_joint(const model::Skeleton& skeleton, const rig::RegionResult& result);

/// Distance of the skin over the rays of a joint, one plot per fan: measured, smoothed, weighted (longer for
/// slanted rays), and the chosen ray. All have the same scale.
/// \throws Error when the joint has no boundary.
std::vector<Plot> profile_plots(const model::Skeleton& skeleton, const rig::RegionResult& result, int joint);

}  // namespace sinew::render
