#pragma once
/// \file
/// How a result came about, stage by stage, as pictures: what the stages of skeletons and weights share.

#include <string>
#include <vector>

#include "sinew/render/annotate.h"
#include "sinew/render/camera.h"
#include "sinew/render/renderer.h"

namespace sinew::render {

struct StagePicture {
    std::string name;  ///< one word, fit for a file name
    std::string what;  ///< one line for a person
    Picture picture;
};

struct StagePictureOptions {
    int width = 640;
    int height = 640;
};

/// One picture of all, with captions.
Picture stage_sheet(const std::vector<StagePicture>& stages, int columns = 3);

/// Draws one body again and again, each time with other things over it.
class StagePainter {
  public:
    /// The mesh must outlive this.
    StagePainter(Renderer& renderer, const geometry::Mesh& mesh, const StagePictureOptions& options);

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
    StagePictureOptions options_;
    MeshHold held_;
};

/// A line between two places of the world.
SegmentShape stage_line(const math::Vec3d& a, const math::Vec3d& b, const Vec4f& color, float width);

}  // namespace sinew::render
