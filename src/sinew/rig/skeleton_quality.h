#pragma once
/// \file
/// What can be said about a curve skeleton without a reference: in the middle, inside, simple, smooth.

#include "sinew/base/monitor.h"
#include "sinew/geometry/voxel_solid.h"
#include "sinew/rig/centredness.h"

namespace sinew::rig {

struct CurveTopology {
    int ends = 0;       ///< nodes with one edge
    int junctions = 0;  ///< nodes with three or more
    int branches = 0;
    int pieces = 0;
    int rings = 0;  ///< independent ones: edges - nodes + pieces
    /// Tells trees apart up to the order of branches and to nodes with two edges: equal when and only when
    /// the trees are the same (Aho, Hopcroft and Ullman 1974). Empty when there is a ring.
    std::string shape;
};
CurveTopology topology_of(const CurveSkeleton& curve);

struct SkeletonQuality {
    Centredness centredness;
    double inside_fraction = 0;  ///< of the nodes, in the solid
    double turning = 0;          ///< radians along the branches, per diagonal of length
    CurveTopology topology;
};

struct QualityOptions {
    int rays = 32;         ///< a node
    int resolution = 128;  ///< of the solid
};

/// Rays meet the mesh itself when it is one closed shell, and otherwise the surface of its solid, because
/// eyes and teeth would stop them.
/// \throws Error when the mesh has no extent.
SkeletonQuality skeleton_quality(const CurveSkeleton& curve, const geometry::Mesh& mesh,
                                 const QualityOptions& options = {}, Monitor& monitor = silent());

/// Part of the nodes that lie in a solid; 0 for a curve without nodes.
double inside_fraction(const CurveSkeleton& curve, const geometry::VoxelSolid& solid);

}  // namespace sinew::rig
