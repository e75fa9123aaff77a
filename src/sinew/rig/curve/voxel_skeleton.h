// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Curve skeletons straight from the voxelised interior: whatever the mesh is like.

#include "sinew/rig/body/body_limbs.h"
#include "sinew/rig/curve/curve_refine.h"
#include "sinew/rig/curve/curve_skeleton.h"

namespace sinew::rig {

/// Paths prefer deep cells: a step costs its length / depth^this.
inline constexpr double path_centring = 3;

struct VoxelSkeletonResult {
    CurveSkeleton curve;
    int bodies = 0;              ///< connected bodies, each with a tree of its own
    double inside_fraction = 0;  ///< of the nodes
};

/// Tips are the cells that are farthest from the middle of the body on paths inside it, by prominence; from
/// each the cheapest path leads to what is already there, through the middle of the limb (after Sato et al.
/// 2000, TEASAR); then the same from the tips of what stands out from the side of these limbs. The result is
/// a tree for every body.
/// \throws Error when the mesh has no extent.
VoxelSkeletonResult voxel_skeleton(const geometry::Mesh& mesh, Monitor& monitor = silent());
/// The same in a solid that is already there.
VoxelSkeletonResult voxel_skeleton(const UnitBody& body, Monitor& monitor = silent());
/// Only the curve, in the coordinates of the field, without the map of vertices.
CurveSkeleton voxel_curve(const BodyField& field, const BodyGraph& graph);
/// The same to these ends, to what stands out from the sides of their limbs, and to `more` of that kind.
CurveSkeleton voxel_curve(const BodyField& field, const BodyGraph& graph, const std::vector<BodyTip>& limbs,
                          const std::vector<BodyTip>& more = {});

/// The curve of the limbs that a body's own middle shows, without those that stand out from their sides.
CurveSkeleton limb_curve(const BodyField& field, const BodyGraph& graph, const std::vector<BodyTip>& limbs,
                         const RefineOptions& options = {});

/// The tips of all limbs of a body, those that stand out from the side of others last. They depend on the
/// body only, so that every method can be compared on the same limbs.
std::vector<BodyTip> all_tips(const BodyField& field, const BodyGraph& graph);

}  // namespace sinew::rig
