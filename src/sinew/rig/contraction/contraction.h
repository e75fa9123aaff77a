// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Curve skeletons by contraction: the surface shrinks to its middle by mean-curvature flow (Tagliasacchi et
/// al. 2012).

#include "sinew/base/monitor.h"
#include "sinew/rig/body/body_graph.h"
#include "sinew/rig/contraction/contraction_mesh.h"
#include "sinew/rig/curve/curve_skeleton.h"

namespace sinew::rig {

/// The centre of the largest sphere that touches the surface at each vertex from inside: the medial axis,
/// which stands for the Voronoi poles (shrinking spheres, Ma et al. 2012). Sets `pole`.
void find_poles(ContractionMesh& mesh);

/// Shrinks the surface until it stands still. Returns the number of iterations.
int contract(ContractionMesh& mesh, Monitor& monitor = silent());

/// What can be contracted of a mesh, in the unit frame, made even with about `vertices` vertices.
struct ContractibleSurface {
    ContractionMesh surface;
    bool from_solid =
        false;  ///< of the voxelised interior, because the mesh is not one closed, manifold shell
};

/// Warns with `contracts-solid` when the mesh cannot be contracted itself.
/// \throws Error when nothing is left to contract.
ContractibleSurface contractible_surface(const geometry::Mesh& mesh, const UnitBody& body,
                                         std::size_t vertices, Monitor& monitor);

struct ContractionResult {
    CurveSkeleton curve;
    bool from_solid = false;         ///< the surface of the voxelised interior was contracted, not the mesh
    int iterations = 0;              ///< of the flow
    std::size_t start_vertices = 0;  ///< of the even surface
};

/// A closed, manifold mesh of one shell is contracted itself; of any other mesh the surface of its voxel
/// solid (warning `contracts-solid`). Branches end at limbs, and every limb has one; the result is refined as
/// every raw curve is: see refine_curve.
/// \throws Error when the mesh has no extent, or nothing is left to contract.
ContractionResult contraction_skeleton(const geometry::Mesh& mesh, Monitor& monitor = silent());
/// The same with the interior of the mesh, when that is already there.
ContractionResult contraction_skeleton(const geometry::Mesh& mesh, const UnitBody& body,
                                       Monitor& monitor = silent());

}  // namespace sinew::rig
