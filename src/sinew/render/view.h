// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// What an interactive view needs: a camera that a person moves, what lies under a pixel, and overlays of
/// skeletons, boxes and forces.
/// \code
/// render::OrbitCamera eye = render::orbit_of(render::fit(render::View::front, box, area.aspect()));
/// render::orbit(eye, 0.1f, 0);
/// const render::Ray ray = render::pixel_ray(render::to_camera(eye), mouse, area);
/// \endcode

#include <optional>
#include <span>

#include "sinew/geometry/surface_queries.h"
#include "sinew/model/skeleton.h"
#include "sinew/render/renderer.h"

namespace sinew::geometry {
struct OrientedBox;
}  // namespace sinew::geometry
namespace sinew::model {
struct Trial;
}  // namespace sinew::model

namespace sinew::render {

/// Stands `distance` from a point and looks at it. The orientation is heading about +y, then pitch about the
/// camera's x. Heading 0 looks along -z, at the front of a character; heading 90 degrees looks along -x.
struct OrbitCamera {
    Vec3f target = Vec3f(0, 1, 0);
    float heading = 0;  ///< radians
    float pitch = 0;    ///< radians, above 0 looks up; within 89 degrees
    float distance = 4;
    float fov = static_cast<float>(math::radians(30));  ///< vertical, in radians
};

inline constexpr float max_pitch = static_cast<float>(math::radians(89));

math::Quatf orientation(const OrbitCamera& camera);
Camera to_camera(const OrbitCamera& camera);
/// The nearest orbit camera: the same position, direction and view; `up` becomes +y.
OrbitCamera orbit_of(const Camera& camera);

/// All angles in radians; the pitch stays within `max_pitch`.

/// Around the target.
void orbit(OrbitCamera& camera, float heading, float pitch);
/// Rotates in place: the eye stays, the target moves.
void look(OrbitCamera& camera, float heading, float pitch);
/// Sideways, by parts of the picture's height, measured at the target: what is there follows the mouse.
void pan(OrbitCamera& camera, float right, float up);
/// Multiplies the distance; it stays within `nearest` and `farthest`.
void zoom(OrbitCamera& camera, float factor, float nearest = 1e-4f, float farthest = 1e6f);
/// Along the view, eye and target together.
void advance(OrbitCamera& camera, float distance);

/// Looks at a box from the current position of the camera, so that all of it is seen.
void frame(OrbitCamera& camera, const Box& box, float aspect, const FitOptions& options = {});

// From a pixel of the picture to what is there.

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
    float pixels = 0;  ///< from the given pixel
};
/// The joint within `tolerance` pixels that is nearest to the eye among the nearest, otherwise the nearest
/// bone.
std::optional<SkeletonHit> pick_skeleton(const model::Skeleton& skeleton, std::span<const math::Mat4d> world,
                                         const Camera& camera, const Vec2f& pixel, const PictureArea& area,
                                         float tolerance = 7);

/// Nearest distance in pixels from a pixel to a line of points that are seen; infinite when none is.
float pixels_to_line(const Camera& camera, std::span<const Vec3f> line, const Vec2f& pixel,
                     const PictureArea& area);

/// Where the ray meets a plane; empty when they are parallel (|d n| < 1e-6) or it lies behind.
std::optional<Vec3f> plane_hit(const Ray& ray, const Vec3f& point, const Vec3f& normal);

/// How far along `axis` (unit) from `point` a ray drags: of the two planes through the axis, along `side` and
/// across it, the one that faces the ray more is met, and the hit is projected on the axis. Empty when both
/// are parallel to the ray.
std::optional<float> along_axis(const Ray& ray, const Vec3f& point, const Vec3f& axis, const Vec3f& side);

// A skeleton as shapes: bones as octahedra, joints as spheres.

struct SkeletonStyle {
    Layer layer = Layer::top;
    float thickness = 1;        ///< of bones and spheres, relative to the usual
    bool joint_colors = false;  ///< each joint in the colour it has in weight pictures (joint_color)
    Vec3f bone_color = Vec3f(0.80f, 0.42f, 0.07f);
    Vec3f sphere_color = Vec3f(0.86f, 0.86f, 0.84f);
};

/// Bones are a tenth as thick as they are long, long ones less, so that a pose reads well at any size.
Overlay skeleton_overlay(const model::Skeleton& skeleton, std::span<const math::Mat4d> world,
                         const SkeletonStyle& style = {});

// Boxes as lines.

/// The twelve edges of a box.
void add_box(Overlay& overlay, const geometry::OrientedBox& box, const Vec4f& color, float width = 1.5f);

// Force platforms of a trial and what they feel.

/// A force as an arrow.
void add_arrow(Overlay& overlay, const Vec3f& from, const Vec3f& to, const Vec4f& color);

struct ForceStyle {
    double metres_per_newton = 0.001;  ///< a person of 70 kg stands under an arrow of 0.69 m
    Vec4f plate_color = Vec4f(0.10f, 0.22f, 0.42f, 1);
    Vec4f arrow_color = Vec4f(0.80f, 0.05f, 0.08f, 1);
};

/// Plates as outlines on the floor, the force of each on the foot as an arrow from its centre of pressure.
class ForceOverlay {
  public:
    ForceOverlay() = default;
    /// Warns `platform-unused` about a platform whose channels make no forces; its outline is drawn.
    explicit ForceOverlay(const model::Trial& trial, const ForceStyle& style = {},
                          Monitor& monitor = silent());

    bool empty() const { return plates_.empty(); }
    /// Seconds from the first frame.
    Overlay at(double time) const;

  private:
    struct Arrow {
        Vec3f from, to;  ///< in the world; NaN without load
    };
    struct Plate {
        std::array<Vec3f, 4> corners;
        std::vector<Arrow> arrows;  ///< of each analog sample
    };

    ForceStyle style_;
    double samples_per_second_ = 0;
    std::vector<Plate> plates_;
};

}  // namespace sinew::render
