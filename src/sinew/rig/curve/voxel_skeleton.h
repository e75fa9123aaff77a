// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Curve skeletons from the voxelised interior; works for any mesh.

#include "sinew/rig/body/body_limbs.h"
#include "sinew/rig/curve/curve_refine.h"
#include "sinew/rig/curve/curve_skeleton.h"

namespace sinew::rig {

/// Paths prefer deep cells: a step costs its length / depth^this.
inline constexpr double path_centring = 3;

struct VoxelSkeletonResult {
    CurveSkeleton curve;
    int bodies = 0;              ///< connected bodies, each with its own tree
    double inside_fraction = 0;  ///< of the nodes
};

/// Tips are the cells farthest from the centre of the body on paths inside it, by prominence. From each the
/// cheapest path leads through the middle of the limb to the existing curve (after Sato et al. 2000, TEASAR);
/// then the same for the tips of protrusions from the sides of these limbs. The result is one tree per body.
/// \throws Error when the mesh has no extent
VoxelSkeletonResult voxel_skeleton(const geometry::Mesh& mesh, Monitor& monitor = silent());
/// The same in a given interior.
VoxelSkeletonResult voxel_skeleton(const UnitBody& body, Monitor& monitor = silent());
/// Only the curve, in the coordinates of the field, without the nodes of vertices.
CurveSkeleton voxel_curve(const BodyField& field, const BodyGraph& graph);
/// The same for given ends, for protrusions from the sides of their limbs, and for `more` such protrusions.
CurveSkeleton voxel_curve(const BodyField& field, const BodyGraph& graph, const std::vector<BodyTip>& limbs,
                          const std::vector<BodyTip>& more = {});

/// A curve of the limbs that start at the centre of a body, without those that protrude from their sides.
CurveSkeleton limb_curve(const BodyField& field, const BodyGraph& graph, const std::vector<BodyTip>& limbs,
                         const RefineOptions& options = {});

/// The tips of all limbs of a body, with those that protrude from the side of others last. They depend only
/// on the body, so that all methods can be compared on the same limbs.
std::vector<BodyTip> all_tips(const BodyField& field, const BodyGraph& graph);

}  // namespace sinew::rig
