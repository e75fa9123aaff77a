// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// The stages of closing one gap: (1) removing what each part has inside the other, (2) curves that bridge
/// the gap and their order around it, (3) triangles between them, and the resulting patch.

#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "sinew/articulated/closing/gap.h"
#include "sinew/geometry/mesh.h"
#include "sinew/math/planar.h"
#include "sinew/math/types.h"

namespace sinew::articulated {

/// True when a point of a side, given in the rest frame of the other part, is inside that part.
using InsideOther = std::function<bool(int side, const Vec3d& point)>;

/// Motion of the child relative to the parent, in the parent's rest frame.
struct GapMotion {
    math::Rigidd relative;                        ///< W_parent^-1 W_child
    math::Quatd swing = math::Quatd::Identity();  ///< relative rotation = swing twist
    math::Quatd twist = math::Quatd::Identity();  ///< about the normal of the opening
    Vec3d axis = Vec3d::UnitX();                  ///< of the swing
    Vec3d shift = Vec3d::Zero();                  ///< displacement of the pivot; 0 for joints
    double angle = 0;                             ///< of the whole rotation
    bool band = false;  ///< the twist is so large that a ring is removed on both sides
    /// Rest positions of the points of a side for this motion, if some of them are soft.
    std::vector<Vec3d> bent[2];

    Vec3d rest(const Gap& gap, const PartBody& body, int side, std::uint32_t point) const {
        return bent[side].empty() ? body.cut.points[gap.sides[side].points[point]] : bent[side][point];
    }
    /// Current position of a point of a side.
    Vec3d position(int side, const Vec3d& rest) const { return side == 0 ? rest : Vec3d(relative * rest); }
    /// The same point in the frame of the other part.
    Vec3d from_other(int side, const Vec3d& rest) const {
        return side == 0 ? Vec3d(relative.rotation.conjugate() * (rest - relative.translation))
                         : Vec3d(relative * rest);
    }
};

/// Swing, twist and pivot of a relative motion. A twist that shears the seam by more than a third of its
/// spacing requires a band.
GapMotion gap_motion(const Gap& gap, const math::Rigidd& relative, bool bands);

/// What is removed from a side, and what remains.
struct CutSide {
    std::vector<std::uint8_t> removed;            ///< of each point
    std::vector<std::uint8_t> removed_triangles;  ///< of each triangle
    std::vector<std::uint32_t> loop;              ///< points of the side, in the direction of the seam
};

/// Effect of the motion on a point of the seam.
enum class SeamPoint : std::uint8_t {
    together,  ///< its copies stay (almost) together
    apart,     ///< the outer side: the copies separate
    pressed,   ///< the inner side: each copy enters the other part
};

struct Cut {
    std::vector<SeamPoint> seam;  ///< of the points of the seam
    CutSide sides[2];
};

/// Points that move back behind the opening are pressed, because an arc between their two copies would fold.
/// Heights are compared along both normals, so that the sign is correct up to 180 degrees. Copies within the
/// distance `weld` are together.
std::vector<SeamPoint> judge_seam(const Gap& gap, const PartBody& body, const GapMotion& motion, double weld);

/// Flood fill from the pressed points of the seam (from all for a band), at most `limit` edges deep.
/// `cut.seam` is an input. Separate pieces, and points at which a loop would touch itself, are removed too.
/// \return false when the remainder does not end in one simple loop with the kept points of the seam in
/// order; then try a smaller limit. Removing nothing always succeeds.
bool cut_gap(const Gap& gap, const PartBody& body, const GapMotion& motion, const InsideOther& inside,
             int limit, Cut& cut);

/// The path of a point of the seam between its positions under the parent and under the child.
struct SeamPath {
    Vec3d pivot = Vec3d::Zero();
    Vec3d from = Vec3d::Zero();  ///< at rest
    Vec3d to = Vec3d::Zero();    ///< before the rotation: the same point, possibly already twisted
    math::Quatd rotation = math::Quatd::Identity();
    Vec3d shift = Vec3d::Zero();

