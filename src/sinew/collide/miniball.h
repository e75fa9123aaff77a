#pragma once
/// \file
/// The smallest ball around points.

#include <span>
#include <vector>

#include "sinew/collide/ball.h"

namespace sinew::collide {

/// Smallest enclosing ball (Welzl 1991 with the pivot rule of Gaertner 1999), in double. Its radius is the
/// distance of the farthest point from the centre as computed, so no point lies outside. No points give the
/// empty ball at the origin.
Ball smallest_ball(std::span<const Vec3d> points);

/// The same with centre and radius as they are stored, rounded outwards.
StoredBall smallest_stored_ball(std::span<const Vec3d> points);

}  // namespace sinew::collide
