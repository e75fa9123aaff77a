// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// The joints of influence sets as trees: every joint except the first of a set follows the joint that
/// defines the sign of its quaternion. The angles along these edges, and how well the two joints of an edge
/// keep a shared rest position together, bound the difference between the blend of any set and the linear
/// blend, without evaluating its quaternions or its centre (body/sign_tree_pose.cpp).

#include <cstdint>
#include <span>
#include <vector>

#include "sinew/collide/tree/sphere.h"

namespace sinew::collide {

struct TreeData;

struct SignTree {
    struct Edge {
        std::uint32_t leader = 0, follower = 0;
        float pivot[4] = {0, 0, 0, 0};  ///< rest position of the later joint, about which neighbours rotate
    };
    /// Pose-independent data of a set.
    struct SetSize {
        float reach = 0;  ///< largest distance of the pivots of its edges from the origin
        float root = 0;   ///< sqrt(joints - 1)
    };

    /// Four sets with the same number of joints; the last may be repeated.
    struct SetQuad {
        std::uint32_t sets[4] = {};
        std::uint32_t joint_count = 0;
        std::uint32_t first_edge = 0;      ///< one less than the number of joints
        std::uint32_t first_distance = 0;  ///< as many rows as there are pivots
        std::uint32_t pivot_count = 0;
        float reach[4] = {}, root[4] = {};
    };
    /// One edge of each set.
    struct EdgeQuad {
        std::uint32_t edges[4] = {};
        float lever[4] = {};  ///< sqrt(2) times the largest distance of a vertex from the pivot
    };
    /// Distance from a reference pivot of each set to that of one of its edges, times 2 sqrt(2).
    struct DistanceQuad {
        float at[4] = {};
    };
    /// Groups ordered by number of joints.
    struct Groups {
        std::vector<SetQuad> sets;
        std::vector<EdgeQuad> edges;
        std::vector<DistanceQuad> distances;
    };

    std::vector<Edge> edges;  ///< padded to a multiple of four by repeating the last
    /// Edges of set s start at `first_joint - s`; one less than its joints.
    std::vector<std::uint32_t> set_edges;
    std::vector<SetSize> sizes;  ///< of every set
    Groups all;  ///< all sets with several joints, with levers of their own vertices, about any pivot
    /// Sets whose edges are not all contained in another set, with levers of the vertices of all sets with
    /// the edge, about the pivot nearest to the others.
    Groups widest;
    float reach = 0;    ///< largest distance of a pivot from the origin
    bool whole = true;  ///< every set has one first joint, from which edges reach all others
};

/// Builds the tree from the sets and their sign rules.
SignTree make_sign_tree(const TreeData& tree);

}  // namespace sinew::collide
