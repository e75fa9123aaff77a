#pragma once
/// \file
/// Stage 1 of closing a gap: what of either part is inside the other, and the loops that remain.

#include <functional>

#include "sinew/deform/parts/gap.h"

namespace sinew::deform {

/// A point of a side, as it lies in the rest frame of the other part: is it inside?
using InsideOther = std::function<bool(int side, const Vec3d& point)>;

/// How the child has moved against the parent, seen from the parent's rest frame.
struct GapMotion {
    math::Rigidd relative;                        ///< W_parent^-1 W_child
    math::Quatd swing = math::Quatd::Identity();  ///< relative rotation = swing twist
    math::Quatd twist = math::Quatd::Identity();  ///< about the normal of the opening
    Vec3d axis = Vec3d::UnitX();                  ///< of the swing
    Vec3d shift = Vec3d::Zero();                  ///< what the pivot moves: 0 for joints
    double angle = 0;                             ///< of the whole rotation
    bool band = false;                            ///< twisted so far that both sides give up a ring
    /// Where the points of a side are at rest for this motion, when some of them are soft.
    std::vector<Vec3d> bent[2];

    Vec3d rest(const Gap& gap, const PartBody& body, int side, std::uint32_t point) const {
        return bent[side].empty() ? body.cut.points[gap.sides[side].points[point]] : bent[side][point];
    }
    /// Where a point of a side is.
    Vec3d place(int side, const Vec3d& rest) const { return side == 0 ? rest : Vec3d(relative * rest); }
    /// The same point as the other part sees it.
    Vec3d from_other(int side, const Vec3d& rest) const {
        return side == 0 ? Vec3d(relative.rotation.conjugate() * (rest - relative.translation))
                         : Vec3d(relative * rest);
    }
};

/// Swing, twist and pivot of a relative motion. A twist that shears the seam by more than a third of its
/// spacing asks for a band.
GapMotion gap_motion(const Gap& gap, const math::Rigidd& relative, bool bands);

/// What a side loses and what is left.
struct CutSide {
    std::vector<std::uint8_t> removed;            ///< of each point
    std::vector<std::uint8_t> removed_triangles;  ///< of each triangle
    std::vector<std::uint32_t> loop;              ///< points of the side, in the direction of the seam
};

/// What the motion does to a point of the seam.
enum class SeamPoint : std::uint8_t {
    together,  ///< its copies stay (nearly) at one place
    apart,     ///< the outer side: they come apart
    pressed,   ///< the inner side: each goes into the other part
};

struct Cut {
    std::vector<SeamPoint> seam;  ///< of the points of the seam
    CutSide sides[2];
};

/// Points that are carried back behind the opening are pressed: there an arc between the two copies would be
/// folded. Heights are compared along both normals, so that up to half a turn the sign is right. `weld` is
/// the distance up to which copies are together.
std::vector<SeamPoint> judge_seam(const Gap& gap, const PartBody& body, const GapMotion& motion, double weld);

/// Flood fill from the points of the seam that are pressed (from all of them for a band), no deeper than
/// `limit` edges. `cut.seam` is given. Pieces that come apart and points at which a loop would touch itself
/// go too.
/// \return false when what is left does not end in one simple loop with the kept points of the seam in their
/// order: then try a smaller limit. Nothing removed always works.
bool cut_gap(const Gap& gap, const PartBody& body, const GapMotion& motion, const InsideOther& inside,
             int limit, Cut& cut);

}  // namespace sinew::deform
