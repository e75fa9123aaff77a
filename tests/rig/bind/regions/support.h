// SPDX-License-Identifier: MIT
#pragma once
// Small bodies and skeletons whose regions are known.

#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "rig/limbs.h"

#include "sinew/model/skeleton.h"

namespace sinew::test {

struct JointAt {
    int parent;
    Vec3d at;
};

/// Joints "0", "1", ... at places in the room; `tip` is the end of the last one's bone.
inline model::Skeleton joints_at(const std::vector<JointAt>& joints, const Vec3d* tip = nullptr) {
    model::Skeleton skeleton;
    for (std::size_t j = 0; j < joints.size(); ++j) {
        model::Joint joint;
        joint.name = std::to_string(j);
        joint.parent = joints[j].parent;
        const Vec3d above =
            joint.parent < 0 ? Vec3d(Vec3d::Zero()) : joints[static_cast<std::size_t>(joint.parent)].at;
        joint.rest.translation = joints[j].at - above;
        skeleton.joints.push_back(joint);
    }
    if (tip != nullptr) skeleton.joints.back().tip = *tip - joints.back().at;
    return skeleton;
}

/// Closed surface of revolution about x: rings of radius r(x), a point at each end.
inline geometry::Mesh revolved(const std::function<double(double)>& radius, double from, double to,
                               std::uint32_t rings, std::uint32_t around) {
    geometry::Mesh mesh;
    for (std::uint32_t i = 0; i < rings; ++i) {
        const double x = from + (to - from) * i / (rings - 1);
        for (std::uint32_t k = 0; k < around; ++k) {
            // Half a step on every second ring, so that no diagonal runs along the axis.
            const double angle = 2 * math::pi * (k + 0.5 * (i % 2)) / around;
            mesh.positions.emplace_back(static_cast<float>(x),
                                        static_cast<float>(radius(x) * std::cos(angle)),
                                        static_cast<float>(radius(x) * std::sin(angle)));
        }
    }
    const std::uint32_t first = rings * around, last = first + 1;
    mesh.positions.emplace_back(static_cast<float>(from), 0.0f, 0.0f);
    mesh.positions.emplace_back(static_cast<float>(to), 0.0f, 0.0f);
    for (std::uint32_t k = 0; k < around; ++k) {
        const std::uint32_t next = (k + 1) % around;
        mesh.triangles.push_back({first, next, k});
        mesh.triangles.push_back({last, (rings - 1) * around + k, (rings - 1) * around + next});
        for (std::uint32_t i = 0; i + 1 < rings; ++i) {
            const std::uint32_t a = i * around + k, b = i * around + next;
            const std::uint32_t c = a + around, d = b + around;
            if (i % 2 == 0) {
                mesh.triangles.push_back({a, b, c});
                mesh.triangles.push_back({b, d, c});
            } else {
                mesh.triangles.push_back({a, d, c});
                mesh.triangles.push_back({a, b, d});
            }
        }
    }
    return mesh;
}

inline geometry::Mesh cylinder(double radius, double length, std::uint32_t rings, std::uint32_t around) {
    return revolved([=](double) { return radius; }, -length / 2, length / 2, rings, around);
}

/// Root, middle and end on the axis of a cylinder, with the tip where it ends.
inline model::Skeleton axis_skeleton(const std::vector<double>& places, double tip) {
    std::vector<JointAt> joints;
    for (std::size_t i = 0; i < places.size(); ++i)
        joints.push_back({static_cast<int>(i) - 1, {places[i], 0, 0}});
    const Vec3d end(tip, 0, 0);
    return joints_at(joints, &end);
}

}  // namespace sinew::test
