#pragma once
/// \file
/// The loops along which parts of a tidy body meet.

#include <array>
#include <span>

#include "sinew/geometry/topology.h"
#include "sinew/geometry/cut_mesh.h"

namespace sinew::deform {

struct Seam {
    int parent = -1;
    int child = -1;                   ///< the part that is farther from the root
    std::vector<std::uint32_t> loop;  ///< points, with the child on the left
    bool closed = true;               ///< false for a chain that starts and ends at the border of the mesh
};

/// Sorted by child, parent and first point. The cut must be tidy.
std::vector<Seam> find_seams(const geometry::CutMesh& cut, std::span<const int> parent);

/// The triangle across each side of each triangle (side k runs from corner k to corner k + 1); -1 at a
/// border, and where more than two triangles meet.
std::vector<std::array<int, 3>> triangles_across(const std::vector<geometry::Triangle>& triangles);

/// Steps from each part up to its root.
std::vector<int> part_depths(std::span<const int> parent);

}  // namespace sinew::deform
