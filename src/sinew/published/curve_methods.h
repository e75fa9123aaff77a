// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Curve skeletons for comparison: the Reeb graph of the distance in the interior, and thinning of the
/// solid.

#include <cstdint>
#include <vector>

#include "sinew/geometry/voxel_solid.h"
#include "sinew/rig/body/body_limbs.h"
#include "sinew/rig/curve/curve_refine.h"
#include "sinew/rig/curve/curve_skeleton.h"

namespace sinew::published {

using namespace rig;  // the product's own steps around these methods

/// The Reeb graph of the distance from one end of the body, on paths inside it (Lazarus and Verroust 1999,
/// "Level set diagrams", with the interior instead of the surface, so that every mesh works): a node in the
/// middle of every connected part of a level, an edge where parts of two levels touch. Rings of the body stay
/// rings. Nothing is centred: levels lie across a limb only where its end is far from the source.
/// \throws Error when the mesh has no extent.
CurveSkeleton reeb_skeleton(const geometry::Mesh& mesh, Monitor& monitor = silent());

// Thinning of a voxel solid to a curve that has its topology.

/// The 3 x 3 x 3 cells around one as bits: bit i + 3 j + 9 k for the cell at (i - 1, j - 1, k - 1).
using CellBits = std::uint32_t;

/// Whether a solid cell can go without changing the topology: its solid neighbours are connected over
/// corners, and the empty ones that touch it over a face are connected over faces in its 18 neighbours
/// (Bertrand and Malandain 1994). The bit of the cell itself does not count.
bool is_simple(CellBits solid);

/// Removes simple cells layer by layer, from the six directions in turn, and keeps the ends of curves: cells
/// with one neighbour (after Palagyi and Kuba 1998; cells of a layer go one after the other, so that nothing
/// breaks). The outermost layer of the lattice must be empty. Returns the inside cells that remain.
std::vector<std::size_t> thinned(const geometry::VoxelSolid& solid);

// Curve skeletons by thinning of the voxelised interior, for comparison.

/// What is left of the interior when its cells are removed layer by layer as long as that does not change its
/// topology, see `thinned`: a node for every cell, without the small branches that the surface's roughness
/// leaves. Nothing is centred or smoothed: the curve keeps the steps of the lattice. A tree: rings are broken
/// at their thinnest link.
/// \throws Error when the mesh has no extent.
CurveSkeleton thinning_skeleton(const geometry::Mesh& mesh, Monitor& monitor = silent());

}  // namespace sinew::published
