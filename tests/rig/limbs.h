// SPDX-License-Identifier: MIT
#pragma once
// Bodies made of round limbs, whose axes are known.

#include <algorithm>
#include <cmath>
#include <limits>

#include "sinew/geometry/voxel_solid.h"

namespace sinew::test {

using math::Vec3d;

struct Limb {
    Vec3d from, to;
    double radius;

    double distance(const Vec3d& point) const {
        const Vec3d along = to - from;
        const double length = along.squaredNorm();
        const double t = length > 0 ? std::clamp((point - from).dot(along) / length, 0.0, 1.0) : 0;
        return (point - from - t * along).norm();
    }
};

inline double axis_distance(const std::vector<Limb>& limbs, const Vec3d& point) {
    double least = std::numeric_limits<double>::infinity();
    for (const Limb& limb : limbs) least = std::min(least, limb.distance(point));
    return least;
}

/// The closed surface around limbs with round ends.
inline geometry::Mesh body_of(const std::vector<Limb>& limbs, double cell = 0.04) {
    geometry::Box box;
    for (const Limb& limb : limbs) {
        for (const Vec3d& end : {limb.from, limb.to}) {
            box.include((end - Vec3d::Constant(limb.radius)).cast<float>());
            box.include((end + Vec3d::Constant(limb.radius)).cast<float>());
        }
    }
    const auto field = [&](const Vec3d& point) {
        double least = std::numeric_limits<double>::infinity();
        for (const Limb& limb : limbs) least = std::min(least, limb.distance(point) - limb.radius);
        return least;
    };
    return geometry::surface_nets(field, geometry::lattice_over(box, cell));
}

inline std::vector<Limb> capsule() {
    return {{{0, -1, 0}, {0, 1, 0}, 0.25}};
}
/// A quarter of a ring of radius 1 in the xy plane.
inline std::vector<Limb> bent_tube() {
    std::vector<Limb> limbs;
    const auto at = [](int i) {
        const double angle = math::pi / 2 * i / 16;
        return Vec3d(std::cos(angle), std::sin(angle), 0);
    };
    for (int i = 0; i < 16; ++i) limbs.push_back({at(i), at(i + 1), 0.2});
    return limbs;
}
inline std::vector<Limb> y_tube() {
    return {
        {{0, 0, 0}, {0, -1, 0}, 0.18}, {{0, 0, 0}, {0.8, 0.7, 0}, 0.18}, {{0, 0, 0}, {-0.8, 0.7, 0}, 0.18}};
}
/// Two legs, two arms, a head.
inline std::vector<Limb> figure() {
    return {{{0, 0, 0}, {0, 0.8, 0}, 0.22},       {{0, 0.8, 0}, {0, 1.3, 0}, 0.15},
            {{0, 0.75, 0}, {1, 0.75, 0}, 0.1},    {{0, 0.75, 0}, {-1, 0.75, 0}, 0.1},
            {{0.12, 0, 0}, {0.3, -1.1, 0}, 0.12}, {{-0.12, 0, 0}, {-0.3, -1.1, 0}, 0.12}};
}
/// A toy: a round head as large as the body, flat ears as long as the arms, short limbs.
inline std::vector<Limb> toy() {
    return {{{0, 0.3, 0}, {0, 0.6, 0}, 0.38},
            {{0, 1.45, 0}, {0, 1.5, 0}, 0.5},
            {{0, 0.6, 0}, {0, 1.4, 0}, 0.2},
            {{0.3, 1.6, 0}, {0.95, 1.75, 0}, 0.22},
            {{-0.3, 1.6, 0}, {-0.95, 1.75, 0}, 0.22},
            {{0.2, 0.6, 0}, {0.75, 0.35, 0.05}, 0.1},
            {{-0.2, 0.6, 0}, {-0.75, 0.35, 0.05}, 0.1},
            {{0.18, 0.2, 0}, {0.22, -0.4, 0.05}, 0.15},
            {{-0.18, 0.2, 0}, {-0.22, -0.4, 0.05}, 0.15}};
}

}  // namespace sinew::test
