// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Quality of a curve skeleton without a reference: centred, inside, simple, smooth.

#include "sinew/geometry/surface_queries.h"
#include "sinew/geometry/voxel_solid.h"
#include "sinew/rig/curve/curve_skeleton.h"

namespace sinew::rig {

/// `rays` per node. The surface is that of the mesh or, for meshes with inner shells, of its voxelised
/// interior.
Centredness centredness(const CurveSkeleton& curve, const geometry::SurfaceQueries& surface, int rays = 32);

CurveTopology topology_of(const CurveSkeleton& curve);

/// Fraction of the nodes inside; 0 for a curve without nodes.
double inside_fraction(const CurveSkeleton& curve, const geometry::VoxelSolid& solid);

/// Measures any number of curves in one mesh; the interior and the search tree of its surface are built once.
class QualityMeter {
  public:
    /// \throws Error when the mesh has no extent
    explicit QualityMeter(const geometry::Mesh& mesh, Monitor& monitor = silent());

    SkeletonQuality operator()(const CurveSkeleton& curve) const;

  private:
    geometry::VoxelSolid solid_;
    geometry::SurfaceQueries surface_;
    double diagonal_ = 0;
};

}  // namespace sinew::rig
