// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// From targets to a skeleton: points follow their targets and keep the template's shape where there is none.

#include "sinew/rig/body/body_field.h"
#include "sinew/rig/templates/template_match.h"

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

// --------------------
// The last steps of placing a template: symmetric, inside the body, and as a skeleton at rest.

/// Twins of points that have targets, and points of the middle; -1 for others.
std::vector<int> twins_of(const TemplatePlan& plan, const TemplateTargets& targets);

/// Averages twins when they are nearly each other's image: within `limit` percent of the size.
void make_symmetric(const TemplatePlan& plan, TemplateTargets& targets, double limit);

/// Where two limbs end in each other's image but differ before it, one runs through the trunk on a shorter
/// path: it becomes the image of the other, which is farther from the plane.
/// \param limit percent of `size`
void mirror_short_cuts(const TemplatePlan& plan, TemplateTargets& targets, const MirrorPlane& plane,
                       double size, double limit);

/// In a symmetric body targets of the middle lie in the plane, where they are near it.
/// \param limit percent of `size`
void settle_middle(const TemplatePlan& plan, TemplateTargets& targets, const MirrorPlane& plane, double size,
                   double limit);

/// A head ends where the direction of its bone in the template, seen from the head joint, leaves the body:
/// not in an ear, a horn or the corner of a box.
void end_head(const TemplatePlan& plan, TemplateTargets& targets, const MirrorPlane& plane,
              const BodyField& field, const Similarity& similarity);

/// Points outside move along the gradient of the depth until they are inside.
void pull_inside(const TemplatePlan& plan, const BodyField& field, std::vector<Vec3d>& points);

/// Joints beside a finger, which is thinner than the cells of the field, go to its middle: through the
/// nearest point of the surface, half-way to the other side.
void pull_into_thin(const TemplatePlan& plan, const geometry::Mesh& mesh, double diagonal,
                    std::vector<Vec3d>& points);

/// Rest transforms from points and the rotation of every joint's frame. `source` is the original skeleton of
/// the plan.
model::Skeleton posed(const TemplatePlan& plan, const RelaxedTemplate& relaxed,
                      const model::Skeleton& source);

}  // namespace sinew::rig
