#pragma once
/// \file
/// From wishes to a skeleton: points follow their targets and keep the template's shape where there is none.

#include "sinew/rig/skeletonize/template_place.h"

namespace sinew::rig {

/// x -> scale * rotation * x + shift.
struct Similarity {
    Mat3d rotation = Mat3d::Identity();
    Vec3d shift = Vec3d::Zero();
    double scale = 1;
    double residual = 0;  ///< root of the weighted mean square, as a part of the targets' extent

    Vec3d operator()(const Vec3d& x) const { return scale * (rotation * x) + shift; }
};

/// Best similarity without reflection from the template to its targets (Umeyama 1991).
Similarity align(const TemplatePlan& plan, const TemplateTargets& targets);

struct RelaxedTemplate {
    std::vector<Vec3d> points;
    std::vector<Mat3d> rotation;  ///< per joint, of its bones since the template's rest pose
};

/// Minimises sum w |x - t|^2 + stiffness sum |x_c - x_p - s R_p d|^2 over points and rotations in turn: as
/// rigid as possible (Sorkine and Alexa 2007) on a tree, where the linear step is solved exactly from the
/// leaves to the root.
RelaxedTemplate relax_template(const TemplatePlan& plan, const TemplateTargets& targets,
                               const Similarity& start, double stiffness = 0.25, int rounds = 12);

}  // namespace sinew::rig
