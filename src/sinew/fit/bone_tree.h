#pragma once
/// \file
/// A hierarchy for bones that were found without one: bones that share vertices and keep a point in common
/// become parent and child, with a joint in that point.

#include "sinew/fit/character.h"

namespace sinew::fit {

/// Parents come before children in `order`; the first is the root.
struct BoneTree {
    std::vector<int> parents;  ///< of each bone, -1 for the root
    std::vector<std::size_t> order;
    std::vector<Vec3d> pivots;  ///< rest position of the joint between a bone and its parent
    std::vector<double> gaps;   ///< root mean square over the frames of how far the two move it apart
};

/// The tree of least cost over all bones, where an edge costs how far its best pivot moves apart, and more
/// where bones share few vertices. The pivot is the c of least sum |T_a c - T_b c|^2, kept near the vertices
/// that both move. The root is the bone that moves most.
BoneTree bone_tree(const FitResult& fit);

/// The fit as a character whose joints hang on each other as in the tree: rigid bones only. It plays like
/// `to_character`. \throws Error for affine bones.
model::Character to_tree_character(const FitResult& fit, const BoneTree& tree, Monitor& monitor = silent());

}  // namespace sinew::fit
