#pragma once
/// \file
/// From a thin surface to a curve.

#include "sinew/rig/curve_skeleton.h"
#include "sinew/rig/skeletonize/contraction_mesh.h"

namespace sinew::rig {

/// Collapses the shortest edge that still has a face, again and again, until no face is left (Au et al.
/// 2008): what remains are the nodes and edges of a curve. A node lies at the mean of the vertices it took
/// in.
CurveSkeleton collapse_to_curve(const ContractionMesh& mesh);

}  // namespace sinew::rig
