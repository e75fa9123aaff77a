#pragma once
/// \file
/// Curve skeletons by contraction: the surface shrinks to its middle.

#include "sinew/rig/curve_skeleton.h"
#include "sinew/rig/skeletonize/body_limbs.h"
#include "sinew/rig/skeletonize/contraction_au.h"
#include "sinew/rig/skeletonize/contraction_flow.h"
#include "sinew/rig/skeletonize/curve_refine.h"

namespace sinew::rig {

enum class ContractionScheme {
    mean_curvature,  ///< drawn to medial balls, remeshed on the way (Tagliasacchi et al. 2012)
    au,              ///< as Au et al. (2008) published it; the limbs of the body are not asked
};

struct ContractionOptions {
    ContractionScheme scheme = ContractionScheme::mean_curvature;
    AuOptions au = {};
    FlowOptions flow = {};
    BodyOptions body = {};
    RefineOptions refine = {};
    LimbOptions limbs = {};   ///< branches end at limbs, and every limb has one
    double centring = 3;      ///< of the ways to limbs that the surface lost while it shrank
    int vertices = 1500;      ///< the surface is made even with about so many vertices first
    bool from_solid = false;  ///< contract the surface of the voxel solid even when the mesh would do
};

struct ContractionResult {
    CurveSkeleton curve;
    bool from_solid = false;         ///< the surface of the voxel solid was contracted, not the mesh
    int iterations = 0;              ///< of the flow
    std::size_t start_vertices = 0;  ///< of the even surface
    std::size_t raw_nodes = 0;       ///< of the curve before it was refined
    double inside_fraction = 0;      ///< of the nodes
};

/// The mean-curvature skeleton (Tagliasacchi et al. 2012), or that of Au et al. (2008). A closed, manifold
/// mesh of one shell is contracted itself; of any other mesh the surface of the solid that the eye sees
/// (warning `contracts-solid`). The result is refined as every raw curve is: see refine_curve.
/// \throws Error when the mesh has no extent, or nothing is left to contract.
ContractionResult contraction_skeleton(const geometry::Mesh& mesh, const ContractionOptions& options = {},
                                       Monitor& monitor = silent());

}  // namespace sinew::rig
