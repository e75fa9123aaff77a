#pragma once
/// \file
/// Curve skeletons straight from the solid that the eye sees: whatever the mesh is like.

#include "sinew/rig/curve_skeleton.h"
#include "sinew/rig/skeletonize/body_limbs.h"
#include "sinew/rig/skeletonize/curve_refine.h"

namespace sinew::rig {

struct VoxelSkeletonOptions {
    BodyOptions body = {};
    RefineOptions refine = {};
    LimbOptions limbs = {};  ///< what counts as a limb, tail or ear
    /// Ways prefer deep places: a step costs its length / depth^this.
    double centring = 3;
};

struct VoxelSkeletonResult {
    CurveSkeleton curve;
    int bodies = 0;              ///< connected bodies, each with a tree of its own
    double cell = 0;             ///< size of the cells
    double inside_fraction = 0;  ///< of the nodes
};

/// Tips are the places that are farthest from the middle of the body on ways inside it, by prominence; from
/// each the cheapest way leads to what is already there, through the middle of the limb (after Sato et al.
/// 2000, TEASAR); then the same from the tips of what stands out from the side of these limbs. The result is
/// a tree for every body.
/// \throws Error when the mesh has no extent.
VoxelSkeletonResult voxel_skeleton(const geometry::Mesh& mesh, const VoxelSkeletonOptions& options = {},
                                   Monitor& monitor = silent());

/// The same in a solid that is already there; without the map of vertices.
CurveSkeleton voxel_curve(const BodyField& field, const BodyGraph& graph,
                          const VoxelSkeletonOptions& options = {});

/// The tips of all limbs of a body, those that stand out from the side of others last. They depend on the
/// body only, so that every method can be held to the same limbs.
std::vector<BodyTip> all_tips(const BodyField& field, const BodyGraph& graph,
                              const VoxelSkeletonOptions& options = {});

}  // namespace sinew::rig
