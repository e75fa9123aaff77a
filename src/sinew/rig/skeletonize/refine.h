#pragma once
/// \file
/// From a curve that is centred in one view to a curve that is centred in the body.

#include "sinew/rig/skeletonize/medial.h"
#include "sinew/rig/skeletonize/refine_body.h"

namespace sinew::rig {

enum class RefineMode {
    off,
    second_silhouette,  ///< depth from the outline of each part, seen from the side (Xie 2009, 3.5)
    ray_midpoint,       ///< depth from where a line through the node enters and leaves the body
};

struct DepthRefineOptions {
    RefineMode mode = RefineMode::ray_midpoint;
    int sweeps = 2;     ///< of depth, then across
    int smoothing = 3;  ///< passes of [1 2 1] / 4 after each
};

/// Moves every node to the middle of the body along the view, then across it, and so on. Where a line passes
/// several limbs, the nodes of a branch choose the same one.
void refine_by_rays(BranchGraph& graph, const Body& body, const Vec3d& view,
                    const DepthRefineOptions& options);

/// Moves nodes that lie outside to a place inside. Returns how many could not be.
int pull_inside(BranchGraph& graph, const Body& body);

/// Directions across a branch: perpendicular to the view and to the branch there; where these are parallel,
/// any perpendicular to the branch.
Vec3d across(const Vec3d& view, const Vec3d& along);

}  // namespace sinew::rig
