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

/// Ends that run into a corner or to the surface are cut back to the middle of the ball that fills the end:
/// where radius - distance from the apex / 2 is largest, as long as it does not fall by more than
/// `tolerance`, and to where the radius is at least `least`, as long as it grows. A branch keeps its last
/// edge.
CurveSkeleton with_trimmed_ends(const CurveSkeleton& curve, double least, double tolerance);

/// Nodes at equal distances along every branch, about `spacing` apart.
CurveSkeleton evenly_spaced(const CurveSkeleton& curve, double spacing);

}  // namespace sinew::rig
