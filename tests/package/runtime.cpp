// SPDX-License-Identifier: MIT
// A program that only skins, built against the installed sinew::runtime: two joints bend a strip of three
// vertices.

#include <cmath>
#include <cstdio>

#include "sinew/deform/deformer.h"

int main() {
    using namespace sinew;
    model::Character strip;
    strip.skeleton.joints = {{.name = "root", .parent = -1}, {.name = "tip", .parent = 0}};
    strip.skeleton.joints[1].rest.translation = {0, 1, 0};
    strip.mesh.positions = {{0, 0, 0}, {0, 1, 0}, {0, 2, 0}};
    strip.mesh.triangles = {{0, 1, 2}};
    strip.skin.joints = model::bind_at_rest(strip.skeleton);
    for (const std::uint32_t joint : {0u, 1u, 1u}) {
        const model::Influence whole{joint, 1.0f};
        strip.skin.push_vertex({&whole, 1});
    }
    std::vector<math::Transform> pose = {strip.skeleton.joints[0].rest, strip.skeleton.joints[1].rest};
    pose[1].rotation = math::axis_angle<double>({0, 0, 1}, std::acos(0.0));  // a right angle to -x
    deform::Deformer deformer(strip);
    const math::Vec3f end = deformer.at(pose).positions[2];
    std::printf("%.3f %.3f %.3f\n", end.x(), end.y(), end.z());
    return (end - math::Vec3f(-1, 1, 0)).norm() < 1e-5f ? 0 : 1;
}
