// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Where the lines of a lattice cross a surface, drawn triangle by triangle: no tree is needed.

#include <array>
#include <span>
#include <vector>

#include "sinew/geometry/voxel_solid.h"

namespace sinew::geometry {

/// Signed crossings along the lines of a lattice. A line meets exactly one of the triangles at an edge or a
/// corner, whatever the rounding: which side of an edge it passes is computed alike for both of its
/// triangles.
class LineCrossings {
  public:
    /// \param lattice without a bend; must cover the mesh with a cell to spare
    /// \param mesh any mesh
    /// \param orientation per triangle: -1 for triangles of shells that are inside out, otherwise 1
    LineCrossings(const Lattice& lattice, const Mesh& mesh, std::span<const std::int8_t> orientation);

    /// Adds the votes of both directions along an axis to `votes`, per lattice point: the signed crossings on
    /// either side, at most one vote each. Several open sheets one behind the other must not outvote other
    /// directions.
    void vote(std::size_t axis, std::vector<std::int8_t>& votes);

  private:
    void draw(const Triangle& triangle, int orientation, std::size_t axis);

    const Lattice& lattice_;
    const Mesh& mesh_;
    std::span<const std::int8_t> orientation_;
    std::array<std::vector<double>, 3> at_;  ///< coordinates of the lines
    std::vector<std::int16_t> steps_;        ///< crossings just before each lattice point, with their sign
    std::vector<std::uint8_t> crossed_;      ///< per row of the lattice along x
};

}  // namespace sinew::geometry
