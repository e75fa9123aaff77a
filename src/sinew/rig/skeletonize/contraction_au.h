#pragma once
/// \file
/// The contraction of Au et al. (2008) as published: constrained Laplacian smoothing, connectivity surgery,
/// embedding refinement.

#include "sinew/base/monitor.h"
#include "sinew/rig/curve_skeleton.h"
#include "sinew/rig/skeletonize/contraction_mesh.h"

namespace sinew::rig {

struct AuOptions {
    double contract = 1e-3;      ///< W_L at the start, in roots of the mean face area
    double growth = 2;           ///< of W_L, every iteration (s_L)
    double attract = 1;          ///< W_H at the start
    double least_volume = 1e-6;  ///< stops when this part of the volume is left
    int most_iterations = 30;
};

/// Solves [W_L L; W_H] x' = [0; W_H x] by least squares, again and again: W_L grows, and W_H of a vertex as
/// the root of the ratio by which the area around it shrank, so that what is thin stays. Edges and faces stay
/// as they are. Returns the number of iterations.
int contract_au(ContractionMesh& mesh, const AuOptions& options, Monitor& monitor);

/// Moves every node of a curve as the surface around it was moved by the contraction, back: by the mean over
/// its borders to other nodes of the displacement along the border, weighted by area (Au et al. 2008, 6).
void recentre(CurveSkeleton& curve, const std::vector<int>& node_of, const ContractionMesh& contracted,
              const ContractionMesh& original);

}  // namespace sinew::rig
