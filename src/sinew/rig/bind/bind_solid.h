#pragma once
/// \file
/// Bones in a solid: which of them lie in it, and where they are in its cells.

#include "sinew/base/monitor.h"
#include "sinew/rig/bind/bind_input.h"

namespace sinew::rig {

struct BindSolidOptions {
    int resolution = 0;           ///< cells along the longest side, at most 512; 0 chooses it for `cells`
    std::size_t cells = 150'000;  ///< about so many cells in the solid
    int least_resolution = 48;
    int most_resolution = 256;  ///< of those chosen; bounds the memory: that many cubed, about 20 bytes each
};

/// The solid of the mesh and the bones in it.
struct BindSolid {
    CellGraph graph;
    int resolution = 0;  ///< cells along the longest side
    /// For each joint the cells that its bones cross, without those bones that lie mostly outside. A joint
    /// with none does not move the mesh: a root on the floor, a handle beside the body.
    std::vector<std::vector<CellWay>> seeds;
    std::vector<float> depth;       ///< of each cell: from its centre to the nearest place outside
    std::vector<char> bone_counts;  ///< beside BindInput::bones
    std::size_t idle_joints = 0;    ///< that have no seeds
};

/// Ways from the nearest seed of any joint, in cells: unreached in pieces of the solid that no bone is in.
std::vector<float> nearest_ways(const BindSolid& solid);

/// The cells that speak for each place: those around it that have a finite way, or else the nearest one that
/// has, and then the place moves to its centre.
std::vector<CellCorners> reached_corners(const BindSolid& solid, std::span<const float> ways,
                                         std::span<Vec3d> places);

/// \throws Error when the mesh has no extent.
BindSolid bind_solid(const BindInput& input, const BindSolidOptions& options = {},
                     Monitor& monitor = silent());

}  // namespace sinew::rig
