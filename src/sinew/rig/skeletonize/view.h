#pragma once
/// \file
/// The view that shows a character best: the one with the largest outline and the least that hides itself.

#include "sinew/rig/skeletonize/silhouette_surface.h"

namespace sinew::rig {

enum class ViewMode {
    max_outline,     ///< largest outline, snapped to an axis that is nearly as good
    source_formula,  ///< Xie 2009, (3.2): the mean of the absolute normals
    axis_x,
    axis_y,
    axis_z,
    user,  ///< ViewOptions::direction
};

struct ViewOptions {
    ViewMode mode = ViewMode::max_outline;
    Vec3d direction = Vec3d::UnitZ();  ///< of ViewMode::user
    Vec3d up = Vec3d::UnitY();         ///< upright in the picture
    double snap = 0.95;                ///< an axis that reaches this part of the best score is taken
};

struct View {
    ViewFrame frame;
    double front_area = 0;  ///< A(d): half the sum of the projected areas, layers counted each
    double outline = 0;     ///< U(d): the area of the shadow
    double occlusion = 0;   ///< 1 - U / A
};

/// \throws Error when the direction of a user view is zero.
View choose_view(const WeldedSurface& surface, const ViewOptions& options = {});

/// (sum S|n_x|, sum S|n_y|, sum S|n_z|), normalised (Xie 2009, 3.2).
Vec3d source_direction(const WeldedSurface& surface);
/// A(d) = 1/2 sum S |n . d|: of a closed mesh the area that faces the eye.
double front_area(const WeldedSurface& surface, const Vec3d& direction);
/// Axes of the area-weighted centroids of the triangles, longest first, each turned so that its largest
/// coordinate is positive.
std::array<Vec3d, 3> principal_axes(const WeldedSurface& surface);

}  // namespace sinew::rig
