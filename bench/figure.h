// SPDX-License-Identifier: MIT
#pragma once
// A body of round limbs with as many triangles or vertices as a benchmark wants.

#include <algorithm>
#include <cmath>
#include <vector>

#include "sinew/geometry/voxel_solid.h"

namespace sinew::bench {

struct Limb {
    math::Vec3d from, to;
    double radius;
};

/// Distance to the nearest limb's surface, negative inside.
inline double distance_to(const std::vector<Limb>& limbs, const math::Vec3d& point) {
    double min = 1e30;
    for (const Limb& limb : limbs) {
        const math::Vec3d along = limb.to - limb.from;
        const double t = std::clamp((point - limb.from).dot(along) / along.squaredNorm(), 0.0, 1.0);
        min = std::min(min, (point - limb.from - t * along).norm() - limb.radius);
    }
    return min;
}

/// The surface of the limbs with about so many triangles: their number grows as 1 / cell^2.
inline geometry::Mesh figure_with(const std::vector<Limb>& limbs, std::size_t triangles) {
    geometry::Box box;
    for (const Limb& limb : limbs) {
        for (const math::Vec3d& end : {limb.from, limb.to}) {
            const math::Vec3d reach = math::Vec3d::Constant(limb.radius + 0.1);
            box.include((end - reach).cast<float>());
            box.include((end + reach).cast<float>());
        }
    }
    const auto field = [&](const math::Vec3d& point) { return distance_to(limbs, point); };
    const auto at = [&](double cell) {
        return geometry::surface_nets(field, geometry::lattice_over(box, cell), 1);
    };
    const double coarse = 0.05;
    const auto known = static_cast<double>(at(coarse).triangles.size());
    return at(coarse * std::sqrt(known / static_cast<double>(triangles)));
}

}  // namespace sinew::bench
