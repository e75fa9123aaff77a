// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Operations on spheres, and spheres as trees store them.

#include <limits>
#include <span>

#include "sinew/collide/body.h"

namespace sinew::collide {

inline Sphere unbounded() {
    return {Vec3d::Zero(), std::numeric_limits<double>::infinity()};
}

/// A sphere as it is stored.
struct StoredSphere {
    Vec3f center = Vec3f::Zero();
    float radius = 0;

    Sphere widen() const { return {center.cast<double>(), static_cast<double>(radius)}; }
};

/// Unit roundoff of the skinning that spheres must contain: single precision.
inline constexpr double roundoff = 0x1p-24;
inline constexpr float infinite = std::numeric_limits<float>::infinity();

/// A single-precision number that is not smaller than a positive double.
inline float rounded_up(double value) {
    return static_cast<float>(value) * (1 + 0x1p-22f);
}

/// Centre rounded, radius increased by the rounding of the centre and rounded up: contains the sphere.
StoredSphere stored(const Sphere& sphere);

/// A sphere around spheres, about the mean of their centres or the centre of their bounding box, whichever
/// gives the smaller one; a single sphere is returned unchanged.
Sphere sphere_of_spheres(std::span<const Sphere> spheres);

/// Smallest enclosing sphere (Welzl 1991 with the pivot rule of Gaertner 1999), in double. Its radius is the
/// distance of the farthest point from the centre as computed, so no point lies outside. No points give the
/// empty sphere at the origin.
Sphere smallest_sphere(std::span<const Vec3d> points);

/// The same with centre and radius as they are stored, rounded outwards.
StoredSphere smallest_stored_sphere(std::span<const Vec3d> points);

/// True only when the spheres, grown by `tolerance`, certainly have no common point. Values that are not
/// finite are not disjoint.
inline bool disjoint(const Sphere& a, const Sphere& b, double tolerance = 0) {
    constexpr double slack = 8 * 0x1p-53;
    const double reach = a.radius + b.radius + tolerance;
    return (a.center - b.center).squaredNorm() * (1 - slack) > reach * reach * (1 + slack);
}

}  // namespace sinew::collide
