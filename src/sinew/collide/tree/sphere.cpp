// SPDX-License-Identifier: MIT
#include "sinew/collide/tree/sphere.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace sinew::collide {
namespace {

Sphere around(const Vec3d& center, std::span<const Sphere> spheres) {
    double radius = 0;
    for (const Sphere& sphere : spheres) {
        const double reach = (sphere.center - center).norm() + sphere.radius;
        if (!(reach <= radius)) radius = reach;  // NaN is the maximum, and means: unbounded
    }
    return {center, radius * (1 + 8 * 0x1p-53)};
}

}  // namespace

StoredSphere stored(const Sphere& sphere) {
    StoredSphere result;
    result.center = sphere.center.cast<float>();
    const double moved = (sphere.center - result.center.cast<double>()).norm();
    const double radius = (sphere.radius + moved) * (1 + 8 * 0x1p-53);
    result.radius = static_cast<float>(radius);
    if (static_cast<double>(result.radius) < radius) {
        result.radius = std::nextafter(result.radius, std::numeric_limits<float>::infinity());
    }
    if (!std::isfinite(radius) || !result.center.allFinite()) {
        return {Vec3f::Zero(), std::numeric_limits<float>::infinity()};
    }
    return result;
}

Sphere sphere_of_spheres(std::span<const Sphere> spheres) {
    if (spheres.empty()) return {};
    if (spheres.size() == 1) return spheres[0];
    Vec3d mean = Vec3d::Zero();
    Vec3d low = Vec3d::Constant(std::numeric_limits<double>::max()), high = -low;
    for (const Sphere& sphere : spheres) {
        if (!sphere.bounded()) return unbounded();
        mean += sphere.center;
        const Vec3d radius = Vec3d::Constant(sphere.radius);
        low = low.cwiseMin(sphere.center - radius);
        high = high.cwiseMax(sphere.center + radius);
    }
    const Sphere first = around(mean / static_cast<double>(spheres.size()), spheres);
    const Sphere second = around((low + high) / 2, spheres);
    return second.radius < first.radius ? second : first;
}

namespace {

/// Points on the sphere; at most four.
struct Support {
    std::array<Vec3d, 4> points;
    std::size_t count = 0;
};

/// The smallest sphere with the support on its boundary: centre p0 + sum l_i d_i with 2 <d_i, d_j> l_j =
/// <d_i, d_i>, d_i = p_i - p0. False when the points are affinely dependent.
bool sphere_on(const Support& support, Sphere& sphere) {
    if (support.count == 0) {
        sphere = {Vec3d::Zero(), -1};
        return true;
    }
    const Vec3d& origin = support.points[0];
    Vec3d basis[3], orthogonal[3], offset = Vec3d::Zero();
    const std::size_t dimension = support.count - 1;
    for (std::size_t i = 0; i < dimension; ++i) {
        basis[i] = support.points[i + 1] - origin;
        orthogonal[i] = basis[i];
        for (std::size_t j = 0; j < i; ++j) {
            orthogonal[i] -= orthogonal[i].dot(orthogonal[j]) / orthogonal[j].squaredNorm() * orthogonal[j];
        }
        if (orthogonal[i].squaredNorm() <= 1e-20 * basis[i].squaredNorm()) return false;
        // Move along the new direction until the new point has the same distance as the others.
        const double missing = basis[i].squaredNorm() / 2 - basis[i].dot(offset);
        offset += missing / basis[i].dot(orthogonal[i]) * orthogonal[i];
    }
    sphere = {origin + offset, offset.norm()};
    return true;
}

bool outside(const Sphere& sphere, const Vec3d& point) {
    return sphere.radius < 0 ||
           (point - sphere.center).squaredNorm() > sphere.radius * sphere.radius * (1 + 1e-13);
}

/// Welzl's recursion with points moved to the front; the support bounds the depth.
void move_to_front(std::span<Vec3d> points, Support& support, Sphere& sphere) {
    if (!sphere_on(support, sphere) || support.count == 4) return;
    for (std::size_t i = 0; i < points.size(); ++i) {
        const Vec3d point = points[i];
        if (!outside(sphere, point)) continue;
        Sphere larger = sphere;
        support.points[support.count++] = point;
        if (sphere_on(support, larger)) {
            move_to_front(points.first(i), support, larger);
            sphere = larger;
            std::rotate(points.begin(), points.begin() + static_cast<std::ptrdiff_t>(i),
                        points.begin() + static_cast<std::ptrdiff_t>(i) + 1);
        }
        --support.count;
    }
}

std::size_t farthest(std::span<const Vec3d> points, const Vec3d& center, double& distance2) {
    std::size_t best = 0;
    distance2 = -1;
    for (std::size_t i = 0; i < points.size(); ++i) {
        const double d = (points[i] - center).squaredNorm();
        if (d > distance2) {
            distance2 = d;
            best = i;
        }
    }
    return best;
}

/// Adds the farthest point to the few that determine the sphere, and solves the sphere of those again; its
/// radius grows every time, so this ends.
Vec3d center_of(std::span<const Vec3d> points) {
    constexpr std::size_t largest = 8;
    std::array<Vec3d, largest> holders{points[0]};
    std::size_t count = 1;
    Sphere sphere{points[0], 0};
    for (int round = 0; round < 1000; ++round) {
        double distance2 = 0;
        const std::size_t next = farthest(points, sphere.center, distance2);
        if (distance2 <= sphere.radius * sphere.radius * (1 + 1e-13)) break;
        holders[count++] = points[next];
        Support support;
        Sphere larger;
        move_to_front({holders.data(), count}, support, larger);
        if (larger.radius <= sphere.radius) break;  // rounding prevents further growth
        sphere = larger;
        const auto idle = [&](const Vec3d& p) {
            return (p - sphere.center).squaredNorm() < sphere.radius * sphere.radius * (1 - 1e-11);
        };
        count = static_cast<std::size_t>(
            std::remove_if(holders.begin(), holders.begin() + static_cast<std::ptrdiff_t>(count), idle) -
            holders.begin());
        count = std::min(count, largest - 1);
    }
    return sphere.center;
}

double reach_of(std::span<const Vec3d> points, const Vec3d& center) {
    double distance2 = 0;
    farthest(points, center, distance2);
    return std::sqrt(std::max(0.0, distance2));
}

}  // namespace

Sphere smallest_sphere(std::span<const Vec3d> points) {
    if (points.empty()) return {};
    const Vec3d center = center_of(points);
    return {center, reach_of(points, center) * (1 + 4 * 0x1p-53)};
}

StoredSphere smallest_stored_sphere(std::span<const Vec3d> points) {
    if (points.empty()) return {};
    const Vec3d center = center_of(points).cast<float>().cast<double>();
    return stored({center, reach_of(points, center) * (1 + 4 * 0x1p-53)});
}

}  // namespace sinew::collide
