#pragma once
/// \file
/// How large the shadow of a surface is, asked for many directions of light.

#include "sinew/rig/skeletonize/silhouette_surface.h"

namespace sinew::rig {

/// Keeps what all views share; asking is thread-safe.
class Shadow {
  public:
    explicit Shadow(const WeldedSurface& surface);

    /// Area of the pixels whose centre is covered, `size` of them along the longer side of the shadow.
    double area(const ViewFrame& frame, int size) const;

  private:
    struct Picture;
    Picture picture_of(const ViewFrame& frame, int size) const;

    Eigen::ArrayXf x_, y_, z_;  ///< vertices that triangles use, from their middle, in sizes of the body
    std::vector<Triangle> triangles_;  ///< over these
    double diagonal_ = 0;
    bool closed_ = false;
};

}  // namespace sinew::rig
