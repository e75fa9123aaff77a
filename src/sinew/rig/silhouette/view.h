// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// The area of the shadow of a surface, for many directions of light.

#include "sinew/rig/silhouette/silhouette_surface.h"
#include "sinew/rig/skeletonize.h"

namespace sinew::rig {

/// Keeps the data that all views share; queries are thread-safe.
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

// The view that shows a character best: the one with the largest outline and the least self-occlusion.

struct View {
    ViewFrame frame;
    double front_area = 0;  ///< A(d): half the sum of the projected areas, layers counted each
    double outline = 0;     ///< U(d): the area of the shadow
    double occlusion = 0;   ///< 1 - U / A
};

/// \throws Error when the direction of a user view is zero.
View choose_view(const WeldedSurface& surface, const ViewOptions& options = {});

/// (sum S|n_x|, sum S|n_y|, sum S|n_z|), normalised (Xie 2009, 3.2).
Vec3d mean_normal_direction(const WeldedSurface& surface);
/// A(d) = 1/2 sum S |n . d|: for a closed mesh the area that faces the viewer.
double front_area(const WeldedSurface& surface, const Vec3d& direction);
/// Axes of the area-weighted centroids of the triangles, longest first, each rotated so that its largest
/// coordinate is positive.
std::array<Vec3d, 3> principal_axes(const WeldedSurface& surface);

}  // namespace sinew::rig
