#pragma once
/// \file
/// Which triangles of two bodies touch? Balls are refitted only where the search comes by.

#include <compare>
#include <cstdint>
#include <vector>

#include "sinew/collide/body.h"

namespace sinew::collide {

/// Two triangles that touch, by their numbers in the meshes.
struct Contact {
    std::uint32_t a = 0, b = 0;
    auto operator<=>(const Contact&) const = default;
};

/// Two nodes whose balls overlap.
struct NodePair {
    std::uint32_t a = 0, b = 0;
    double overlap = 0;  ///< how deep, where the search wants to know
};

/// Room for a search, one per thread; kept between queries, nothing is allocated once it has grown.
struct QueryScratch {
    QueryScratch refit;
    std::vector<NodePair> stack;
    std::vector<std::uint32_t> near_blocks;  ///< of a leaf that may meet another
    std::vector<BoxBlock> near_boxes;        ///< theirs, in groups
    std::vector<TriangleBlock> near_triangles;
    std::vector<char> near_made;  ///< which of those are made
    std::vector<Contact> sorted;  ///< for putting contacts in order

    QueryCounts& counts() { return refit.counts; }
};

/// True when some triangle of one lies within `tolerance` of one of the other; 0 asks for touching, exactly.
/// Stops at the first, and looks where the balls overlap most; the leaves that touch end `room.stack`. Balls
/// that it makes are quicker to make, and up to a third larger, than those of other queries; they are kept for
/// the pose.
bool touching(Body& a, Body& b, QueryScratch& room, double tolerance = 0);

/// All pairs that touch, or lie within `tolerance`, in rising order. `out` is replaced.
void find_contacts(Body& a, Body& b, std::vector<Contact>& out, QueryScratch& room, double tolerance = 0);

/// The nearest two triangles.
struct Nearest {
    double distance = 0;  ///< 0 when the bodies touch, infinity when one has no triangles
    Contact pair;
};
Nearest find_nearest(Body& a, Body& b, QueryScratch& room);

/// Every triangle of one against every one of the other, by the reference test: the oracle.
std::vector<Contact> brute_force_contacts(Body& a, Body& b, double tolerance = 0);

}  // namespace sinew::collide
