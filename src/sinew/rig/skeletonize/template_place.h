#pragma once
/// \file
/// Where the points of a template go, once its limbs are matched with the branches of a body.

#include "sinew/rig/skeletonize/template_match.h"

namespace sinew::rig {

/// Wishes for the points of a plan: a weight of 0 leaves a point to its neighbours.
struct TemplateTargets {
    std::vector<Vec3d> position;
    std::vector<double> weight;
    std::vector<double> bone_scale;  ///< per point: length of the bone that ends there over the template's
};

/// Joints of a limb by the template's proportions between the root of the limb and its end; the knee, the
/// elbow and the ankle where the limb bends nearby; neck and head on both sides of the thinnest place; the
/// spine by proportion between hips and neck (Xie 2009 3.18, with anatomical landmarks).
TemplateTargets place_targets(const TemplatePlan& plan, const CurveTree& tree, const LimbMatch& match);

}  // namespace sinew::rig
