#include "sinew/render/skeleton_overlay.h"

#include <algorithm>
#include <limits>

#include "sinew/geometry/mesh.h"
#include "sinew/render/renderer.h"

namespace sinew::render {

Overlay skeleton_overlay(const model::Skeleton& skeleton, std::span<const math::Mat4d> world,
                         const SkeletonStyle& style) {
    Overlay overlay;
    overlay.layer = style.layer;
    const std::vector<model::Bone> bones = model::bones(skeleton, world);
    const std::vector<math::Vec3d> joints = model::joint_positions(world);
    geometry::Box box;
    for (const math::Vec3d& joint : joints) box.include(joint.cast<float>());
    for (const model::Bone& bone : bones) box.include(bone.end.cast<float>());
    const float size = std::max(box.diagonal(), 1e-6f);
    const float thickest = 0.017f * size;
    // A ball is a little thicker than the thinnest bone at its joint.
    std::vector<float> ball(joints.size(), 0.4f * thickest);
    for (const model::Bone& bone : bones) {
        const auto length = static_cast<float>((bone.end - bone.start).norm());
        if (!(length > 1e-5f * size)) continue;
        const float radius = std::min(0.1f * length, thickest);
        const auto joint = static_cast<std::size_t>(bone.joint);
        overlay.bones.push_back({bone.start.cast<float>(), bone.end.cast<float>(), radius * style.thickness,
                                 style.joint_colors ? joint_color(joint) : style.bone_color});
        ball[joint] = std::min(ball[joint], 0.6f * radius);
        if (bone.end_joint >= 0) {
            float& end = ball[static_cast<std::size_t>(bone.end_joint)];
            end = std::min(end, 0.6f * radius);
        }
    }
    for (std::size_t j = 0; j < joints.size(); ++j)
        overlay.balls.push_back({joints[j].cast<float>(), ball[j] * style.thickness,
                                 style.joint_colors ? joint_color(j) : style.sphere_color});
    return overlay;
}

}  // namespace sinew::render
