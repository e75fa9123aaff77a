#include "sinew/render/force_overlay.h"

#include <algorithm>
#include <cmath>

#include "sinew/base/error.h"

namespace sinew::render {
namespace {

using math::Vec3d;

/// The tip of an arrow: the thick end of a bone.
BoneShape head(const Vec3f& from, const Vec3f& to, const Vec4f& color) {
    const Vec3f way = to - from;
    const float length = std::min(0.06f, way.norm() / 3);
    return {to - length * way.normalized(), to, length / 4, color.head<3>()};
}

}  // namespace

ForceOverlay::ForceOverlay(const model::Trial& trial, const ForceStyle& style, Monitor& monitor)
    : style_(style), samples_per_second_(trial.rate * static_cast<double>(trial.analog.samples_per_frame)) {
    for (const model::ForcePlatform& platform : trial.platforms) {
        Plate plate;
        for (std::size_t i = 0; i < 4; ++i)
            plate.corners[i] = Vec3d(trial.to_world * platform.corners[i].cast<double>()).cast<float>();
        try {
            for (const model::Wrench& wrench : model::forces(trial, platform, {}, monitor)) {
                // Whatever the file's sign, what is shown is what the floor does to the foot: it holds it up.
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
        overlay.segments.push_back({arrow.from, arrow.to, style_.arrow_color, 4});
        overlay.bones.push_back(head(arrow.from, arrow.to, style_.arrow_color));
    }
    return overlay;
}

}  // namespace sinew::render
