#pragma once
/// \file
/// Heat weights (Baran and Popović 2007): each bone warms the skin that it sees, and the warmth spreads.

#include "sinew/base/monitor.h"
#include "sinew/rig/bind/bind_input.h"
#include "sinew/rig/bind/weight_table.h"

namespace sinew::rig {

struct HeatOptions {
    double heat = 1;    ///< c of H = c / d^2; 0.22 is nearer to heat that flows in a volume
    double tie = 1e-4;  ///< joints whose distances differ by less than this part of them share a vertex
};

/// Solves (L + M H) w_j = M H p_j on the surface: L the cotangent stiffness, M the vertex areas, H_vv = c /
/// d_v^2 with d_v the distance to the nearest joint that the vertex sees through the inside of the mesh, p_j
/// 1 where j is that joint. A joint is as near as the nearest of its bones. Cotangent weights below 0, which
/// make weights leave [0, 1], count as 0; edges may have any number of triangles. Pieces of the surface that
/// see no bone get empty rows.
/// \throws Error when there is nothing to bind, or the equations cannot be solved.
WeightTable heat_weights(const geometry::Mesh& mesh, const model::Skeleton& skeleton,
                         const HeatOptions& options = {}, Monitor& monitor = silent());

}  // namespace sinew::rig
