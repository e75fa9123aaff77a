#pragma once
/// \file
/// A known skeleton into a body: the one of a motion, or a built-in one.

#include "sinew/model/roles.h"
#include "sinew/rig/skeletonize/voxel_skeleton.h"

namespace sinew::rig {

struct TemplateOptions {
    VoxelSkeletonOptions curve;
    double closed_gap = 6;    ///< percent of the diagonal: loose parts nearer than this belong to the body
    bool symmetric = true;    ///< twins are averaged when the body is symmetric within `asymmetry`
    double asymmetry = 3;     ///< percent of the diagonal
    double upright = 0.08;    ///< how much a body with +y up and +z forward is preferred where shapes tie
    double stiffness = 0.25;  ///< of the template's proportions against what the body shows
    double unsure = 0.5;      ///< joints with less confidence are reported
};

struct TemplateFit {
    model::Skeleton skeleton;             ///< the template's joints, names and tree, in the body at rest
    std::vector<model::JointRole> roles;  ///< per joint
    std::vector<double> confidence_of;    ///< per joint, 0 to 1
    double confidence = 0;                ///< of the whole: the mean
    std::vector<int> unsure;              ///< joints that deserve a look
    std::vector<std::string> missing;  ///< limbs of the template without a counterpart, by their last joint
    double scale = 1;                  ///< body over template
    math::Mat3d rotation = math::Mat3d::Identity();  ///< template to body: where its up and front went
    CurveSkeleton curve;                             ///< of the body, without the map of vertices
};

/// Places a skeleton inside a mesh of any scale and orientation, in T-pose, A-pose or moderately bent.
/// Branches of the body's curve are matched with limbs by the ways between their ends; mirror images and
/// turned bodies are told apart by the whole pose; joints take their places by proportion, bend and
/// thickness, and are then relaxed towards the template's shape.
/// \throws Error when the mesh or the template has no extent, or the body has no branches.
TemplateFit fit_template(const geometry::Mesh& mesh, const model::Skeleton& skeleton,
                         const TemplateOptions& options = {}, Monitor& monitor = silent());

}  // namespace sinew::rig
