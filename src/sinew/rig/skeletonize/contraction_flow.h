#pragma once
/// \file
/// Mean-curvature flow of a closed surface towards its middle (Tagliasacchi et al. 2012).

#include "sinew/base/monitor.h"
#include "sinew/geometry/surface_queries.h"
#include "sinew/rig/skeletonize/contraction_mesh.h"

namespace sinew::rig {

struct FlowOptions {
    double velocity = 0.1;    ///< w_H: how strongly vertices stay where they are
    double medial = 0.2;      ///< w_M: how strongly they are drawn to their medial ball
    double least_edge = 0.2;  ///< edges shorter than this part of the even edge length collapse
    double flat_angle = 110;  ///< degrees: faces with a larger angle are split
    double still = 1e-3;      ///< stops when the area changes by less than this part of the first area
    int most_iterations = 200;
};

/// The centre of the largest ball that touches the surface at each vertex from inside: the medial axis, which
/// stands for the Voronoi poles (shrinking balls, Ma et al. 2012). Sets `pole`.
void find_poles(ContractionMesh& mesh);

/// Shrinks the surface until it stands still. Returns the number of iterations.
int contract(ContractionMesh& mesh, const FlowOptions& options, Monitor& monitor);

}  // namespace sinew::rig
