// SPDX-License-Identifier: MIT
#include "sinew/render/film/direction.h"

#include <algorithm>
#include <cmath>

#include "sinew/base/error.h"
#include "sinew/render/renderer.h"

namespace sinew::render {
namespace {

using model::StagePlayer;
using model::StageValue;

float radians_of(StagePlayer& channels, StageValue value, double time) {
    return static_cast<float>(math::radians(channels.value(value, time).value_or(0)));
}

/// Replaces the components whose channels `first`, `first` + 1 and `first` + 2 have curves.
void replace(Vec3f& position, StagePlayer& channels, StageValue first, double time) {
    for (int i = 0; i < 3; ++i) {
        const auto value = static_cast<StageValue>(static_cast<int>(first) + i);
        if (const auto number = channels.value(value, time)) position[i] = static_cast<float>(*number);
    }
}

/// The eye rotated about the target; it stops before the vertical.
void orbit(Camera& camera, float azimuth, float elevation) {
    if (azimuth == 0 && elevation == 0) return;
    const Vec3f arm = camera.eye - camera.target;
    const float reach = arm.norm();
    const auto limit = static_cast<float>(math::radians(89.0));
    const float across = std::atan2(arm.x(), arm.z()) + azimuth;
    const float up =
        std::clamp(std::asin(std::clamp(arm.y() / reach, -1.0f, 1.0f)) + elevation, -limit, limit);
    camera.eye = camera.target + reach * Vec3f(std::cos(up) * std::sin(across), std::sin(up),
                                               std::cos(up) * std::cos(across));
    camera.up = Vec3f::UnitY();
}

/// Screen colours, converted to linear light.
bool replace_color(Vec3f& color, StagePlayer& channels, StageValue first, double time) {
    Vec3f shown(srgb_from_linear(color.x()), srgb_from_linear(color.y()), srgb_from_linear(color.z()));
    const Vec3f before = shown;
    replace(shown, channels, first, time);
    if (shown == before) return false;
    for (int i = 0; i < 3; ++i) color[i] = linear_from_srgb(std::clamp(shown[i], 0.0f, 1.0f));
    return true;
}

}  // namespace

Camera directed(const Camera& camera, StagePlayer& channels, double time) {
    Camera result = camera;
    replace(result.eye, channels, StageValue::camera_eye_x, time);
    replace(result.target, channels, StageValue::camera_target_x, time);
    if ((result.eye - result.target).norm() < 1e-6f)
        fail("", "at {} s the camera is at its own target: move camera.eye or camera.target", time);
    orbit(result, radians_of(channels, StageValue::camera_azimuth, time),
          radians_of(channels, StageValue::camera_elevation, time));
    if (const auto zoom = channels.value(StageValue::camera_zoom, time)) {
        if (!(*zoom > 0)) fail("", "camera.zoom is {} at {} s: it must be above 0", *zoom, time);
        const auto factor = static_cast<float>(1 / *zoom);
        result.eye = result.target + factor * (result.eye - result.target);
        result.height *= factor;
    }
    if (const auto fov = channels.value(StageValue::camera_fov, time)) {
        if (!(*fov >= 1 && *fov <= 170))
            fail("", "camera.fov is {} at {} s: it must lie between 1 and 170 degrees", *fov, time);
        result.fov = static_cast<float>(math::radians(*fov));
    }
    const float roll = radians_of(channels, StageValue::camera_roll, time);
    if (roll != 0) result.up = std::cos(roll) * result.upward() - std::sin(roll) * result.right();
    return result;
}

Scene directed(const Scene& given, StagePlayer& channels, double time) {
    Scene scene = given;
    scene.lighting.azimuth += radians_of(channels, StageValue::light_azimuth, time);
    scene.lighting.elevation += radians_of(channels, StageValue::light_elevation, time);
    const double exposure = channels.value(StageValue::light_exposure, time).value_or(1);
    scene.lighting.exposure *= static_cast<float>(std::max(exposure, 0.0));
    for (Drawable& drawable : scene.drawables) {
        Vec3f color = drawable.color.head<3>();
        if (!replace_color(color, channels, StageValue::color_red, time)) continue;
        drawable.color.head<3>() = color;
        if (drawable.surface == Surface::material) drawable.surface = Surface::plain;
    }
    const Vec3f before = scene.background.center;
    if (replace_color(scene.background.center, channels, StageValue::background_red, time))
        for (int i = 0; i < 3; ++i)
            scene.background.edge[i] *= scene.background.center[i] / std::max(before[i], 1e-3f);
    return scene;
}

}  // namespace sinew::render
