#pragma once
/// \file
/// Loose parts and idle branches of a curve skeleton.

#include "sinew/rig/curve_skeleton.h"
#include "sinew/rig/skeletonize/body_tips.h"

namespace sinew::rig {

/// The node that serves each tip: the one whose ball is nearest, on ways inside the body; -1 where none is.
std::vector<int> nodes_of_tips(const CurveSkeleton& curve, const BodyField& field, const BodyGraph& graph,
                               const std::vector<BodyTip>& tips);

/// Removes branches that end freely and serve no tip of the body. `node_of_tip` becomes that of the result:
/// the nodes that serve are still there, and still the nearest.
CurveSkeleton without_idle(const CurveSkeleton& curve, std::vector<int>& node_of_tip);

/// Ties pieces whose part of the volume is small, such as the hands of a robot that has no lower arms, to the
/// rest by one edge between the nearest nodes; pieces with at least `own` of the largest piece's volume stay
/// on their own. Volumes are those of the cells that belong to the nodes. Returns how many were tied.
int tie_loose_pieces(CurveSkeleton& curve, const BodyField& field, const BodyGraph& graph, double own = 0.4);

/// How far each solid cell lies outside the nearest ball of the curve, on ways inside the body, in cells;
/// below 0 in a ball, infinite where no way leads. `owner`, when given, becomes the node of that ball.
std::vector<float> ball_distances(const CurveSkeleton& curve, const BodyField& field, const BodyGraph& graph,
                                  std::vector<std::uint32_t>* owner = nullptr);

/// The node whose ball is nearest to each solid cell, on ways inside the body; BodyGraph::none where none is.
std::vector<std::uint32_t> node_of_cells(const CurveSkeleton& curve, const BodyField& field,
                                         const BodyGraph& graph);

}  // namespace sinew::rig
