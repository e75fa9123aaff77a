// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Distances of the skin along a fan of rays, and the ray with the smallest distance (Xie 2009, 4.2.2).

#include <array>
#include <span>
#include <vector>

#include "sinew/rig/bind.h"
#include "sinew/rig/bind/regions/surface.h"

namespace sinew::rig {
/// Gaussian mean over neighbouring rays, mirrored at the ends; rays without a hit (infinite) are skipped and
/// stay infinite. Sigma in rays; 0 keeps the profile.
std::vector<double> smooth_profile(std::span<const double> profile, double sigma = 2);

struct MinimumOptions {
    double step = 1;     ///< angle between two rays, radians
    double near = 1.05;  ///< minima up to this factor of the smallest are compared by curvature
    int stride = 3;      ///< of the second difference, in rays
    double middle =
        -1;  ///< preferred ray among equal minima, by distance; negative means the middle of the fan
};

/// Second derivative of a profile over the angle, (D[i-s] - 2 D[i] + D[i+s]) / (s step)^2, with a shorter
/// stride beside the ends; 0 at an end. For a flat wall at distance h, D = h / cos, it is h.
double second_derivative(std::span<const double> profile, std::size_t ray, const MinimumOptions& options);

/// Of the local minima that are close to the smallest, the one with the largest curvature; -1 when there is
/// no hit. `counts` marks the rays that take part; empty means all.
int choose_minimum(std::span<const double> profile, std::span<const char> counts,
                   const MinimumOptions& options);

// --- The nearest skin on four sides of a joint (Xie 2009, 4.2.1)

/// Geometry of a joint for the search.
struct JointShape {
    Vec3d at = Vec3d::Zero();
    Vec3d incoming = Vec3d::UnitX();  ///< unit: from the parent to the joint, the frame's +X
    std::vector<Vec3d> links;         ///< from the joint to its children, its tip or a virtual child
    double parent_length = 0;         ///< of the link to the parent
    bool leaf = false;
    Vec3d side = Vec3d::UnitY();  ///< +Y where the links are in one line
};

/// Four sectors around the joint in the order +Y, +Z, -Y, -Z, and the axis that they go around.
struct SearchPlan {
    Vec3d at = Vec3d::Zero();
    Vec3d axis = Vec3d::UnitX();  ///< between the incoming and the outgoing bones
    std::array<Sector, 4> sectors;
    std::vector<Vec3d> bones;  ///< unit directions, along which a ray stays within the limb
    bool leaf = false;
};

/// First and last of the children by the angle in the plane with normal z, counted anticlockwise from the
/// direction to the parent, -x.
struct BorderChildren {
    std::size_t first = 0;
    std::size_t last = 0;
    double first_angle = 0;
    double last_angle = 0;
};
BorderChildren border_children(const Vec3d& x, const Vec3d& z, std::span<const Vec3d> links);

/// Single-linkage joints are searched in the plane of their bones and perpendicular to it; multi-linkage
/// joints in the plane that fits parent and children best (total least squares).
SearchPlan search_plan(const JointShape& shape);

/// The smaller principal axis of the section of the body through a point, perpendicular to `x`; where the
/// section is round, the perpendicular part of `side`.
Vec3d section_side(const RegionSurface& surface, const Vec3d& at, const Vec3d& x, const Vec3d& side);

/// One per sector. Where neighbours are more than 170 degrees apart around the axis, or one is missing, a fan
/// half-way between adds another. Distances are weighted as D / cos(lean)^2, because on a tapering limb the
/// nearest skin is always farther along.
std::vector<DividingPoint> dividing_points(const RegionSurface& surface, const SearchPlan& plan);

}  // namespace sinew::rig
