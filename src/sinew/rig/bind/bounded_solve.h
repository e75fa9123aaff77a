#pragma once
/// \file
/// Smooth functions between bounds on the cells of a solid.

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace sinew::rig {

/// For each cell its neighbours over the six faces; the cell itself where there is none, which makes the
/// border natural: no difference, no cost.
using FaceNeighbours = std::vector<std::array<std::uint32_t, 6>>;

struct BoundedSolveOptions {
    double tolerance = 1e-3;  ///< of the projected gradient, against the one that the fixed cells alone cause
    int most_steps = 1000;
};

/// Minimises |K x|^2 over the cells in `free`, 0 <= x <= 1, where (K x)_i = sum (x_i - x_n) over the six
/// neighbours; the other cells keep their values. Conjugate gradients with projections that need one product
/// with the matrix a step (MPRGP; Dostál and Schöberl 2005). `x` holds the first guess, within the bounds.
/// Returns the number of steps.
int minimize_bending(const FaceNeighbours& neighbours, std::span<const std::uint32_t> free,
                     std::vector<double>& x, const BoundedSolveOptions& options = {});

}  // namespace sinew::rig
