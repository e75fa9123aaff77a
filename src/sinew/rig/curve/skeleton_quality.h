// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// What can be said about a curve skeleton without a reference: in the middle, inside, simple, smooth.

#include "sinew/geometry/surface_queries.h"
#include "sinew/geometry/voxel_solid.h"
#include "sinew/rig/curve/curve_skeleton.h"

namespace sinew::rig {

/// `rays` a node; the surface may be the mesh, or the surface of its solid when the mesh has inner shells.
Centredness centredness(const CurveSkeleton& curve, const geometry::SurfaceQueries& surface, int rays = 32);

CurveTopology topology_of(const CurveSkeleton& curve);

/// Part of the nodes that lie in a solid; 0 for a curve without nodes.
double inside_fraction(const CurveSkeleton& curve, const geometry::VoxelSolid& solid);

/// Measures any number of curves in one mesh: the interior and the tree of its surface are built once.
class QualityMeter {
  public:
    /// \throws Error when the mesh has no extent.
    explicit QualityMeter(const geometry::Mesh& mesh, Monitor& monitor = silent());

    SkeletonQuality operator()(const CurveSkeleton& curve) const;

  private:
    geometry::VoxelSolid solid_;
    geometry::SurfaceQueries surface_;
    double diagonal_ = 0;
};

}  // namespace sinew::rig
