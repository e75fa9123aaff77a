#pragma once
/// \file
/// The curves of a gap in order around it, each with a place on the loop of either part.

#include "sinew/deform/parts/gap_curves.h"

namespace sinew::deform {

enum class RibKind : std::uint8_t { outer, inner };

/// Places count on beyond the end of their loop, so that they never fall from one rib to the next.
struct Rib {
    std::size_t seam = 0;  ///< point of the seam
    std::size_t from = 0;  ///< place on the parent's loop
    std::size_t to = 0;    ///< place on the child's loop
    RibKind kind = RibKind::outer;
    bool own = false;           ///< its ends are the two copies of the point itself
    bool welded = false;        ///< both ends are one point
    std::vector<Vec3d> points;  ///< between the ends, from the parent to the child
};

struct RibSet {
    std::vector<Rib> ribs;       ///< no two neighbours have the same places
    std::vector<Vec3d> middles;  ///< of the points of the seam that are bridged by inner curves
};

/// One rib for each point of the seam where a place for it can be found. Kept points are their own ends; for
/// the others, places are chosen by dynamic programming: least cost with an order that never falls.
RibSet make_ribs(const Gap& gap, const PartBody& body, const GapMotion& motion, const Cut& cut,
                 const GapOptions& options);

/// Least sum of cost(i, place) for `count` items with places from `first` to `last` that do not fall.
std::vector<std::size_t> ordered_places(
    std::size_t count, std::size_t first, std::size_t last,
    const std::function<double(std::size_t item, std::size_t place)>& cost);

}  // namespace sinew::deform
