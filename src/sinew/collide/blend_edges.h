#pragma once
/// \file
/// The joints of influence sets as trees: every joint but the first of a set follows the one that settles the
/// sign of its quaternion. From the angles along these edges, and from how well a rest place that the two
/// joints of an edge may share stays shared, follows how far the blend of any set can be from the linear
/// one, without looking at its quaternions or solving for its centre (edge_pose.cpp).

#include <cstdint>
#include <span>
#include <vector>

#include "sinew/collide/ball.h"

namespace sinew::collide {

struct SphereTree;

struct BlendEdges {
    struct Edge {
        std::uint32_t leader = 0, follower = 0;
        float pivot[4] = {0, 0, 0, 0};  ///< rest place of the later joint: neighbours turn about it
    };
    /// An edge of one set.
    struct SetEdge {
        std::uint32_t edge = 0;
        float lever = 0;     ///< sqrt(2) times the farthest that a vertex of the set is from its pivot
        float distance = 0;  ///< 2 sqrt(2) times that of its pivot from that of the set
    };
    /// A set, as far as its pose does not matter.
    struct SetPivot {
        std::uint32_t edge = 0;  ///< whose pivot it takes
        float size = 0;          ///< distance of that from the origin
        float root = 0;          ///< sqrt(joints - 1)
    };

    /// Four sets with as many joints whose edges are not all in another; the last may repeat.
    struct WideSets {
        std::uint32_t sets[4] = {};
        std::uint32_t joint_count = 0;
        std::uint32_t first_edge = 0;      ///< of one less than joints in `wide_edges`
        float size[4] = {}, root[4] = {};  ///< of their pivots
    };
    /// One edge of each.
    struct WideEdges {
        std::uint32_t edges[4] = {};
        float dual_lever[4] = {};  ///< as `lever`, for vertices of any set with this edge
        float distance[4] = {};
        float spherical_lever[4] = {};  ///< the first with sqrt(joints - 1) / 2 of the second added
    };

    std::vector<Edge> edges;  ///< a multiple of four: the last may repeat
    std::vector<SetEdge>
        set_edges;                 ///< of set s from `first_joint - s` on: as many as it has joints, less one
    std::vector<SetPivot> pivots;  ///< of every set
    std::vector<WideSets> wide_sets;  ///< those with fewer joints first
    std::vector<WideEdges> wide_edges;
    /// Sets of each joint among `wide_sets`, four places for each of those, and where those of a joint begin.
    std::vector<std::uint32_t> joint_wide, joint_places;
    float reach = 0;    ///< farthest pivot from the origin
    bool whole = true;  ///< every set has one first joint, from which edges lead to all others
};

/// From the sets of a tree and how they settle signs.
BlendEdges make_edges(const SphereTree& tree);

}  // namespace sinew::collide
