#include "sinew/render/picking.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sinew::render {
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
        const Vec3f place = world[j].topRightCorner<3, 1>().cast<float>();
        const std::optional<Vec2f> seen = to_pixel(camera, place, area);
        if (!seen) continue;
        const float pixels = (*seen - pixel).norm();
        const float away = (place - camera.eye).norm();
        // Joints that are seen at one place: the front one.
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
