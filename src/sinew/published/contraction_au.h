// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Mesh contraction as published by Au et al. (2008): constrained Laplacian smoothing, connectivity surgery,
/// embedding refinement. For comparison.

#include "sinew/base/monitor.h"
#include "sinew/rig/contraction/contraction_mesh.h"
#include "sinew/rig/curve/curve_skeleton.h"

namespace sinew::published {

using namespace rig;  // the product's own steps around these methods

/// Contracts the mesh by repeatedly solving [W_L L; W_H] x' = [0; W_H x] in the least-squares sense. W_L
/// grows; W_H of a vertex grows with the square root of the ratio by which the area around it shrank, so that
/// thin regions stop. Connectivity does not change. Returns the number of iterations.
int contract_au(ContractionMesh& mesh, Monitor& monitor);

/// Recentres the nodes of a curve by reversing the contraction: each node moves by the mean, over its borders
/// to other nodes, of the area-weighted displacement along the border (Au et al. 2008, 6).
void recentre(CurveSkeleton& curve, const std::vector<int>& node_of, const ContractionMesh& contracted,
              const ContractionMesh& original);

/// Collapses the contracted surface to a curve (Au et al. 2008, 5). The cost of a half-edge collapse is the
/// squared distance to the lines of the edges that a vertex represents, plus a tenth of the sampling cost,
/// which prevents long edges. `node_of` receives the node of each vertex of the mesh, or -1.
CurveSkeleton collapse_by_shape(const ContractionMesh& mesh, std::vector<int>& node_of);

/// The complete method, as published: the limbs of the body are not taken into account.
/// \throws Error when the mesh has no extent, or contraction leaves nothing
CurveSkeleton au_skeleton(const geometry::Mesh& mesh, Monitor& monitor = silent());

}  // namespace sinew::published
