#pragma once
/// \file
/// How well a curve runs through the middle of a body.

#include <span>
#include <vector>

#include "sinew/geometry/surface_queries.h"
#include "sinew/rig/curve_skeleton.h"

namespace sinew::rig {

/// Of each node e = |mean of the hits - node| / mean ray length, over rays in the plane across the curve:
/// 0 in the middle. Junctions, which no one plane crosses, and nodes whose rays mostly meet nothing count
/// not.
struct Centredness {
    double mean = 0;
    double p95 = 0;
    double max = 0;
    double limb_mean = 0;         ///< only of nodes outside the balls of the junctions
    std::size_t nodes = 0;        ///< that were measured
    std::vector<double> of_node;  ///< e, or -1 where it was not measured
};

/// `rays` a node; the surface may be the mesh, or the surface of its solid when the mesh has inner shells.
Centredness centredness(const CurveSkeleton& curve, const geometry::SurfaceQueries& surface, int rays = 32);

}  // namespace sinew::rig
