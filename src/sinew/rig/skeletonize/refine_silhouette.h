#pragma once
/// \file
/// Depth from the outline of each part, seen from its side (Xie 2009, 3.5).

#include "sinew/rig/skeletonize/decompose.h"
#include "sinew/rig/skeletonize/refine.h"

namespace sinew::rig {

/// The second view of a branch: across the first view and the branch; where the branch runs along the view,
/// across the principal axis of its patch; where that does too, any direction across the view. Upright in its
/// picture is the first view, so that depth is height there.
ViewFrame second_view(const BranchGraph::Branch& branch, const WeldedSurface& patch, const Vec3d& view);

/// The outline of the patch of one branch in its second view. A patch is open where it was cut from the rest;
/// the cut closes the outline.
SilhouettePiece second_silhouette(const WeldedSurface& patch, const ViewFrame& frame);

/// Depth of a place `along` the branch between two sides of an outline: the four vertices of the two
/// triangles at the nearest chord, interpolated on each side. Nothing when the outline has no chord.
std::optional<double> depth_between(const Triangulation2& triangulation, double along, double depth);

/// Moves every node to the depth between the sides of its part's second silhouette; what the first view
/// decided stays. Returns the outlines, one a branch, empty where a branch has no patch.
std::vector<SilhouettePiece> refine_by_silhouettes(BranchGraph& graph, const WeldedSurface& surface,
                                                   const Decomposition& parts, const Vec3d& view,
                                                   const DepthRefineOptions& options);

}  // namespace sinew::rig
