// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "sinew/base/array.h"
#include "sinew/render/renderer.h"

namespace sinew::render {
namespace {

/// Bounds of the points along one axis of the picture: the planes a + slope z at both ends.
struct Extent {
    float high = std::numeric_limits<float>::lowest();  ///< max of (a + slope z)
    float low = std::numeric_limits<float>::lowest();   ///< max of (-a + slope z)
    void include(float a, float z, float slope) {
        high = std::max(high, a + slope * z);
        low = std::max(low, -a + slope * z);
    }
    float center() const { return (high - low) / 2; }
    float reach() const { return (high + low) / 2; }
};

std::array<Vec3f, 8> corners(const Box& box) {
    const Vec3f low = box.empty() ? Vec3f::Constant(-0.5f) : box.low;
    const Vec3f high = box.empty() ? Vec3f::Constant(0.5f) : box.high;
    std::array<Vec3f, 8> points;
    for (std::size_t i = 0; i < 8; ++i)
        points[i] = {(i & 1) != 0 ? high.x() : low.x(), (i & 2) != 0 ? high.y() : low.y(),
                     (i & 4) != 0 ? high.z() : low.z()};
    return points;
}

}  // namespace

std::string_view name_of(View view) {
    constexpr std::string_view names[] = {"three-quarter", "front", "back", "left", "right", "top"};
    return names[static_cast<std::size_t>(view)];
}

Vec3f Camera::backward() const {
    const Vec3f direction = eye - target;
    const float length = direction.norm();
    return length > 0 ? Vec3f(direction / length) : Vec3f(Vec3f::UnitZ());
}

Vec3f Camera::right() const {
    const Vec3f side = up.cross(backward());
    const float length = side.norm();
    // Looking along `up`: any side direction is possible, but it must always be the same.
    return length > 1e-6f ? Vec3f(side / length) : Vec3f(backward().unitOrthogonal());
}

Vec3f Camera::upward() const {
    return backward().cross(right());
}

ViewAxes axes_of(float azimuth, float elevation) {
    const float flat = std::cos(elevation);
    return {{std::sin(azimuth) * flat, std::sin(elevation), std::cos(azimuth) * flat}, Vec3f::UnitY()};
}

ViewAxes axes_of(View view) {
    const auto angle = [](double degrees) { return static_cast<float>(math::radians(degrees)); };
    // The level views are tilted slightly downwards, so that the ground is visible.
    switch (view) {
        case View::front:
            return axes_of(angle(0), angle(5));
        case View::back:
            return axes_of(angle(180), angle(5));
        case View::left:
            return axes_of(angle(90), angle(5));
        case View::right:
            return axes_of(angle(-90), angle(5));
        case View::top:
            return {Vec3f::UnitY(), -Vec3f::UnitZ()};
        case View::three_quarter:
            break;
    }
    return axes_of(angle(32), angle(14));
}

Camera fit(const ViewAxes& axes, std::span<const Vec3f> points, float aspect, const FitOptions& options) {
    Camera camera;
    camera.fov = std::clamp(options.fov, 0.02f, 2.8f);
    camera.up = axes.up;
    camera.orthographic = options.orthographic;
    camera.target.setZero();
    camera.eye = axes.backward;
    const Vec3f back = camera.backward();
    const Vec3f right = camera.right();
    const Vec3f up = camera.upward();
    const float inside = std::clamp(1 - 2 * options.margin, 0.1f, 1.0f);
    const float tangent = std::tan(camera.fov / 2);
    const float slope_y = options.orthographic ? 0.0f : tangent * inside;
    const float slope_x = slope_y * aspect;
    Extent x;
    Extent y;
    float nearest = std::numeric_limits<float>::lowest();
    float farthest = std::numeric_limits<float>::max();
    for (const Vec3f& point : points) {
        if (!point.allFinite()) continue;
        const float depth = point.dot(back);
        x.include(point.dot(right), depth, slope_x);
        y.include(point.dot(up), depth, slope_y);
        nearest = std::max(nearest, depth);
        farthest = std::min(farthest, depth);
    }
    if (nearest < farthest) return fit(axes, Box{}, aspect, options);  // no points
    const float middle = (nearest + farthest) / 2;
    const float size = std::max({(nearest - farthest) / 2, x.reach(), y.reach(), 1e-6f});
    const Vec3f center = x.center() * right + y.center() * up;
    float depth = 0;
    if (options.orthographic) {
        camera.height = 2 * std::max({y.reach(), x.reach() / aspect, 1e-6f}) / inside;
        depth = nearest + 4 * size;
    } else {
        depth = std::max({x.reach() / slope_x, y.reach() / slope_y, nearest + 0.05f * size});
    }
    camera.eye = center + depth * back;
    camera.target = center + middle * back;
    return camera;
}

Camera fit(const ViewAxes& axes, const Box& box, float aspect, const FitOptions& options) {
    return fit(axes, std::span<const Vec3f>(corners(box)), aspect, options);
}

Camera fit(View view, const Box& box, float aspect, const FitOptions& options) {
    return fit(axes_of(view), box, aspect, options);
}

Mat4f view_matrix(const Camera& camera) {
    Mat4f view = Mat4f::Identity();
    view.block<1, 3>(0, 0) = camera.right().transpose();
    view.block<1, 3>(1, 0) = camera.upward().transpose();
    view.block<1, 3>(2, 0) = camera.backward().transpose();
    view.topRightCorner<3, 1>() = -(view.topLeftCorner<3, 3>() * camera.eye);
    return view;
}

Mat4f projection_matrix(const Camera& camera, float aspect, float near, float far) {
    Mat4f projection = Mat4f::Zero();
    if (camera.orthographic) {
        const float half = camera.height / 2;
        projection(0, 0) = 1 / (half * aspect);
        projection(1, 1) = 1 / half;
        projection(2, 2) = -2 / (far - near);
        projection(2, 3) = -(far + near) / (far - near);
        projection(3, 3) = 1;
    } else {
        const float scale = 1 / std::tan(camera.fov / 2);
        projection(0, 0) = scale / aspect;
        projection(1, 1) = scale;
        projection(2, 2) = -(far + near) / (far - near);
        projection(2, 3) = -2 * far * near / (far - near);
        projection(3, 2) = -1;
    }
    return projection;
}

}  // namespace sinew::render
