#pragma once
/// \file
/// A camera that a person moves: around a place, sideways, nearer, and on its own way.

#include "sinew/render/renderer.h"

namespace sinew::render {

/// Stands `distance` from a place and looks at it. The orientation is heading about +y, then pitch about the
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
/// The nearest orbit camera: the same place, direction and view; `up` becomes +y.
OrbitCamera orbit_of(const Camera& camera);

/// All angles in radians; the pitch stays within `max_pitch`.

/// Around the target.
void orbit(OrbitCamera& camera, float heading, float pitch);
/// On the spot: the eye stays, the target moves.
void turn(OrbitCamera& camera, float heading, float pitch);
/// Sideways, by parts of the picture's height, measured at the target: what is there follows the mouse.
void pan(OrbitCamera& camera, float right, float up);
/// Multiplies the distance; it stays within `nearest` and `farthest`.
void zoom(OrbitCamera& camera, float factor, float nearest = 1e-4f, float farthest = 1e6f);
/// Along the view, eye and target together.
void advance(OrbitCamera& camera, float distance);

/// Looks at a box from where the camera stands now, so that all of it is seen.
void frame(OrbitCamera& camera, const Box& box, float aspect, const FitOptions& options = {});

}  // namespace sinew::render
