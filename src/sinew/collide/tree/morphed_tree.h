// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Bodies whose rest shape changes: v + sum a_k e_k(v), morphs or corrections, then skinning. Each sphere of
/// the tree stores a sphere around the offsets of its vertices for each morph, so that it moves and grows
/// with the weights without evaluating vertices (James & Pai 2004).

#include <span>
#include <vector>

#include "sinew/collide/tree/tree_data.h"

namespace sinew::collide {

/// Contents of MorphBounds.
struct MorphData {
    /// Offset of one vertex, in the order of the tree.
    struct Delta {
        std::uint32_t vertex = 0;
        Vec3f offset = Vec3f::Zero();
    };
    struct Target {
        std::vector<StoredSphere> nodes, set_bounds, joint_spheres;  ///< around the offsets of their vertices
        std::vector<Delta> deltas;  ///< non-zero offsets, in increasing order of vertices
        double reach = 0;           ///< longest offset
    };
    std::vector<Target> targets;  ///< one per morph
};

/// The tree of one body in its current rest shape. Spheres and vertices are moved on demand; a new shape only
/// costs its weights.
class MorphedTree {
  public:
    /// Both must outlive it. Starts with all weights 0.
    MorphedTree(const TreeData& rest, const MorphData& bounds);

    /// Sets a new rest shape. The body on this tree needs a new pose afterwards.
    /// \throws Error when the number of weights differs from that of the morphs, or one is not finite
    void set_weights(std::span<const float> weights);

    /// The tree of the body. Valid only for data that the body has requested.
    const TreeData& tree() const { return tree_; }

    /// Spheres of a node and vertices of a leaf in the current shape. Not concurrently for the same node.
    void prepare(std::uint32_t node) {
        if (node_shapes_[node] != shape_) move_spheres(node);
    }
    void prepare_leaf(std::uint32_t leaf) {
        if (leaf_shapes_[leaf] != shape_) move_vertices(leaf);
    }

  private:
    using Spheres = std::vector<StoredSphere> MorphData::Target::*;

    void move_spheres(std::uint32_t node);
    void move_vertices(std::uint32_t leaf);
    StoredSphere moved(const StoredSphere& rest, Spheres spheres, std::size_t slot) const;

    const TreeData* rest_;
    const MorphData* bounds_;
    TreeData tree_;
    std::vector<float> weights_;
    std::vector<std::uint32_t> active_;  ///< morphs with a weight
    double slack_ = 0;                   ///< rounding error of vertices summed in single precision
    std::uint32_t shape_ = 0;
    std::vector<std::uint32_t> node_shapes_, leaf_shapes_;
};

}  // namespace sinew::collide
