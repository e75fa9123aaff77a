#pragma once
/// \file
/// A body as a packing of spheres, and the graph of those that lie beside each other (Baran and Popovic
/// 2007, 3).

#include <array>

#include "sinew/rig/skeletonize/body_field.h"

namespace sinew::rig {

struct SphereGraph {
    struct Link {
        int to = -1;
        double length = 0;
    };
    std::vector<Vec3d> center;  ///< the largest sphere first
    std::vector<double> radius;
    std::vector<std::vector<Link>> around;
    int left_out = 0;  ///< spheres that no way leads to from the largest part of the graph

    std::size_t size() const { return center.size(); }
};

/// Where distance to the surface falls off to two sides that are 120 degrees or more apart: centres of the
/// cells of the lattice, deeper than `least`, with the depth there. Deepest first.
std::vector<std::pair<double, Vec3d>> medial_points(const BodyField& field, double least);

/// Spheres around medial points, the largest first, each with its centre outside all before it. Joined are
/// spheres that meet, and those whose straight way keeps half of the smaller radius to the surface and has no
/// other centre nearer to its middle. The largest connected part is kept.
SphereGraph sphere_graph(const BodyField& field, double least);

/// Shortest ways from one sphere to all others.
struct SphereWays {
    std::vector<double> length;  ///< infinite where no way leads
    std::vector<int> from;       ///< the sphere before; -1 at the start

    /// Spheres from the start to a place, both included.
    std::vector<int> way_to(int place) const;
};
SphereWays ways_from(const SphereGraph& graph, int start);

}  // namespace sinew::rig
