// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Which limb of a template is which branch of a body.

#include "sinew/rig/body/body_frame.h"
#include "sinew/rig/templates/template_curve.h"
#include "sinew/rig/templates/template_plan.h"

namespace sinew::rig {

/// For each limb of the plan the free end of the curve that it reaches, or -1.
struct LimbMatch {
    std::vector<int> tip;
    double scale = 1;  ///< curve over template, by the paths between the ends
    double cost = 0;   ///< mean relative difference of those paths; an unmatched limb adds 1.2
                       ///< of its share, branches that no limb explains 1.2 of theirs, and
                       ///< pairs the difference of their two sides
};

/// The assignments in which the paths between the ends agree best, best first. Mirror images agree equally:
/// only the shape in space decides between them. A beam search, so that its time is bounded.
std::vector<LimbMatch> match_limbs(const TemplatePlan& plan, const CurveTree& tree, std::size_t most = 600);

// --------------------
// Positions of the points of a template, after its limbs are matched with the branches of a body.

/// Targets for the points of a plan: a point with weight 0 is placed by its neighbours.
struct TemplateTargets {
    std::vector<Vec3d> position;
    std::vector<double> weight;
    std::vector<double> bone_scale;  ///< per point: length of the bone that ends there over the template's
};

/// Joints of a limb by the template's proportions between the root of the limb and its end; the knee, the
/// elbow and the ankle where the limb bends nearby; neck and head on both sides of the thinnest point; the
/// spine by proportion between hips and neck (Xie 2009 3.18, with anatomical landmarks).
/// \param four_footed whether it also stands on its arms; only with a frame
/// \param frame how the body stands, or null: hip joints are then placed by the curve alone
TemplateTargets find_targets(const TemplatePlan& plan, const CurveTree& tree, const LimbMatch& match,
                             const BodyFrame* frame = nullptr, bool four_footed = false);

}  // namespace sinew::rig
