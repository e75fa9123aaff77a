#pragma once
/// \file
/// How the quaternions of influence sets get their signs, joint after joint. From this and the angles between
/// pairs of joints follows how far apart the quaternions of any set can be in a pose, without looking at the
/// sets one by one.

#include <cstdint>
#include <vector>

namespace sinew::collide {

struct SphereTree;

struct BlendChains {
    /// Two joints of which one settles the sign of the other's quaternion in some set.
    struct Edge {
        std::uint32_t leader = 0, follower = 0;
    };
    /// The way from the first joint of a set to another: a shorter way, then an edge.
    struct Link {
        std::int32_t before = -1;  ///< -1: the edge starts at the first joint
        std::uint32_t edge = 0;
    };

    std::vector<Edge> edges;
    std::vector<Link> links;
    bool whole = true;  ///< every set has one first joint, from which there is a way to all others
};

/// From the sets of a tree and how they settle signs.
BlendChains make_chains(const SphereTree& tree);

}  // namespace sinew::collide
