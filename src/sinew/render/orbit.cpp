#include "sinew/render/orbit.h"

#include <algorithm>
#include <cmath>

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
    // From straight above or below, what is up in the picture tells the heading.
    const Vec3f ahead =
        std::abs(back.y()) < 0.999f ? back : Vec3f(-camera.upward() * (back.y() > 0 ? 1 : -1));
    result.heading = std::atan2(ahead.x(), ahead.z());
    return result;
}

void orbit(OrbitCamera& camera, float heading, float pitch) {
    add_angles(camera, heading, pitch);
}

void turn(OrbitCamera& camera, float heading, float pitch) {
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

}  // namespace sinew::render
