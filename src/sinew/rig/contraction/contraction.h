// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Curve skeletons by contraction: mean-curvature flow shrinks the surface to its medial curve (Tagliasacchi
/// et al. 2012).

#include "sinew/base/monitor.h"
#include "sinew/rig/body/body_graph.h"
#include "sinew/rig/contraction/contraction_mesh.h"
#include "sinew/rig/curve/curve_skeleton.h"

namespace sinew::rig {

/// The centre of the largest sphere that touches the surface at each vertex from inside: an approximation of
/// the medial axis that replaces the Voronoi poles (shrinking spheres, Ma et al. 2012). Sets `pole`.
void find_poles(ContractionMesh& mesh);

/// Contracts the surface until it converges. Returns the number of iterations.
int contract(ContractionMesh& mesh, Monitor& monitor = silent());

/// The surface to contract, in the unit frame, remeshed evenly with about `vertices` vertices.
struct ContractibleSurface {
    ContractionMesh surface;
    bool from_solid =
        false;  ///< surface of the voxelised interior, because the mesh is not one closed, manifold shell
};

/// Warns with `contracts-solid` when the mesh cannot be contracted directly.
/// \throws Error when nothing is left to contract
ContractibleSurface contractible_surface(const geometry::Mesh& mesh, const UnitBody& body,
                                         std::size_t vertices, Monitor& monitor);

struct ContractionResult {
    CurveSkeleton curve;
    bool from_solid = false;  ///< the surface of the voxelised interior was contracted instead of the mesh
    int iterations = 0;       ///< iterations of the flow
    std::size_t start_vertices = 0;  ///< vertices of the remeshed surface
};

/// A closed, manifold mesh with one shell is contracted directly; for other meshes the surface of the
/// voxelised interior is used (warning `contracts-solid`). Branches end at limbs, and every limb has one; the
/// result is refined like all raw curves, see refine_curve.
/// \throws Error when the mesh has no extent, or nothing is left to contract
ContractionResult contraction_skeleton(const geometry::Mesh& mesh, Monitor& monitor = silent());
/// The same with a given interior of the mesh.
ContractionResult contraction_skeleton(const geometry::Mesh& mesh, const UnitBody& body,
                                       Monitor& monitor = silent());

}  // namespace sinew::rig
