// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Which end of a body is which limb, by how the body stands: feet are on the floor, left is the mirror image
/// of right, the head lies in the middle.

#include "sinew/rig/body/body_frame.h"
#include "sinew/rig/templates/template_match.h"

namespace sinew::rig {

/// Limbs of a template that stands on two or four feet; -1 for those it does not have.
struct StandingPlan {
    int leg[2] = {-1, -1}, arm[2] = {-1, -1};  ///< left, right
    int head = -1, tail = -1;
    bool four_footed = false;  ///< it also stands on its arms

    bool valid() const { return leg[0] >= 0 && leg[1] >= 0 && arm[0] >= 0 && arm[1] >= 0; }
};

/// Not valid for templates with other limbs, such as fingers.
StandingPlan standing_plan(const TemplatePlan& plan);

/// An assignment of ends to limbs, and the evidence against it.
struct StandingMatch {
    LimbMatch match;
    double facing = 0;  ///< evidence for this facing minus evidence against it; 0 without any
};

/// The assignments that explain the body best, best first.
/// \param frame either of the two facings
/// \param mesh of the body, in the same axes
std::vector<StandingMatch> match_standing(const TemplatePlan& plan, const StandingPlan& limbs,
                                          const CurveTree& tree, const BodyFrame& frame,
                                          const BodyGraph& graph, const geometry::Mesh& mesh,
                                          std::size_t max_count = 8);

}  // namespace sinew::rig
