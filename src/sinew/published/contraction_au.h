// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// The contraction of Au et al. (2008) as published: constrained Laplacian smoothing, connectivity surgery,
/// embedding refinement.

#include "sinew/base/monitor.h"
#include "sinew/rig/contraction/contraction_mesh.h"
#include "sinew/rig/curve/curve_skeleton.h"

namespace sinew::published {

using namespace rig;  // the product's own steps around these methods

/// Solves [W_L L; W_H] x' = [0; W_H x] by least squares, again and again: W_L grows, and W_H of a vertex as
/// the root of the ratio by which the area around it shrank, so that what is thin stays. Edges and faces stay
/// as they are. Returns the number of iterations.
int contract_au(ContractionMesh& mesh, Monitor& monitor);

/// Moves every node of a curve as the surface around it was moved by the contraction, back: by the mean over
/// its borders to other nodes of the displacement along the border, weighted by area (Au et al. 2008, 6).
void recentre(CurveSkeleton& curve, const std::vector<int>& node_of, const ContractionMesh& contracted,
              const ContractionMesh& original);

/// From the thin surface to a curve (Au et al. 2008, 5): a vertex moves along the edge that costs least, by
/// the squared distance to the lines of the edges that it stands for, plus a tenth of the sampling cost,
/// which keeps edges from growing long. `node_of` becomes the node that each vertex of the mesh went into, or
/// -1.
CurveSkeleton collapse_by_shape(const ContractionMesh& mesh, std::vector<int>& node_of);

/// The whole method. As published, the limbs of the body are not looked at.
/// \throws Error when the mesh has no extent, or nothing is left to contract.
CurveSkeleton au_skeleton(const geometry::Mesh& mesh, Monitor& monitor = silent());

}  // namespace sinew::published
