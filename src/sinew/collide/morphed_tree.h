#pragma once
/// \file
/// Bodies whose rest shape changes: v + sum a_k e_k(v), morphs or corrections, then skinning. Every ball of
/// the tree knows a ball around the offsets of its vertices for each morph, so that it moves and grows with
/// the weights without looking at a vertex (James & Pai 2004).

#include <span>
#include <vector>

#include "sinew/collide/sphere_tree.h"

namespace sinew::collide {

/// What the morphs of a mesh do to its tree. Immutable, shared by all instances.
struct MorphBounds {
    /// Offset of one vertex, in the order of the tree.
    struct Delta {
        std::uint32_t vertex = 0;
        Vec3f offset = Vec3f::Zero();
    };
    struct Target {
        std::vector<StoredBall> nodes, records, joint_balls;  ///< around the offsets of their vertices
        std::vector<Delta> deltas;                            ///< those that are not 0, in rising order
        double reach = 0;                                     ///< longest offset
    };
    std::vector<Target> targets;  ///< one for every morph
};

/// \throws Error when a morph leaves the mesh, is not finite, or the tree is of another mesh.
MorphBounds make_morph_bounds(const SphereTree& tree, const geometry::Mesh& mesh);

/// The tree of one body in its rest shape of the moment. Balls and vertices are moved when a body asks for
/// them; a new shape costs only its weights.
class MorphedTree {
  public:
    /// Both must outlive it. Starts with all weights 0.
    MorphedTree(const SphereTree& rest, const MorphBounds& bounds);

    /// A new rest shape. The body on this tree needs a new pose afterwards.
    /// \throws Error when there are not as many weights as morphs, or one is not finite.
    void set_weights(std::span<const float> weights);

    /// What a body is made from. Read by others it is only valid where that body has asked.
    const SphereTree& tree() const { return tree_; }

    /// Balls of a node, and vertices of a leaf, in the shape of the moment. Not twice at once for one node.
    void prepare(std::uint32_t node) {
        if (node_shapes_[node] != shape_) move_balls(node);
    }
    void prepare_leaf(std::uint32_t leaf) {
        if (leaf_shapes_[leaf] != shape_) move_vertices(leaf);
    }

  private:
    using Balls = std::vector<StoredBall> MorphBounds::Target::*;

    void move_balls(std::uint32_t node);
    void move_vertices(std::uint32_t leaf);
    StoredBall moved(const StoredBall& rest, Balls balls, std::size_t place) const;

    const SphereTree* rest_;
    const MorphBounds* bounds_;
    SphereTree tree_;
    std::vector<float> weights_;
    std::vector<std::uint32_t> active_;  ///< morphs with a weight
    double slack_ = 0;                   ///< of vertices added up in single precision
    std::uint32_t shape_ = 0;
    std::vector<std::uint32_t> node_shapes_, leaf_shapes_;
};

}  // namespace sinew::collide
