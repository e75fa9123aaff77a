// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Curve skeletons for comparison: the Reeb graph of the interior distance, and thinning of the voxelised
/// interior.

#include <cstdint>
#include <vector>

#include "sinew/geometry/voxel_solid.h"
#include "sinew/rig/body/body_limbs.h"
#include "sinew/rig/curve/curve_refine.h"
#include "sinew/rig/curve/curve_skeleton.h"

namespace sinew::published {

using namespace rig;  // the product's own steps around these methods

/// Reeb graph of the geodesic distance through the interior from one end of the body (Lazarus and Verroust
/// 1999, "Level set diagrams", with the interior instead of the surface, so that every mesh works). Each
/// connected part of a level gives a node at its centre; parts of adjacent levels that touch give an edge.
/// Loops of the body remain loops. The curve is not centred: levels are perpendicular to a limb only where
/// the limb points away from the source.
/// \throws Error when the mesh has no extent
CurveSkeleton reeb_skeleton(const geometry::Mesh& mesh, Monitor& monitor = silent());

// Thinning of the voxelised interior to a curve with the same topology.

/// Occupancy of the 3 x 3 x 3 neighbourhood of a cell as bits: bit i + 3 j + 9 k for the cell at (i - 1, j -
/// 1, k - 1).
using CellBits = std::uint32_t;

/// True when an occupied cell can be removed without changing the topology: its occupied neighbours are
/// connected (26-neighbourhood), and the empty cells that share a face with it are connected over faces
/// within its 18-neighbourhood (Bertrand and Malandain 1994). The bit of the cell itself is ignored.
bool is_simple(CellBits solid);

/// Removes simple cells layer by layer, from the six directions in turn, and keeps the ends of curves: cells
/// with one neighbour (after Palagyi and Kuba 1998; the cells of a layer are processed sequentially, which
/// preserves the topology). Returns the remaining inside cells.
/// \pre The outermost layer of the lattice is empty.
std::vector<std::size_t> thinned(const geometry::VoxelSolid& solid);

// Curve skeletons by thinning of the voxelised interior, for comparison.

/// Curve skeleton from the cells that remain after thinning (see `thinned`): one node per cell, without small
/// branches caused by the roughness of the surface. It is neither centred nor smoothed and keeps the steps of
/// the lattice. It is a tree: loops are cut at their thinnest link.
/// \throws Error when the mesh has no extent
CurveSkeleton thinning_skeleton(const geometry::Mesh& mesh, Monitor& monitor = silent());

}  // namespace sinew::published
