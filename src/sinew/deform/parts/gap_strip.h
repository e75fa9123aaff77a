#pragma once
/// \file
/// Stage 3 of closing a gap: triangles between neighbouring ribs.

#include "sinew/deform/parts/gap_ribs.h"

namespace sinew::deform {

/// A patch with indices of its own: first the points of the parent's loop, then those of the child's, then
/// new ones. A welded point of the child's loop is replaced by that of the parent's.
struct StripPatch {
    std::size_t parent_count = 0;
    std::size_t child_count = 0;
    std::vector<Vec3d> points;           ///< in the parent's rest frame
    std::vector<RibKind> kinds;          ///< of the new points
    std::vector<std::size_t> first_new;  ///< of each rib, and the end
    std::vector<geometry::Triangle> triangles;
    bool sound = true;  ///< no edge runs the same way twice: only loops of a few points, with ribs that go
                        ///< around all of one, can bring that about
    std::size_t fallbacks = 0;  ///< sections that the strip could not triangulate

    std::size_t loop_points() const { return parent_count + child_count; }
};

/// Between each two neighbouring ribs lies a polygon: the parent's loop, the next rib, the child's loop back,
/// this rib back. Its triangles are the strip between two chains that both run from the start of this rib to
/// the end of the next one, with the least sum of diagonals; no diagonal joins two points of one loop or of
/// one rib, so that no edge of the patch exists twice. Where no such strip exists, the triangulation of least
/// weight, and as a last resort a fan about a new point.
/// `regular` chooses diagonals by their place in the strip alone, so that equal ribs give equal triangles.
/// \throws nothing; needs at least three ribs on a closed gap.
StripPatch strip_between(const std::vector<Rib>& ribs, std::span<const Vec3d> parent_loop,
                         std::span<const Vec3d> child_loop, bool closed, bool regular = false);

/// Triangles of a polygon with least sum of diagonals, none of which may be forbidden; empty when there is no
/// such triangulation. O(n^3).
std::vector<geometry::Triangle> least_triangulation(
    std::span<const std::uint32_t> polygon, const std::vector<Vec3d>& points,
    const std::function<bool(std::size_t, std::size_t)>& allowed);

}  // namespace sinew::deform
