#pragma once
/// \file
/// Where a picture is taken from.

#include <span>
#include <string_view>

#include "sinew/geometry/mesh.h"
#include "sinew/math/types.h"

namespace sinew::render {

using geometry::Box;
using math::Mat4f;
using math::Vec3f;

/// Directions to look from, for a character that faces +Z with +Y up. `left` shows its left side (the camera
/// is at +X), `three_quarter` is from the front, turned towards its left and slightly above.
enum class View { three_quarter, front, back, left, right, top };

/// The view of a name such as "front" or "three-quarter". \throws Error that lists the names.
View view_from_name(std::string_view name);
std::string_view name_of(View view);

struct Camera {
    Vec3f eye = Vec3f(0, 0, 3);
    Vec3f target = Vec3f::Zero();
    Vec3f up = Vec3f::UnitY();
    float fov = static_cast<float>(math::radians(30));  ///< vertical, in radians
    bool orthographic = false;
    float height = 2;  ///< of what is seen, when orthographic

    Vec3f backward() const;  ///< unit, from the target to the eye
    Vec3f right() const;
    Vec3f upward() const;  ///< unit, upright in the picture
    float distance() const { return (eye - target).norm(); }
};

struct FitOptions {
    float margin = 0.08f;  ///< free border on each side, as part of the picture's side
    float fov = static_cast<float>(math::radians(30));
    bool orthographic = false;
};

/// Unit direction from the target to the eye, and what is up.
struct ViewAxes {
    Vec3f backward;
    Vec3f up;
};
ViewAxes axes_of(View view);
/// Azimuth from +Z towards +X and elevation above the horizon, both in radians.
ViewAxes axes_of(float azimuth, float elevation);

/// The camera nearest to the points that sees all of them with the margin, centred; `aspect` is width /
/// height.
Camera fit(const ViewAxes& axes, std::span<const Vec3f> points, float aspect, const FitOptions& options = {});
Camera fit(const ViewAxes& axes, const Box& box, float aspect, const FitOptions& options = {});
Camera fit(View view, const Box& box, float aspect, const FitOptions& options = {});

/// Right-handed, looking along -Z.
Mat4f view_matrix(const Camera& camera);
/// OpenGL's clip space: z from -w to w.
Mat4f projection_matrix(const Camera& camera, float aspect, float near, float far);

}  // namespace sinew::render
