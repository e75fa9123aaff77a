#pragma once
/// \file
/// Thinning of a voxel solid to a curve that has its topology.

#include <cstdint>
#include <vector>

#include "sinew/geometry/voxel_solid.h"

namespace sinew::rig {

/// The 3 x 3 x 3 cells around one as bits: bit i + 3 j + 9 k for the cell at (i - 1, j - 1, k - 1).
using CellBits = std::uint32_t;

/// Whether a solid cell can go without changing the topology: its solid neighbours are connected over
/// corners, and the empty ones that touch it over a face are connected over faces in its 18 neighbours
/// (Bertrand and Malandain 1994). The bit of the cell itself does not count.
bool is_simple(CellBits solid);

/// Removes simple cells layer by layer, from the six directions in turn, and keeps the ends of curves: cells
/// with one neighbour (after Palagyi and Kuba 1998; cells of a layer go one after the other, so that nothing
/// breaks). The outermost layer of the lattice must be empty. Returns the solid cells that remain.
std::vector<std::size_t> thinned(const geometry::VoxelSolid& solid);

}  // namespace sinew::rig
