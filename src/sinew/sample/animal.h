#pragma once
/// \file
/// What a made animal consists of before it becomes a character.

#include <functional>

#include "sinew/model/character.h"
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

/// Mesh, skeleton and skin; no clips. 0 faces stands for the animal's own number.
model::Character make_animal(const Animal& animal, std::size_t faces);

}  // namespace sinew::sample
