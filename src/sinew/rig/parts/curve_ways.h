#pragma once
/// \file
/// The branches of a curve as ways from the trunk outwards.

#include "sinew/rig/parts/curve_cuts.h"

namespace sinew::rig {

/// A branch as a way with lengths.
struct Way {
    std::vector<int> nodes;
    std::vector<double> at;  ///< arc length of each node
    bool junction[2] = {false, false};

    double length() const { return at.back(); }
};
Way way_of(const CurveSkeleton& curve, const CurveBranch& branch, const std::vector<int>& degree);

/// A curve with what is asked again and again.
struct WayGraph {
    std::vector<int> degree;
    std::vector<std::vector<int>> around;
    std::vector<double> free_length;  ///< of each node that is a free end: the length of its branch
    double longest = 0;               ///< branch with a free end
};
WayGraph graph_of(const CurveSkeleton& curve, const std::vector<CurveBranch>& all);

/// What lies behind an end of a way, when the way itself is taken out.
struct Behind {
    double area = 1;    ///< part of the surface; all of it when the curve comes back around
    double branch = 0;  ///< length of the longest branch with a free end
    std::vector<int> nodes;
};
Behind behind(const CurveShape& shape, const WayGraph& graph, const Way& way, bool from_end);

/// Whether a way between two junctions is as thick as they are everywhere, within `part`.
bool is_trunk(const CurveSkeleton& curve, const Way& way, double part);

/// The first node of a way, from one of its ends, that lies outside the junction there; the number of nodes
/// when none does.
std::size_t leaves_ball(const CurveSkeleton& curve, const Way& way, bool from_end, double radii);

/// Ways that lead to a head, and those that are the rest of one.
struct Heads {
    std::vector<char> neck;  ///< of each way
    std::vector<char> face;  ///< the thickest way of a junction in a head: goes on, and is not cut
};
Heads find_heads(const CurveSkeleton& curve, const CurveShape& shape, const WayGraph& graph,
                 const std::vector<Way>& ways, const std::vector<int>& twins, const CurveCutOptions& options);

}  // namespace sinew::rig
