#pragma once
/// \file
/// A template without the joints that have one bone on each side.

#include "sinew/rig/skeletonize/template_plan.h"

namespace sinew::rig {

/// Junctions and ends of a template; what lies between them is a chain.
struct ReducedTemplate {
    struct Joint {
        int point = -1;          ///< of the plan
        int parent = -1;         ///< position in `joints`, always before
        std::vector<int> chain;  ///< points from the parent's to this one, both included
        double length = 0;       ///< of the chain
        int twin = -1;           ///< the joint on the other side, when it comes before this one
        bool is_end = false;
        bool is_foot = false;
    };
    std::vector<Joint> joints;  ///< the first is a junction, when there is one
};

ReducedTemplate reduced(const TemplatePlan& plan);

}  // namespace sinew::rig