    Vec3d at(double t) const;
    /// Length of the rotation: angle times distance from the axis; with a shift, at least the shift.
    double length() const;
};

/// The path of point `i` of the seam. In a band the twist is removed first, so that the path starts where the
/// seam is nearest to the twisted point.
SeamPath seam_path(const Gap& gap, const PartBody& body, const GapMotion& motion, std::size_t i);

/// Points strictly between the ends, about `spacing` apart.
std::vector<Vec3d> arc_points(const SeamPath& path, double spacing);

/// End of an inner curve: a point of a cut loop, the surface normal there, and the direction into its part.
struct CurveEnd {
    Vec3d point = Vec3d::Zero();
    Vec3d normal = Vec3d::UnitZ();
    Vec3d inward = Vec3d::UnitZ();
};

/// The blending curve of the inner side, from the child's end to the parent's.
struct InnerCurve {
    Vec3d crossing = Vec3d::Zero();  ///< I: where the tangents meet in the plane of the bend
    Vec3d control = Vec3d::Zero();   ///< V_m = (1 - lambda) I + lambda Middle
    math::RationalQuadratic curve;
};

/// `plane` is the unit normal of the plane of the bend. Tangents that are parallel, or intersect behind their
/// ends or far away, give I = Middle.
InnerCurve inner_curve(const CurveEnd& child, const CurveEnd& parent, const Vec3d& middle, const Vec3d& plane,
                       const GapOptions& options);

/// Distance of a point from the plane of the bend through a middle point, with a small term for the total
/// distance: |offset| + 0.1 distance.
double slice_cost(const Vec3d& middle, const Vec3d& point, const Vec3d& plane);

enum class RibKind : std::uint8_t { outer, inner };

/// A curve between the loops. Positions continue beyond the end of their loop, so that they never decrease
/// from one rib to the next.
struct Rib {
    std::size_t seam = 0;  ///< point of the seam
    std::size_t from = 0;  ///< position on the parent's loop
    std::size_t to = 0;    ///< position on the child's loop
    RibKind kind = RibKind::outer;
    bool own = false;           ///< its ends are the two copies of the point
    bool welded = false;        ///< both ends are one point
    std::vector<Vec3d> points;  ///< between the ends, from the parent to the child
};

struct RibSet {
    std::vector<Rib> ribs;       ///< no two neighbouring ribs have the same positions
    std::vector<Vec3d> middles;  ///< of the points of the seam that are bridged by inner curves
};

/// One rib per point of the seam for which a position can be found. Kept points are their own ends; for the
/// others, positions are chosen by dynamic programming with minimal cost and non-decreasing order.
RibSet make_ribs(const Gap& gap, const PartBody& body, const GapMotion& motion, const Cut& cut,
                 const GapOptions& options);

/// Minimises the sum of cost(i, position) over non-decreasing positions from `first` to `last` for `count`
/// items.
std::vector<std::size_t> ordered_slots(std::size_t count, std::size_t first, std::size_t last,
                                       const std::function<double(std::size_t item, std::size_t slot)>& cost);

/// A patch with its own indices: first the points of the parent's loop, then those of the child's, then new
/// ones. A welded point of the child's loop is replaced by that of the parent's.
struct StripPatch {
    std::size_t parent_count = 0;
    std::size_t child_count = 0;
    std::vector<Vec3d> points;           ///< in the parent's rest frame
    std::vector<RibKind> kinds;          ///< of the new points
    std::vector<std::size_t> first_new;  ///< of each rib, and the end
    std::vector<geometry::Triangle> triangles;
    bool sound = true;  ///< no edge occurs twice in the same direction; fails only for loops of a few points,
                        ///< with ribs that surround one of them
    std::size_t fallbacks = 0;  ///< sections that the strip could not triangulate

