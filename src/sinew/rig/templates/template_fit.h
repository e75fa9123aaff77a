// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// A known skeleton into a body: the one of a motion, or a built-in one.

#include "sinew/model/roles.h"
#include "sinew/rig/skeletonize.h"

namespace sinew::rig {

struct TemplateFit : TemplateConfidence {
    model::Skeleton skeleton;             ///< the template's joints, names and tree, in the body at rest
    std::vector<model::JointRole> roles;  ///< per joint
    double scale = 1;                     ///< body over template
    math::Mat3d rotation = math::Mat3d::Identity();  ///< template to body: where its up and front went
    CurveSkeleton curve;                             ///< of the body, without the map of vertices
};

/// Places a skeleton inside a mesh of any scale and orientation, in T-pose, A-pose or moderately bent.
/// Branches of the body's curve are matched with limbs by the paths between their ends; mirror images and
/// rotated bodies are told apart by the whole pose; joints take their positions by proportion, bend and
/// thickness, and are then relaxed towards the template's shape.
/// \throws Error when the mesh or the template has no extent, or the body has no branches.
TemplateFit fit_template(const geometry::Mesh& mesh, const model::Skeleton& skeleton,
                         Monitor& monitor = silent());

}  // namespace sinew::rig
