#pragma once
/// \file
/// How a result came about, stage by stage, as pictures: what the stages of skeletons and weights share.

#include <string>
#include <vector>

#include "sinew/render/annotate.h"
#include "sinew/render/renderer.h"

namespace sinew::render {

struct StepPicture {
    std::string name;  ///< one word, fit for a file name
    std::string what;  ///< one line for a person
    Picture picture;
};

struct StepPictureOptions {
    int width = 640;
    int height = 640;
};

/// One picture of all, with captions.
Picture step_sheet(const std::vector<StepPicture>& stages, int columns = 3);

/// Draws one body again and again, each time with other things over it.
class StepPainter {
  public:
    /// The mesh must outlive this.
    StepPainter(Renderer& renderer, const geometry::Mesh& mesh, const StepPictureOptions& options);

    /// A grey body that lets the overlay show, seen along `axes`.
    Picture glass(const ViewAxes& axes, Overlay overlay);
    /// A body with a colour for each vertex, and lines on its skin, which hides those behind it.
    Picture colored(const ViewAxes& axes, const std::vector<Vec4f>& colors, Overlay overlay = {});
    /// Numbers as heat (grey where they are not finite) with a colour bar, as wide as the other pictures.
    Picture heat(const ViewAxes& axes, const std::vector<float>& values, const ValueRange& range,
                 std::string_view label);

  private:
    Picture paint(const ViewAxes& axes, Drawable body, Overlay overlay, int width);

    Renderer& renderer_;
    const geometry::Mesh& mesh_;
    StepPictureOptions options_;
    MeshHold held_;
};

/// A line between two places of the world.
SegmentShape step_line(const math::Vec3d& a, const math::Vec3d& b, const Vec4f& color, float width);

}  // namespace sinew::render
