// SPDX-License-Identifier: MIT
#include "sinew/render/gl/frame.h"

#include <algorithm>
#include <cmath>

namespace sinew::render::gl {
namespace {

using math::Vec4f;

Vec4f with(const Vec3f& v, float w) {
    return {v.x(), v.y(), v.z(), w};
}

/// Positions of lights: azimuth relative to the camera (positive to its right) and elevation, in degrees.
struct LightPosition {
    double azimuth;
    double elevation;
};
constexpr LightPosition key_position{-38, 50};
constexpr LightPosition fill_position{55, 12};
constexpr LightPosition rim_position{155, 35};

Vec3f direction_of(const LightPosition& position, const Vec3f& forward) {
    const auto azimuth = static_cast<float>(math::radians(position.azimuth));
    const auto elevation = static_cast<float>(math::radians(position.elevation));
    const Vec3f right = Vec3f::UnitY().cross(forward);
    const Vec3f flat = std::cos(azimuth) * forward + std::sin(azimuth) * right;
    return std::cos(elevation) * flat + std::sin(elevation) * Vec3f::UnitY();
}

/// The horizontal direction from the scene to the camera; in views from above, that of the lower border of
/// the picture.
Vec3f light_front(const Camera& camera, const Lighting& lighting) {
    if (!lighting.follow_camera) return Vec3f::UnitZ();
    Vec3f front = camera.backward();
    if (std::abs(front.y()) > 0.95f) front = -camera.upward() * (front.y() > 0 ? 1.0f : -1.0f);
    front.y() = 0;
    return front.norm() > 1e-4f ? Vec3f(front.normalized()) : Vec3f(Vec3f::UnitZ());
}

/// A light position rotated by the scene's settings; a light is never exactly above or below.
LightPosition rotated(LightPosition position, const Lighting& lighting, bool rises) {
    position.azimuth += math::degrees(static_cast<double>(lighting.azimuth));
    if (rises)
        position.elevation = std::clamp(
            position.elevation + math::degrees(static_cast<double>(lighting.elevation)), 5.0, 85.0);
    return position;
}

float power_of_ten_below(float value) {
    return std::pow(10.0f, std::floor(std::log10(std::max(value, 1e-20f))));
}

void set_ground(FrameBlock& frame, const Scene& scene, const Camera& camera, float size) {
    const Ground& ground = scene.ground;
    // A character of height 1.8 gets a line every 1 and a fine one every 0.1.
    const float spacing = ground.spacing > 0 ? ground.spacing : power_of_ten_below(size);
    const float reach = ground.reach > 0 ? ground.reach : 4 * size;
    frame.ground = {ground.height, spacing, reach, 1};
    frame.ground_center = {camera.target.x(), ground.height, camera.target.z(), 1};
    const auto flag = [](bool on) { return on ? 1.0f : 0.0f; };
    frame.ground_parts = {flag(ground.grid), flag(ground.axes), flag(ground.shadow && ground.visible),
                          flag(scene.background.transparent)};
}

struct DepthRange {
    float near;
    float far;
};

DepthRange depth_range(const Camera& camera, const Box& bounds, float reach) {
    const Vec3f back = camera.backward();
    const float middle = (camera.eye - bounds.center()).dot(back);
    const float half = bounds.size().dot(back.cwiseAbs()) / 2;
    const float slack = 0.05f * std::max(bounds.diagonal(), 1e-6f);
    float near = middle - half - slack;
    float far = middle + half + slack;
    // The ground extends nearer and farther than the objects on it.
    far = std::max(far, (camera.eye - camera.target).dot(back) + 1.5f * reach);
    if (camera.orthographic) return {std::min(near, -reach), far};
    near = std::min(near, 0.05f * far);
    return {std::max({near, 2e-4f * far, 1e-6f}), far};
}

}  // namespace

FrameBlock make_frame(const Scene& scene, const Camera& camera, const Box& bounds, int width, int height) {
    FrameBlock frame{};
    const float size = std::max(bounds.diagonal(), 1e-6f);
    set_ground(frame, scene, camera, size);
    const float aspect = static_cast<float>(width) / static_cast<float>(height);
    const DepthRange range = depth_range(camera, bounds, frame.ground.z());
    frame.view_projection = projection_matrix(camera, aspect, range.near, range.far) * view_matrix(camera);
    frame.eye = with(camera.eye, camera.orthographic ? 0.0f : 1.0f);
    frame.backward = with(camera.backward(), 0);
    const Vec3f front = light_front(camera, scene.lighting);
    frame.key_direction =
        with(direction_of(rotated(key_position, scene.lighting, true), front), scene.lighting.exposure);
    frame.fill_direction = with(direction_of(rotated(fill_position, scene.lighting, false), front), 0);
    frame.rim_direction = with(direction_of(rotated(rim_position, scene.lighting, false), front), 0);
    frame.background_center = with(scene.background.center, static_cast<float>(width));
    frame.background_edge = with(scene.background.edge, static_cast<float>(height));
    return frame;
}

FrameBlock for_tile(const FrameBlock& frame, const Tile& tile, int width, int height) {
    FrameBlock result = frame;
    const auto w = static_cast<float>(tile.width);
    const auto h = static_cast<float>(tile.height);
    result.viewport = {w, h, static_cast<float>(tile.left), static_cast<float>(tile.bottom)};
    // Clip space of the tile: scaled up, then shifted so that its centre is the origin.
    Mat4f zoom = Mat4f::Identity();
    zoom(0, 0) = static_cast<float>(width) / w;
    zoom(1, 1) = static_cast<float>(height) / h;
    zoom(0, 3) = (static_cast<float>(width) - w - 2 * static_cast<float>(tile.left)) / w;
    zoom(1, 3) = (static_cast<float>(height) - h - 2 * static_cast<float>(tile.bottom)) / h;
    result.view_projection = zoom * frame.view_projection;
    return result;
}

Tile covered(const FrameBlock& frame, const Scene& scene, const Box& bounds, const Tile& tile, int width,
             int height) {
    float margin = 2;
    for (const Overlay& overlay : scene.overlays) {
        for (const SegmentShape& segment : overlay.segments) margin = std::max(margin, segment.width + 2);
        for (const PointShape& point : overlay.points) margin = std::max(margin, point.radius + 2);
    }
    math::Vec2f low = math::Vec2f::Constant(std::numeric_limits<float>::max());
    math::Vec2f high = -low;
    const math::Vec2f size(static_cast<float>(width), static_cast<float>(height));
    for (std::size_t i = 0; i < 8; ++i) {
        const Vec4f corner((i & 1) != 0 ? bounds.high.x() : bounds.low.x(),
                           (i & 2) != 0 ? bounds.high.y() : bounds.low.y(),
                           (i & 4) != 0 ? bounds.high.z() : bounds.low.z(), 1);
        const Vec4f clip = frame.view_projection * corner;
        if (clip.z() <= -clip.w()) return tile;
        const math::Vec2f pixel =
            (clip.head<2>() / clip.w() * 0.5f + math::Vec2f::Constant(0.5f)).cwiseProduct(size);
        low = low.cwiseMin(pixel);
        high = high.cwiseMax(pixel);
    }
    const auto clamped = [&](float value, int first, int count) {
        return static_cast<int>(
            std::clamp(value, static_cast<float>(first), static_cast<float>(first + count)));
    };
    const int left = clamped(std::floor(low.x() - margin), tile.left, tile.width);
    const int bottom = clamped(std::floor(low.y() - margin), tile.bottom, tile.height);
    const int right = clamped(std::ceil(high.x() + margin), tile.left, tile.width);
    const int top = clamped(std::ceil(high.y() + margin), tile.bottom, tile.height);
    return {left, bottom, right - left, top - bottom};
}

void include_shapes(Box& box, const Scene& scene) {
    const auto add = [&](const Vec3f& point, float radius = 0) {
        if (!point.allFinite() || !std::isfinite(radius)) return;
        box.include(point - Vec3f::Constant(radius));
        box.include(point + Vec3f::Constant(radius));
    };
    for (const Overlay& overlay : scene.overlays) {
        for (const BoneShape& bone : overlay.bones) {
            add(bone.start, bone.radius);
            add(bone.end, bone.radius);
        }
        for (const SphereShape& sphere : overlay.spheres) add(sphere.center, sphere.radius);
        for (const SegmentShape& segment : overlay.segments) {
            add(segment.start);
            add(segment.end);
        }
        for (const PointShape& point : overlay.points) add(point.center);
    }
}

}  // namespace sinew::render::gl
