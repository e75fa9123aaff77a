// SPDX-License-Identifier: MIT
#include "sinew/render/view.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "sinew/math/quaternion.h"

namespace sinew::render {
namespace {

float wrapped(float angle) {
    return std::remainder(angle, 2 * static_cast<float>(math::pi));
}

void add_angles(OrbitCamera& camera, float heading, float pitch) {
    camera.heading = wrapped(camera.heading + heading);
    camera.pitch = std::clamp(camera.pitch + pitch, -max_pitch, max_pitch);
}

Vec3f backward_of(const OrbitCamera& camera) {
    return orientation(camera) * Vec3f::UnitZ();
}

}  // namespace

math::Quatf orientation(const OrbitCamera& camera) {
    return math::axis_angle<float>(Vec3f::UnitY(), camera.heading) *
           math::axis_angle<float>(Vec3f::UnitX(), camera.pitch);
}

Camera to_camera(const OrbitCamera& camera) {
    const math::Quatf turned = orientation(camera);
    Camera result;
    result.target = camera.target;
    result.eye = camera.target + camera.distance * (turned * Vec3f::UnitZ());
    result.up = turned * Vec3f::UnitY();
    result.fov = camera.fov;
    return result;
}

OrbitCamera orbit_of(const Camera& camera) {
    OrbitCamera result;
    const Vec3f back = camera.backward();
    result.target = camera.target;
    result.distance = camera.distance();
    result.fov = camera.fov;
    result.pitch = std::clamp(-std::asin(std::clamp(back.y(), -1.0f, 1.0f)), -max_pitch, max_pitch);
    // From straight above or below, the up direction of the picture gives the heading.
    const Vec3f ahead =
        std::abs(back.y()) < 0.999f ? back : Vec3f(-camera.upward() * (back.y() > 0 ? 1 : -1));
    result.heading = std::atan2(ahead.x(), ahead.z());
    return result;
}

void orbit(OrbitCamera& camera, float heading, float pitch) {
    add_angles(camera, heading, pitch);
}

void look(OrbitCamera& camera, float heading, float pitch) {
    const Vec3f eye = camera.target + camera.distance * backward_of(camera);
    add_angles(camera, heading, pitch);
    camera.target = eye - camera.distance * backward_of(camera);
}

void pan(OrbitCamera& camera, float right, float up) {
    const float height = 2 * camera.distance * std::tan(camera.fov / 2);
    camera.target -= orientation(camera) * Vec3f(right * height, up * height, 0);
}

void zoom(OrbitCamera& camera, float factor, float nearest, float farthest) {
    camera.distance = std::clamp(camera.distance * factor, nearest, farthest);
}

void advance(OrbitCamera& camera, float distance) {
    camera.target -= distance * backward_of(camera);
}

void frame(OrbitCamera& camera, const Box& box, float aspect, const FitOptions& options) {
    const Camera now = to_camera(camera);
    FitOptions how = options;
    how.fov = camera.fov;
    const Camera fitted = fit(ViewAxes{now.backward(), now.up}, box, aspect, how);
    camera.target = fitted.target;
    camera.distance = fitted.distance();
}

namespace {

float to_segment(const Vec2f& p, const Vec2f& a, const Vec2f& b) {
    const Vec2f along = b - a;
    const float length = along.squaredNorm();
    const float t = length > 0 ? std::clamp((p - a).dot(along) / length, 0.0f, 1.0f) : 0.0f;
    return (p - a - t * along).norm();
}

}  // namespace

Ray pixel_ray(const Camera& camera, const Vec2f& pixel, const PictureArea& area) {
    const float half = camera.orthographic ? camera.height / 2 : std::tan(camera.fov / 2);
    const float x = half * area.aspect() * (2 * pixel.x() / area.width - 1);
    const float y = half * (1 - 2 * pixel.y() / area.height);
    const Vec3f across = x * camera.right() + y * camera.upward();
    if (camera.orthographic) return {camera.eye + across, -camera.backward()};
    return {camera.eye, (across - camera.backward()).normalized()};
}

std::optional<Vec2f> to_pixel(const Camera& camera, const Vec3f& point, const PictureArea& area) {
    const Vec3f from_eye = point - camera.eye;
    const float depth = -from_eye.dot(camera.backward());
    if (!camera.orthographic && !(depth > 0)) return std::nullopt;
    const float half = camera.orthographic ? camera.height / 2 : depth * std::tan(camera.fov / 2);
    const float x = from_eye.dot(camera.right()) / (half * area.aspect());
    const float y = from_eye.dot(camera.upward()) / half;
    return Vec2f((x + 1) / 2 * area.width, (1 - y) / 2 * area.height);
}

std::optional<geometry::RayHit> pick_triangle(std::span<const Vec3f> positions,
                                              std::span<const geometry::Triangle> triangles, const Ray& ray) {
    if (triangles.empty()) return std::nullopt;
    return geometry::SurfaceQueries(positions, triangles).first_hit(ray.origin, ray.direction);
}

std::optional<SkeletonHit> pick_skeleton(const model::Skeleton& skeleton, std::span<const math::Mat4d> world,
                                         const Camera& camera, const Vec2f& pixel, const PictureArea& area,
                                         float tolerance) {
    std::optional<SkeletonHit> found;
    float depth = std::numeric_limits<float>::max();
    for (std::size_t j = 0; j < world.size(); ++j) {
        const Vec3f position = world[j].topRightCorner<3, 1>().cast<float>();
        const std::optional<Vec2f> seen = to_pixel(camera, position, area);
        if (!seen) continue;
        const float pixels = (*seen - pixel).norm();
        const float away = (position - camera.eye).norm();
        // Of joints that appear at one position, the front one.
        const bool better =
            !found || pixels < found->pixels - 2 || (pixels < found->pixels + 2 && away < depth);
        if (pixels > tolerance || !better) continue;
        found = {static_cast<int>(j), -1, pixels};
        depth = away;
    }
    if (found) return found;
    const std::vector<model::Bone> bones = model::bones(skeleton, world);
    for (std::size_t b = 0; b < bones.size(); ++b) {
        const Vec3f line[2] = {bones[b].start.cast<float>(), bones[b].end.cast<float>()};
        const float pixels = pixels_to_line(camera, line, pixel, area);
        if (pixels <= tolerance && (!found || pixels < found->pixels))
            found = {-1, static_cast<int>(b), pixels};
    }
    return found;
}

float pixels_to_line(const Camera& camera, std::span<const Vec3f> line, const Vec2f& pixel,
                     const PictureArea& area) {
    float nearest = std::numeric_limits<float>::infinity();
    for (std::size_t i = 0; i + 1 < line.size(); ++i) {
        const std::optional<Vec2f> a = to_pixel(camera, line[i], area),
                                   b = to_pixel(camera, line[i + 1], area);
        if (a && b) nearest = std::min(nearest, to_segment(pixel, *a, *b));
    }
    return nearest;
}

std::optional<Vec3f> plane_hit(const Ray& ray, const Vec3f& point, const Vec3f& normal) {
    const float slope = ray.direction.dot(normal);
    if (std::abs(slope) < 1e-6f) return std::nullopt;
    const float t = (point - ray.origin).dot(normal) / slope;
    if (!(t >= 0)) return std::nullopt;
    return Vec3f(ray.origin + t * ray.direction);
}

std::optional<float> along_axis(const Ray& ray, const Vec3f& point, const Vec3f& axis, const Vec3f& side) {
    const Vec3f across = (side - side.dot(axis) * axis).normalized();
    const Vec3f other = axis.cross(across);
    const bool first = std::abs(ray.direction.dot(across)) >= std::abs(ray.direction.dot(other));
    const std::optional<Vec3f> hit = plane_hit(ray, point, first ? across : other);
    if (!hit) return std::nullopt;
    return (*hit - point).dot(axis);
}

}  // namespace sinew::render
