// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// The man: a walking figure in T-pose with his true rig.

#include <array>
#include <functional>
#include <vector>

#include "sinew/model/character.h"
#include "sinew/sample/bodies/body_mesh.h"
#include "sinew/sample/bodies/half_mesh.h"
#include "sinew/sample/bodies/skeleton_plan.h"

namespace sinew::sample {

/// Mesh, skeleton, skin, and the clips `walk` and `walk-in-place`; about 20 000 triangles unless a larger
/// number is given.
/// \throws Error when the number is not larger.
model::Character make_man(std::size_t faces = 0);

/// His body as a field.
ImplicitBody man_body();
/// Where and how finely the body is sampled, and the borders of his clothes.
BodyMeshOptions man_mesh_options();
/// Linear RGBA at a point of his surface.
math::Vec4f man_color(const Vec3d& point);

// Shared by the files of the man: the fingers of his hand and the lines of his clothes.

/// A finger of the left hand. The root is in the palm.
struct HandRay {
    const char* name;
    Vec3d root;
    Vec3d knuckle;
    Vec3d middle;
    Vec3d tip;
    double radius;
};

std::array<HandRay, 4> man_fingers();
HandRay man_thumb();

/// His left ear, which the hair does not cover.
Ellipsoid man_ear();
/// Rotation matrix of an axis times an angle.
Mat3d turned(const Vec3d& rotation_vector);

/// Cloth or hair, where `side` is above 0.
struct Garment {
    std::function<double(const Vec3d&)> side;
    double thickness;
    double ramp;  ///< width of its edge
};

std::vector<Garment> man_garments();
std::vector<Border> man_borders();

/// The part of the surface that each joint moves.
std::vector<JointShare> man_shares(const model::Skeleton& skeleton);

/// How healthy adults walk at their own pace: joint angles over one gait cycle. Degrees, of one leg, from its
/// own heel contact (phase 0) to the next (phase 1). Sagittal curves follow the means of Winter, "The
/// Biomechanics and Motor Control of Human Gait" (1991) and Perry, "Gait Analysis: Normal and Pathological
/// Function" (1992), read off every 5 % of the cycle. The hip angle is that of the thigh against the
/// vertical: the tilt of the pelvis in quiet standing is part of the rest pose. Pelvis after Perry 1992, arms
/// and trunk after Murray 1967.
struct GaitAngles {
    double hip_flexion = 0;
    double knee_flexion = 0;
    double ankle_dorsiflexion = 0;
    double shoulder_flexion = 0;  ///< of the arm on the same side
    double elbow_flexion = 0;
    double pelvis_forward = 0;  ///< rotation about the vertical that brings this side forward
    double pelvis_up = 0;       ///< this side up
    double thorax_forward = 0;  ///< rotation of the shoulders in the world
};

/// The angles at any phase; periodic and twice continuously differentiable, except the tables, which are C1.
GaitAngles gait_angles(double phase);

}  // namespace sinew::sample
