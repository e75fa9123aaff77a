#pragma once
/// \file
/// Branches that the first view does not show: feet and tails that point to the eye, limbs behind limbs.

#include "sinew/rig/skeletonize/decompose.h"
#include "sinew/rig/skeletonize/refine.h"

namespace sinew::rig {

struct HiddenOptions {
    double far = 1.8;          ///< vertices this many radii from their node are not explained by it
    double near = 1.5;         ///< and their neighbours from here on come along
    double least = 0.002;      ///< part of all vertices that a patch has at least
    double keep = 2;           ///< radii that a branch is long at least
    double shortest = 0.03;    ///< part of the diagonal that it is long at least
    double off_centre = 0.35;  ///< lines that are less centred in the body than this are no limbs
    double stands_out = 0.5;   ///< radii that its end lies outside the balls of the curve at least
    MedialOptions medial;
    DepthRefineOptions refine;
};

/// Finds the patches of vertices that no branch explains, looks at each from the side, and appends the
/// longest line of the axis of its outline as a piece of its own. Returns how many branches were added.
int add_hidden(BranchGraph& graph, const WeldedSurface& surface, const Decomposition& parts, const Body& body,
               const Vec3d& view, const HiddenOptions& options);

}  // namespace sinew::rig