    std::size_t loop_points() const { return parent_count + child_count; }
};

/// Triangulates the polygons between neighbouring ribs: the parent's loop, the next rib, the child's loop
/// backwards, this rib backwards. The triangles form a strip between two chains that both run from the start
/// of this rib to the end of the next, with the smallest sum of diagonals. No diagonal connects two points of
/// one loop or of one rib, so that no edge of the patch exists twice. Where no such strip exists, a
/// minimum-weight triangulation is used, and as a last resort a fan about a new point. `regular` selects
/// diagonals by their position in the strip only, so that equal ribs give equal triangles.
/// \pre At least three ribs on a closed gap. Never throws.
StripPatch strip_between(const std::vector<Rib>& ribs, std::span<const Vec3d> parent_loop,
                         std::span<const Vec3d> child_loop, bool closed, bool regular = false);

/// Triangulation of a polygon with the smallest sum of diagonals, none of which may be forbidden; empty when
/// there is none. O(n^3).
std::vector<geometry::Triangle> min_triangulation(
    std::span<const std::uint32_t> polygon, const std::vector<Vec3d>& points,
    const std::function<bool(std::size_t, std::size_t)>& allowed);

/// Smallest 4 sqrt(3) area / sum of squared sides over the triangles: 1 when all are equilateral.
double worst_quality(const StripPatch& patch);

/// Flips diagonals where this improves the worst triangles; no edge becomes duplicate, and no normal rotates
/// by more than 90 degrees. Returns the number of flips.
std::size_t flip_diagonals(StripPatch& patch, double min_quality);

/// The self-intersections of a surface whose points move repeatedly; results for triangles that do not move
/// are kept.
class SelfCrossings {
  public:
    /// Points and triangles must outlive this.
    SelfCrossings(const std::vector<math::Vec3d>& points, const std::vector<geometry::Triangle>& triangles);

    /// Call with the points that moved.
    void update(const std::vector<std::uint32_t>& points);

    /// Pairs of triangles that intersect and have no corner in common, in increasing order.
    const std::vector<std::array<std::uint32_t, 2>>& pairs() const { return pairs_; }

  private:
    /// A triangle and its box.
    struct Boxed {
        std::array<double, 3> low, high;
        std::uint32_t triangle;
        bool moved;

        bool apart(const Boxed& other, std::size_t axis) const {
            return (low[axis] > other.high[axis]) | (other.low[axis] > high[axis]);
        }
    };
    struct Strips;

    Boxed boxed(std::uint32_t triangle) const;
    static Boxed around_moved(const std::vector<Boxed>& boxes);
    static Strips strips_of(const std::vector<Boxed>& boxes, const Boxed& whole, std::size_t across);
    void find();
    void test(const Boxed& a, const Boxed& b);

    const std::vector<math::Vec3d>& points_;
    const std::vector<geometry::Triangle>& triangles_;
    std::vector<std::uint8_t> moved_;  ///< points, during the update
    std::vector<Boxed> boxes_;
    std::vector<std::array<std::uint32_t, 2>> pairs_;
};

/// Where triangles of the patch intersect, or neighbours are folded onto each other, its new points move to
/// the mean of their neighbours, in a region that grows per round, until the patch is smooth or all rounds
/// are used. Loops do not move.
/// \return pairs of triangles that still intersect
std::size_t untangle(StripPatch& patch, int rounds);

/// Classes of points around a gap (Vasilakis 2008), as shown in the five pictures of its construction.
struct GapClasses {
    std::vector<std::uint32_t> circle;   ///< kept points of the seam
    std::vector<std::uint32_t> bezier;   ///< kept points around what was removed
    std::vector<std::uint32_t> removed;  ///< of the cut mesh
    std::vector<std::uint32_t> extra;    ///< kept neighbours of both
};

/// The patch of one gap in the parent's rest frame, with the loops that it connects.
struct GapPatch {
    std::size_t gap = 0;
    bool moved = false;
    math::Rigidd world;  ///< of the parent
    GapMotion motion;
    Cut cut;
    RibSet ribs;
    StripPatch strip;
    int limit = 0;          ///< depth of the flood fill that was accepted; -1 when nothing could be removed
    std::size_t drawn = 0;  ///< pressed points that could not be removed and were pulled to the middle
    std::size_t crossings = 0;  ///< pairs of its triangles that still intersect
    GapSeconds seconds;

    std::size_t removed_points() const;
    std::size_t new_points() const { return strip.points.size() - strip.loop_points(); }
};

/// The motion of a joint.
struct JointMove {
    math::Rigidd relative;       ///< motion of the child relative to the parent
    std::vector<Vec3d> bent[2];  ///< see GapMotion
};

GapPatch close_gap(const Gap& gap, const PartBody& body, const JointMove& move, const InsideOther& inside,
                   const GapOptions& options);

/// Classes of the points of a side.
GapClasses classes_of(const Gap& gap, const GapPatch& patch, int side);

/// Fairing by bi-Laplacian steps: moves new points towards the plane of their neighbours' Laplacians; loops
/// do not move.
void fair(StripPatch& patch, int steps);

}  // namespace sinew::articulated
