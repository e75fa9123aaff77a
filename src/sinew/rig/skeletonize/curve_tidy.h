#pragma once
/// \file
/// Which branches of a raw curve stay.

#include "sinew/rig/curve_skeleton.h"

namespace sinew::rig {

/// Breaks every ring at its thinnest link: the spanning forest whose links have the largest radii.
CurveSkeleton without_rings(const CurveSkeleton& curve);

/// Removes branches that end freely and whose balls all stay within `spur` radii of the junction they start
/// from, the least first; and makes one node of every link between junctions that is shorter than `junction`
/// times the larger of their radii; until nothing changes.
CurveSkeleton without_spurs(const CurveSkeleton& curve, double spur, double junction);

/// Nodes at equal distances along every branch, about `spacing` apart.
CurveSkeleton evenly_spaced(const CurveSkeleton& curve, double spacing);

}  // namespace sinew::rig
