// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Animals and the hand: their shapes, and how they walk.

#include <functional>
#include <string>
#include <vector>

#include "sinew/model/character.h"
#include "sinew/model/clip.h"
#include "sinew/sample/bodies/body_mesh.h"
#include "sinew/sample/bodies/skeleton_plan.h"

namespace sinew::sample {

struct Animal {
    std::string name;
    ImplicitBody body;
    CountedMeshOptions mesh;  ///< its `faces` are the default number
    std::vector<JointPlan> joints;
    std::function<math::Vec4f(const Vec3d&)> color;  ///< linear RGBA on the surface, the same on both sides
};

/// Mesh, skeleton and skin; no clips. 0 faces selects the animal's own number.
model::Character make_animal(const Animal& animal, std::size_t faces);

// Clips of generated animals: waves of single joints, and legs that follow feet fixed on the ground.

using math::Vec3d;

/// A joint that rotates about an axis: mean + amplitude cos(2 pi (times phase - lag)) degrees. Of a paired
/// joint (with Left or Right before the name) the right one is the mirror image half a cycle later.
struct Wave {
    std::string joint;
    Vec3d axis = Vec3d::UnitX();
    double mean = 0;
    double amplitude = 0;
    int times = 1;  ///< a cycle
    double lag = 0;
};

/// A pair of legs. The last joint holds the foot that lies flat in stance.
struct LegPlan {
    std::vector<std::string> joints;  ///< from the hip down, without Left and Right
    std::vector<double> fold;  ///< rotation about x of each in mid-swing, degrees; the foot in the world
    double phase = 0;          ///< in the cycle when the left foot lands
};

struct WalkPlan {
    double seconds = 1.2;  ///< a cycle
    double stride = 1;     ///< metres a cycle
    double duty = 0.62;    ///< part of the cycle for which a foot stands
    double lift = 0.08;    ///< of a foot in mid-swing
    double drop = 0.02;    ///< of the root below its rest height, so that the legs reach
    double bob = 0.01;     ///< of the root, twice a cycle
    std::vector<LegPlan> legs;
    std::vector<Wave> waves;
    int keys = 48;   ///< a cycle
    int cycles = 4;  ///< of the walk that goes forward
};

/// The clips `walk`, along +z, and `walk-in-place`, whose last key equals its first.
std::vector<model::Clip> walk_clips(const model::Skeleton& skeleton, const WalkPlan& plan);

/// One cycle of waves alone; the last key equals the first.
model::Clip wave_clip(const model::Skeleton& skeleton, const std::string& name,
                      const std::vector<Wave>& waves, double seconds, int keys);

// The cat: 0.25 m at the shoulder, standing, with its true rig.

Animal cat();

/// Mesh, skeleton, skin and walk; 20 000 triangles unless another number is given.
model::Character make_cat(std::size_t faces = 0);

// A right hand with spread fingers, from the forearm up, with its true rig.

/// Fingers point up, the palm faces +z, the thumb +x; all of it lies at x > 0.
Animal hand();

/// Mesh, skeleton, skin and the clip `fist`; 38 016 triangles unless another number is given.
model::Character make_hand(std::size_t faces = 0);

// The horse: 1.6 m at the withers, standing square, with its true rig.

Animal horse();

/// Mesh, skeleton, skin and walk; 16 844 triangles unless another number is given.
model::Character make_horse(std::size_t faces = 0);

// The ostrich: 2.1 m to the crown, standing, with its true rig.

Animal ostrich();

/// Mesh, skeleton, skin and walk; 52 896 triangles unless another number is given.
model::Character make_ostrich(std::size_t faces = 0);

}  // namespace sinew::sample
