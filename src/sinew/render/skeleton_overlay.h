#pragma once
/// \file
/// A skeleton as shapes: bones as octahedra, joints as balls.

#include <span>

#include "sinew/model/skeleton.h"
#include "sinew/render/renderer.h"

namespace sinew::render {

struct SkeletonStyle {
    Layer layer = Layer::top;
    float thickness = 1;        ///< of bones and balls, relative to the usual
    bool joint_colors = false;  ///< each joint in the colour it has in weight pictures (joint_color)
    Vec3f bone_color = Vec3f(0.80f, 0.42f, 0.07f);
    Vec3f sphere_color = Vec3f(0.86f, 0.86f, 0.84f);
};

/// Bones are a tenth as thick as they are long, long ones less, so that a pose reads well at any size.
Overlay skeleton_overlay(const model::Skeleton& skeleton, std::span<const math::Mat4d> world,
                         const SkeletonStyle& style = {});

}  // namespace sinew::render
