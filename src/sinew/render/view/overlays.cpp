// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <limits>

#include "sinew/base/error.h"
#include "sinew/geometry/mesh.h"
#include "sinew/geometry/part_shape.h"
#include "sinew/model/trial.h"
#include "sinew/render/renderer.h"
#include "sinew/render/view.h"

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
    // A sphere is slightly larger than the thinnest bone at its joint.
    std::vector<float> joint_radius(joints.size(), 0.4f * thickest);
    for (const model::Bone& bone : bones) {
        const auto length = static_cast<float>((bone.end - bone.start).norm());
        if (!(length > 1e-5f * size)) continue;
        const float radius = std::min(0.1f * length, thickest);
        const auto joint = static_cast<std::size_t>(bone.joint);
        overlay.bones.push_back({bone.start.cast<float>(), bone.end.cast<float>(), radius * style.thickness,
                                 style.joint_colors ? joint_color(joint) : style.bone_color});
        joint_radius[joint] = std::min(joint_radius[joint], 0.6f * radius);
        if (bone.end_joint >= 0) {
            float& end = joint_radius[static_cast<std::size_t>(bone.end_joint)];
            end = std::min(end, 0.6f * radius);
        }
    }
    for (std::size_t j = 0; j < joints.size(); ++j)
        overlay.spheres.push_back({joints[j].cast<float>(), joint_radius[j] * style.thickness,
                                   style.joint_colors ? joint_color(j) : style.sphere_color});
    return overlay;
}

void add_box(Overlay& overlay, const geometry::OrientedBox& box, const Vec4f& color, float width) {
    const auto corner = [&](int i) {
        const math::Vec3d sign(i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1);
        return Vec3f((box.centre + box.axes * box.half.cwiseProduct(sign)).cast<float>());
    };
    for (int i = 0; i < 8; ++i)
        for (const int bit : {1, 2, 4})
            if ((i & bit) == 0) overlay.segments.push_back({corner(i), corner(i | bit), color, width});
}

using math::Vec3d;

void add_arrow(Overlay& overlay, const Vec3f& from, const Vec3f& to, const Vec4f& color) {
    const Vec3f along = to - from;
    const float length = std::min(0.06f, along.norm() / 3);
    overlay.segments.push_back({from, to, color, 4});
    // The tip is at the thick end of a bone.
    overlay.bones.push_back({to - length * along.normalized(), to, length / 4, color.head<3>()});
}

ForceOverlay::ForceOverlay(const model::Trial& trial, const ForceStyle& style, Monitor& monitor)
    : style_(style), samples_per_second_(trial.rate * static_cast<double>(trial.analog.samples_per_frame)) {
    for (const model::ForcePlatform& platform : trial.platforms) {
        Plate plate;
        for (std::size_t i = 0; i < 4; ++i)
            plate.corners[i] = Vec3d(trial.to_world * platform.corners[i].cast<double>()).cast<float>();
        try {
            for (const model::Wrench& wrench : model::forces(trial, platform, {}, monitor)) {
                // The sign in the file may vary: the shown force is that of the floor on the foot, which
                // points upwards.
                Vec3d force = trial.to_world.rotation * wrench.force;
                if (force.y() < 0) force = -force;
                const Vec3d from = trial.to_world * wrench.center;
                plate.arrows.push_back(
                    {from.cast<float>(), Vec3d(from + style.metres_per_newton * force).cast<float>()});
            }
        } catch (const Error& error) {
            warn(monitor, "platform-unused", "a force platform has no forces to show: {}", error.what());
        }
        plates_.push_back(std::move(plate));
    }
}

Overlay ForceOverlay::at(double time) const {
    Overlay overlay;
    for (const Plate& plate : plates_) {
        for (std::size_t i = 0; i < 4; ++i)
            overlay.segments.push_back({plate.corners[i], plate.corners[(i + 1) % 4], style_.plate_color, 2});
        if (plate.arrows.empty()) continue;
        const double sample =
            std::clamp(time * samples_per_second_, 0.0, static_cast<double>(plate.arrows.size() - 1));
        const Arrow& arrow = plate.arrows[static_cast<std::size_t>(std::lround(sample))];
        if (!arrow.from.allFinite() || !arrow.to.allFinite()) continue;
        add_arrow(overlay, arrow.from, arrow.to, style_.arrow_color);
    }
    return overlay;
}

}  // namespace sinew::render
