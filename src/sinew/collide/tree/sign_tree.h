// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// The joints of influence sets as trees: every joint but the first of a set follows the one that settles the
/// sign of its quaternion. From the angles along these edges, and from how well a rest position that the two
/// joints of an edge may share stays shared, follows how far the blend of any set can be from the linear
/// one, without looking at its quaternions or solving for its centre (body/sign_tree_pose.cpp).

#include <cstdint>
#include <span>
#include <vector>

#include "sinew/collide/tree/sphere.h"

namespace sinew::collide {

struct TreeData;

struct SignTree {
    struct Edge {
        std::uint32_t leader = 0, follower = 0;
        float pivot[4] = {0, 0, 0, 0};  ///< rest position of the later joint: neighbours rotate about it
    };
    /// A set, as far as its pose does not matter.
    struct SetSize {
        float reach = 0;  ///< farthest of the pivots of its edges from the origin
        float root = 0;   ///< sqrt(joints - 1)
    };

    /// Four sets with as many joints; the last may repeat.
    struct SetQuad {
        std::uint32_t sets[4] = {};
        std::uint32_t joint_count = 0;
        std::uint32_t first_edge = 0;      ///< of one less than joints
        std::uint32_t first_distance = 0;  ///< of as many rows of that as there are pivots
        std::uint32_t pivot_count = 0;
        float reach[4] = {}, root[4] = {};
    };
    /// One edge of each.
    struct EdgeQuad {
        std::uint32_t edges[4] = {};
        float lever[4] = {};  ///< sqrt(2) times the farthest that a vertex is from the pivot
    };
    /// From a pivot that each set may be looked at about to that of one of its edges, times 2 sqrt(2).
    struct DistanceQuad {
        float at[4] = {};
    };
    /// Those with fewer joints first.
    struct Groups {
        std::vector<SetQuad> sets;
        std::vector<EdgeQuad> edges;
        std::vector<DistanceQuad> distances;
    };

    std::vector<Edge> edges;  ///< a multiple of four: the last may repeat
    /// Of set s from `first_joint - s` on: as many as it has joints, less one.
    std::vector<std::uint32_t> set_edges;
    std::vector<SetSize> sizes;  ///< of every set
    Groups all;  ///< every set of several joints, with levers of its own vertices, about any pivot
    /// Sets whose edges are not all in another, with levers of the vertices of any set that has the edge,
    /// about the pivot that is nearest to the others.
    Groups widest;
    float reach = 0;    ///< farthest pivot from the origin
    bool whole = true;  ///< every set has one first joint, from which edges lead to all others
};

/// From the sets of a tree and how they settle signs.
SignTree make_sign_tree(const TreeData& tree);

}  // namespace sinew::collide
