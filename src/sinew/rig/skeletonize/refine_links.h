#pragma once
/// \file
/// Making the branches of a curve hang together inside the body: what only seemed to meet in the view is cut,
/// what is apart is joined where the body joins it.

#include "sinew/rig/skeletonize/refine.h"

namespace sinew::rig {

/// Length of the straight way between two points that lies outside the body.
double length_outside(const Body& body, const Vec3d& from, const Vec3d& to);

/// Cuts branches where they leap from limb to limb through the air, and every cycle that is left where it
/// leaves the body or is narrowest. Returns the number of cuts.
int cut_branches_outside(BranchGraph& graph, const Body& body);

/// Joins the pieces of the graph, nearest first: the free end of one and any place of another that sees it
/// through the body; then free ends that have to feel their way through it; then, over gaps up to `gap`,
/// those that do not. Returns how many pieces are left.
int join_pieces(BranchGraph& graph, const Body& body, double gap);

/// Removes junctions that are none: with two branches they become one branch, with one its end.
void tidy_junctions(BranchGraph& graph);

}  // namespace sinew::rig
