#pragma once
/// \file
/// Which limb of a template is which branch of a body.

#include "sinew/rig/skeletonize/template_curve.h"
#include "sinew/rig/skeletonize/template_plan.h"

namespace sinew::rig {

/// For each limb of the plan the free end of the curve that it reaches, or -1.
struct LimbMatch {
    std::vector<int> tip;
    double scale = 1;  ///< curve over template, by the ways between the ends
    double cost = 0;   ///< mean relative difference of those ways; an unmatched limb adds 1.2
                       ///< of its share, branches that no limb explains 1.2 of theirs, and
                       ///< pairs the difference of their two sides
};

/// The assignments in which the ways between the ends agree best, best first. Mirror images agree equally:
/// which is right takes the shape in space. A beam search, so that its time is bounded.
std::vector<LimbMatch> match_limbs(const TemplatePlan& plan, const CurveTree& tree, std::size_t most = 600);

}  // namespace sinew::rig
