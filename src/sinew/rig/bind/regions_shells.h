#pragma once
/// \file
/// Weights of shells that no boundary touches: eyes, teeth, buttons, clothes.

#include "sinew/rig/bind/region_grow.h"
#include "sinew/rig/bind/weight_table.h"

namespace sinew::rig {

/// Gives every vertex without a region the region and the row of the nearest vertex of the body; all vertices
/// of a shell smaller than `small` (of the size of the mesh) get the mean of these rows, so that it keeps its
/// shape. `rows` and `regions` are by vertex of the surface.
void attach_shells(const RegionSurface& surface, std::vector<int>& regions,
                   std::vector<std::vector<JointWeight>>& rows, double small = 0.1);

}  // namespace sinew::rig
