#pragma once
/// \file
/// From a thin surface to a curve.

#include "sinew/rig/curve_skeleton.h"
#include "sinew/rig/skeletonize/contraction_mesh.h"

namespace sinew::rig {

/// Collapses the shortest edge that still has a face, again and again, until no face is left: what remains
/// are the nodes and edges of a curve. A node lies at the mean of the vertices it took in.
CurveSkeleton collapse_to_curve(const ContractionMesh& mesh);

/// The same as Au et al. (2008, 5) do it: a vertex moves along the edge that costs least, by the squared
/// distance to the lines of the edges that it stands for, plus a tenth of the sampling cost, which keeps
/// edges from growing long. `node_of` becomes the node that each vertex of the mesh went into, or -1.
CurveSkeleton collapse_by_shape(const ContractionMesh& mesh, std::vector<int>& node_of);

}  // namespace sinew::rig
