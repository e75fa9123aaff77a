#pragma once
/// \file
/// From a place in the picture to what is there.

#include <optional>
#include <span>

#include "sinew/geometry/surface_queries.h"
#include "sinew/model/skeleton.h"
#include "sinew/render/renderer.h"

namespace sinew::render {

using math::Vec2f;

/// Pixels from the upper left corner; the middle of the first pixel is at 0.5, 0.5.
struct PictureArea {
    float width = 1;
    float height = 1;
    float aspect() const { return width / height; }
};

struct Ray {
    Vec3f origin = Vec3f::Zero();
    Vec3f direction = -Vec3f::UnitZ();  ///< unit
};

/// The line of sight through a pixel: with h = tan(fov / 2) and w = h aspect, the point of the view at depth
/// 1 is (-w + 2 w x / width, h - 2 h y / height, -1).
Ray pixel_ray(const Camera& camera, const Vec2f& pixel, const PictureArea& area);
/// Where a point is seen; empty behind the eye.
std::optional<Vec2f> to_pixel(const Camera& camera, const Vec3f& point, const PictureArea& area);

/// First triangle of a mesh under a ray, from either side.
std::optional<geometry::RayHit> pick_triangle(std::span<const Vec3f> positions,
                                              std::span<const geometry::Triangle> triangles, const Ray& ray);

/// A joint, or a bone of `model::bones`; the other is -1.
struct SkeletonHit {
    int joint = -1;
    int bone = -1;
    float pixels = 0;  ///< from the place that was asked for
};
/// The joint within `tolerance` pixels that is nearest to the eye among the nearest, otherwise the nearest
/// bone.
std::optional<SkeletonHit> pick_skeleton(const model::Skeleton& skeleton, std::span<const math::Mat4d> world,
                                         const Camera& camera, const Vec2f& pixel, const PictureArea& area,
                                         float tolerance = 7);

/// Nearest distance in pixels of a place to a line of points that are seen; infinite when none is.
float pixels_to_line(const Camera& camera, std::span<const Vec3f> line, const Vec2f& pixel,
                     const PictureArea& area);

/// Where the ray meets a plane; empty when they are parallel (|d n| < 1e-6) or it lies behind.
std::optional<Vec3f> plane_hit(const Ray& ray, const Vec3f& point, const Vec3f& normal);

/// How far along `axis` (unit) from `point` a ray drags: of the two planes through the axis, along `side` and
/// across it, the one that faces the ray more is met, and the hit is projected on the axis. Empty when both
/// are parallel to the ray.
std::optional<float> along_axis(const Ray& ray, const Vec3f& point, const Vec3f& axis, const Vec3f& side);

}  // namespace sinew::render
