// SPDX-License-Identifier: MIT
#include "angles_csv.h"

#include <fmt/format.h>

#include "sinew/math/quaternion.h"

namespace sinew::studio {

std::string angles_csv(const model::Skeleton& skeleton, const model::Clip* clip, const PoseLayer& layer) {
    constexpr math::EulerOrder order = {2, 1, 0};
    std::string text = "frame,seconds";
    for (const model::Joint& joint : skeleton.joints)
        for (const char axis : {'x', 'y', 'z'}) text += fmt::format(",{}.{}", joint.name, axis);
    text += '\n';
    const model::Clip played = baked(skeleton, clip, layer);
    const std::size_t frames = clip == nullptr ? 1 : model::frame_count(*clip);
    std::vector<Vec3d> before(skeleton.size(), Vec3d::Zero());
    for (std::size_t f = 0; f < frames; ++f) {
        const double time = clip == nullptr ? 0 : model::frame_time(*clip, f);
        text += fmt::format("{},{:.6g}", f, time);
        const std::vector<Transform> local = model::sample(played, skeleton, time);
        for (std::size_t j = 0; j < skeleton.size(); ++j) {
            const Quatd rotation = skeleton.joints[j].rest.rotation.conjugate() * local[j].rotation;
            // Angles are stored as z, y, x: from left to right in the product.
            before[j] = math::unwrap_euler(order, math::to_euler(order, rotation), before[j]);
            for (const int axis : {2, 1, 0}) text += fmt::format(",{:.4f}", math::degrees(before[j][axis]));
        }
        text += '\n';
    }
    return text;
}

}  // namespace sinew::studio
