#pragma once
/// \file
/// Do two triangles touch? Exact for the coordinates given; closed sets, so touching counts; a triangle
/// without area is a segment or a point.

#include <array>
#include <optional>

#include "sinew/math/types.h"

namespace sinew::collide {

using math::Vec3d;
using math::Vec3f;

using Corners = std::array<Vec3d, 3>;

/// Straight from the definition: they meet when an edge of one meets the other. The oracle of the next.
bool triangles_meet_reference(const Corners& a, const Corners& b);

/// The same answer on every input, faster: planes first, then two orientations (Guigue & Devillers 2003).
bool triangles_meet(const Corners& a, const Corners& b);

/// The same for corners that are single precision, four floats each of which the last is 0: where single
/// precision decides, it does.
using CornerRows = std::array<const float*, 3>;
bool triangles_meet(const CornerRows& a, const CornerRows& b);

/// End points of the intersection of two triangles that cross; both equal where they only touch. Nothing when
/// they are apart, or coplanar, where the intersection is a polygon. As exact as double.
struct Segment {
    Vec3d from, to;
};
std::optional<Segment> intersection_segment(const Corners& a, const Corners& b);

/// Squared distance of two triangles, 0 when they meet.
double squared_distance(const Corners& a, const Corners& b);

}  // namespace sinew::collide
