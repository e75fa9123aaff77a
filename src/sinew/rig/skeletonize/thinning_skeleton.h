#pragma once
/// \file
/// Curve skeletons by thinning of the voxel solid, for comparison.

#include "sinew/rig/curve_skeleton.h"
#include "sinew/rig/skeletonize/curve_refine.h"

namespace sinew::rig {

struct ThinningOptions {
    BodyOptions body = {.resolution = 80};
    double spur = 1.3;      ///< branches that reach less far than this many radii of their junction go
    double junction = 1.0;  ///< junctions nearer than this many radii become one
};

/// What is left of the solid when its cells are removed layer by layer as long as that does not change its
/// topology, see `thinned`: a node for every cell, without the small branches that the surface's roughness
/// leaves. Nothing is centred or smoothed: the curve keeps the steps of the lattice. A tree: rings are broken
/// at their thinnest link.
/// \throws Error when the mesh has no extent.
CurveSkeleton thinning_skeleton(const geometry::Mesh& mesh, const ThinningOptions& options = {},
                                Monitor& monitor = silent());

}  // namespace sinew::rig
