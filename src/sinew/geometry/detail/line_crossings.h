// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Intersections of the lines of a lattice with a surface, by rasterising the triangles one by one; no search
/// tree is needed.

#include <array>
#include <span>
#include <vector>

#include "sinew/geometry/voxel_solid.h"

namespace sinew::geometry {

/// Signed crossings along the lines of a lattice. At an edge or corner a line hits exactly one of the
/// adjacent triangles, regardless of rounding, because the side of an edge is computed identically for both
/// of its triangles.
class LineCrossings {
  public:
    /// \param lattice without `bend`; must cover the mesh with a margin of one cell
    /// \param mesh any mesh
    /// \param orientation per triangle: -1 for triangles of inverted shells, otherwise 1
    LineCrossings(const Lattice& lattice, const Mesh& mesh, std::span<const std::int8_t> orientation);

    /// Adds the votes of both directions along an axis to `votes`, per lattice point: the sign of the
    /// crossings on either side, limited to one vote each, so that several open sheets behind each other do
    /// not outvote other directions.
    void vote(std::size_t axis, std::vector<std::int8_t>& votes);

  private:
    void draw(const Triangle& triangle, int orientation, std::size_t axis);

    const Lattice& lattice_;
    const Mesh& mesh_;
    std::span<const std::int8_t> orientation_;
    std::array<std::vector<double>, 3> at_;  ///< coordinates of the lines
    std::vector<std::int16_t> steps_;        ///< signed crossings just before each lattice point
    std::vector<std::uint8_t> crossed_;      ///< per row of the lattice along x
};

}  // namespace sinew::geometry
