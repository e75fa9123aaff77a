#pragma once
/// \file
/// The kernel of a solid: the points that see all of it.

#include <cstdint>
#include <optional>
#include <span>

#include "sinew/geometry/part_shape.h"

namespace sinew::geometry {

/// Points x with normal . x <= offset; the normal has unit length.
struct HalfSpace {
    Vec3d normal = Vec3d::UnitZ();
    double offset = 0;
};

/// The largest ball inside all half-spaces; a negative radius tells that there is no common point.
struct InnerBall {
    Vec3d centre = Vec3d::Zero();
    double radius = 0;
};

/// Linear programme in (x, r): largest r with n . x + r <= d for all, inside a cube of half side `reach`
/// about `middle` (Seidel 1991, over the few half-spaces that matter, which are found by how far the others
/// are cut).
InnerBall inner_ball(std::span<const HalfSpace> half_spaces, const Vec3d& middle, double reach);

/// The common points of half-spaces about an inner point: the hull of the dual points n / (d - n . inner),
/// each face of which is a corner. None when it is not bounded, or when `inner` is not well inside.
std::optional<Hull> intersection(std::span<const HalfSpace> half_spaces, const Vec3d& inner);

/// The kernel of a solid with closed surface: the common points of the inner sides of its triangles and of
/// `more`. None when it is not star-shaped: when no ball with 1e-7 of the diagonal fits in.
std::optional<Hull> kernel(const std::vector<Vec3d>& points, const std::vector<Triangle>& triangles,
                           std::span<const HalfSpace> more = {});

}  // namespace sinew::geometry
