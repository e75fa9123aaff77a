#pragma once
/// \file
/// Where the parts of a cut mesh meet: the borders that trees of parts and openings are made from.

#include <array>

#include "sinew/geometry/cut_mesh.h"

namespace sinew::geometry {

/// Two parts that have points in common, the lower one first.
struct PartContact {
    int a = -1;
    int b = -1;
    std::vector<std::uint32_t> points;  ///< common ones, rising
    /// Edges between a triangle of a and one of b, as the triangle of b runs.
    std::vector<std::array<std::uint32_t, 2>> edges;
    double length = 0;  ///< of the edges

    /// Whether the parts meet along a line, and not only in single points.
    bool along_edges() const { return !edges.empty(); }
};

/// All contacts, sorted by (a, b).
std::vector<PartContact> part_contacts(const CutMesh& cut);

/// The contact seen from the child: its loops, its middle and its plane.
Opening opening_of(const CutMesh& cut, const PartContact& contact, int parent, int child);

/// A chain of points: `closed` when it runs back to its start, which is not repeated.
struct BorderChain {
    std::vector<std::uint32_t> points;
    bool closed = false;
};

/// Directed edges joined to chains. They start at their lowest point when they are closed; the result is
/// sorted by falling length, then by the first point.
std::vector<BorderChain> border_chains(std::vector<std::array<std::uint32_t, 2>> edges);

}  // namespace sinew::geometry
