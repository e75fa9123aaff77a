// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Chains of chords between terminal and junction triangles, while they are pruned and clustered.

#include "sinew/rig/silhouette/medial.h"

namespace sinew::rig {

struct Disc {
    Vec2d center = Vec2d::Zero();
    double radius = 0;
};

/// An internal side of the triangulation, which the axis crosses in its middle.
struct Chord {
    int a = 0, b = 0;        ///< points
    std::vector<int> aside;  ///< points of branches that were pruned here
};

struct Chain {
    std::vector<Chord> chords;
    std::array<int, 2> hubs{-1, -1};          ///< junctions at the ends, or -1
    std::array<std::vector<int>, 2> behind;   ///< points beyond a free end
    std::array<std::optional<Vec2d>, 2> cap;  ///< middle of the junction that was pruned to a free end
    std::array<bool, 2> cut{};  ///< a free end where a cycle was broken: the outline continues there
    bool alive = true;
};

struct Hub {
    std::vector<int> triangles;
    std::vector<int> aside;  ///< points of branches that were pruned here
    bool alive = true;
};

struct Chains {
    const Triangulation2& triangulation;
    const geometry::PolygonIndex& outline;
    std::vector<Chain> chains;
    std::vector<Hub> hubs;

    const Vec2d& point(int p) const { return triangulation.points[static_cast<std::size_t>(p)]; }
    Vec2d middle(const Chord& chord) const { return (point(chord.a) + point(chord.b)) / 2; }
    /// Area-weighted middle of the triangles of a hub.
    Vec2d center(int hub) const;
    /// The largest empty circle of its triangles: the circle of a Delaunay triangle contains no point, so
    /// that this is nearly the largest circle that fits in the outline there.
    Disc disc(int hub) const;
    double length(const Chain& chain) const;
    std::vector<int> chains_at(int hub) const;
};

/// All chains of the triangulation. A ring without a junction is one chain with two free ends.
Chains chains_of(const Triangulation2& triangulation, const geometry::PolygonIndex& outline);

/// Removes noise, clusters junctions and joins the remaining chains, until nothing changes.
void prune(Chains& chains, const MedialOptions& options);
/// Number of chords from a free end that belong to its rounding: all points beyond lie in the circle over the
/// chord (Igarashi et al. 1999).
std::size_t absorbed(const Chains& chains, const Chain& chain, std::size_t end);
/// Cuts every cycle at its narrowest chord.
void break_cycles(Chains& chains);

}  // namespace sinew::rig
