// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Support for interactive views: an orbit camera, picking, and overlays of skeletons, boxes and forces.
///
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

/// Orbits around a point at `distance` and faces it. The orientation is heading about +y, then pitch about
/// the camera's x. Heading 0 faces -z, towards the front of a character; heading 90 degrees faces -x.
struct OrbitCamera {
    Vec3f target = Vec3f(0, 1, 0);
    float heading = 0;  ///< radians
    float pitch = 0;    ///< radians, within 89 degrees; above 0 the camera points upwards
    float distance = 4;
    float fov = static_cast<float>(math::radians(30));  ///< vertical, in radians
};

inline constexpr float max_pitch = static_cast<float>(math::radians(89));

math::Quatf orientation(const OrbitCamera& camera);
Camera to_camera(const OrbitCamera& camera);
/// The orbit camera closest to a given camera: the same position and direction; `up` becomes +y.
OrbitCamera orbit_of(const Camera& camera);

/// All angles are in radians; the pitch stays within `max_pitch`.

/// Rotates the camera around its target.
void orbit(OrbitCamera& camera, float heading, float pitch);
/// Rotates the camera about its own position; the target moves.
void look(OrbitCamera& camera, float heading, float pitch);
/// Moves sideways, in fractions of the picture's height measured at the target, so that points there follow
/// the mouse.
void pan(OrbitCamera& camera, float right, float up);
/// Multiplies the distance by a factor, clamped to `nearest` .. `farthest`.
void zoom(OrbitCamera& camera, float factor, float nearest = 1e-4f, float farthest = 1e6f);
/// Moves eye and target along the viewing direction.
void advance(OrbitCamera& camera, float distance);

/// Faces a box from the current direction, at the distance that shows all of it.
void frame(OrbitCamera& camera, const Box& box, float aspect, const FitOptions& options = {});

// Picking: from a pixel of the picture to the object under it.

using math::Vec2f;

/// Size of the picture in pixels, from the upper left corner; the centre of the first pixel is at 0.5, 0.5.
struct PictureArea {
    float width = 1;
    float height = 1;
    float aspect() const { return width / height; }
};

struct Ray {
    Vec3f origin = Vec3f::Zero();
    Vec3f direction = -Vec3f::UnitZ();  ///< unit length
};

/// Ray through a pixel. With h = tan(fov / 2) and w = h aspect it passes through the camera-space point (-w +
/// 2 w x / width, h - 2 h y / height, -1).
Ray pixel_ray(const Camera& camera, const Vec2f& pixel, const PictureArea& area);
/// Projects a point to a pixel; empty for points behind the camera.
std::optional<Vec2f> to_pixel(const Camera& camera, const Vec3f& point, const PictureArea& area);

/// First triangle of a mesh that a ray hits, from either side.
std::optional<geometry::RayHit> pick_triangle(std::span<const Vec3f> positions,
                                              std::span<const geometry::Triangle> triangles, const Ray& ray);

/// A picked joint, or a picked bone (index of `model::bones`); the other is -1.
struct SkeletonHit {
    int joint = -1;
    int bone = -1;
    float pixels = 0;  ///< distance from the given pixel
};
/// Picks the joint within `tolerance` pixels (of equally near ones the one closest to the camera); otherwise
/// the nearest bone within it.
std::optional<SkeletonHit> pick_skeleton(const model::Skeleton& skeleton, std::span<const math::Mat4d> world,
                                         const Camera& camera, const Vec2f& pixel, const PictureArea& area,
                                         float tolerance = 7);

/// Distance in pixels from a pixel to the visible part of a polyline; infinite when none is visible.
float pixels_to_line(const Camera& camera, std::span<const Vec3f> line, const Vec2f& pixel,
                     const PictureArea& area);

/// Intersection of a ray with a plane; empty when they are parallel (|d n| < 1e-6) or it is behind the
/// origin.
std::optional<Vec3f> plane_hit(const Ray& ray, const Vec3f& point, const Vec3f& normal);

/// Position along `axis` (unit) from `point` to which a ray drags. Of the two planes through the axis, along
/// `side` and perpendicular to it, the one facing the ray more is intersected, and the hit is projected on
/// the axis. Empty when both are parallel to the ray.
std::optional<float> along_axis(const Ray& ray, const Vec3f& point, const Vec3f& axis, const Vec3f& side);

// Style of a skeleton: bones as octahedra, joints as spheres.

struct SkeletonStyle {
    Layer layer = Layer::top;
    float thickness = 1;        ///< of bones and spheres, relative to the default
    bool joint_colors = false;  ///< each joint in its colour of weight pictures (joint_color)
    Vec3f bone_color = Vec3f(0.80f, 0.42f, 0.07f);
    Vec3f sphere_color = Vec3f(0.86f, 0.86f, 0.84f);
};

/// Draws a skeleton. Bones are a tenth as thick as long, long ones thinner, so that poses are readable at any
/// size.
Overlay skeleton_overlay(const model::Skeleton& skeleton, std::span<const math::Mat4d> world,
                         const SkeletonStyle& style = {});

// Boxes as lines.

/// Adds the twelve edges of a box.
void add_box(Overlay& overlay, const geometry::OrientedBox& box, const Vec4f& color, float width = 1.5f);

// Force platforms of a trial and the measured forces.

/// Adds an arrow.
void add_arrow(Overlay& overlay, const Vec3f& from, const Vec3f& to, const Vec4f& color);

struct ForceStyle {
    double metres_per_newton = 0.001;  ///< 0.001: a person of 70 kg gives an arrow of 0.69 m
    Vec4f plate_color = Vec4f(0.10f, 0.22f, 0.42f, 1);
    Vec4f arrow_color = Vec4f(0.80f, 0.05f, 0.08f, 1);
};

/// Outlines of the plates on the floor, and for each plate the force on the foot as an arrow from its centre
/// of pressure.
class ForceOverlay {
  public:
    ForceOverlay() = default;
    /// \param trial with force platforms
    /// \param style colours and scale
    /// \param monitor receives the warning `platform-unused` for a platform whose channels give no forces;
    /// its outline is still drawn
    explicit ForceOverlay(const model::Trial& trial, const ForceStyle& style = {},
                          Monitor& monitor = silent());

    bool empty() const { return plates_.empty(); }
    /// Overlay at a time, in seconds from the first frame.
    Overlay at(double time) const;

  private:
    struct Arrow {
        Vec3f from, to;  ///< in world space; NaN without load
    };
    struct Plate {
        std::array<Vec3f, 4> corners;
        std::vector<Arrow> arrows;  ///< one per analog sample
    };

    ForceStyle style_;
    double samples_per_second_ = 0;
    std::vector<Plate> plates_;
};

}  // namespace sinew::render
