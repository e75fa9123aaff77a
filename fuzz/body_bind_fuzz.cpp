// SPDX-License-Identifier: MIT
// Any mesh and any skeleton, by every method: weights of sum 1 on every vertex, or an Error.

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "support/odd_mesh.h"

#include "sinew/base/error.h"
#include "sinew/rig/bind.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace sinew;
    test::Dice dice({data, size});
    const std::span<const rig::BindMethod> methods = rig::bind_methods();
    rig::BindOptions options;
    const int method = dice.pick(static_cast<int>(methods.size()) + 1);
    if (method > 0) options.method = methods[static_cast<std::size_t>(method - 1)];
    options.max_influences = dice.pick(6);
    options.softness = dice.between(0, 1);
    options.smoothing = dice.pick(3);
    const geometry::Mesh mesh = test::odd_mesh(dice);
    const geometry::Box box = geometry::bounds(mesh.positions);
    model::Skeleton skeleton;
    const int joints = 1 + dice.pick(12);
    math::Vec3d before = math::Vec3d::Zero();
    for (int j = 0; j < joints; ++j) {
        model::Joint joint;
        joint.name = "joint" + std::to_string(j);
        joint.parent = j == 0 ? -1 : dice.pick(j);
        // Some in one place, some outside.
        const math::Vec3d at = box.center().cast<double>() +
                               0.6 * static_cast<double>(box.diagonal()) *
                                   (dice.pick(6) == 0 ? math::Vec3d(math::Vec3d::Zero()) : dice.point());
        joint.rest.translation = j == 0 ? at : math::Vec3d(at - before);
        if (j == 0) before = at;
        skeleton.joints.push_back(joint);
    }
    try {
        const rig::BindResult bound = rig::bind(mesh, skeleton, options);
        model::validate(bound.skin, mesh.vertex_count(), skeleton.size(), "bound");
        for (std::size_t v = 0; v < mesh.vertex_count(); ++v) {
            double sum = 0;
            for (const model::Influence& influence : bound.skin.of(v))
                sum += static_cast<double>(influence.weight);
            if (!(std::abs(sum - 1) < 1e-4)) std::abort();
            if (options.max_influences > 0 &&
                bound.skin.of(v).size() > static_cast<std::size_t>(options.max_influences))
                std::abort();
        }
    } catch (const Error& error) {
        if (error.reason().size() < 10) std::abort();
    }
    return 0;
}
