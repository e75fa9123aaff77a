// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// How a body stands: its floor, and the planes in which its left may mirror its right.

#include <optional>
#include <vector>

#include "sinew/rig/body/body_limbs.h"
#include "sinew/rig/templates/symmetry.h"

namespace sinew::rig {

/// Of the height: a body that is divided only up to this level or lower has legs hidden by a robe, or none.
inline constexpr double min_legs = 0.1;

/// Up, and a plane that contains it. The normal of the plane points to the body's left when it faces
/// `forward()`.
struct BodyFrame {
    Vec3d up = Vec3d::UnitY();
    MirrorPlane plane;
    double floor = 0, height = 0;  ///< along up
    double crotch = 0;  ///< level up to which the body consists of two halves, 0 when it has no legs
    double gap = 0;     ///< level up to which its halves hardly touch

    Vec3d forward() const { return plane.normal.cross(up); }
    /// 0 on the floor, 1 at the top.
    double level(const Vec3d& point) const { return (up.dot(point) - floor) / height; }
    /// The same plane, seen by a body that faces the other way.
    BodyFrame reversed() const;
};

/// The upright planes in which the interior maps onto itself best, best first: all angles are tried, those
/// that are better than their neighbours are refined. Four fifths of the samples count, so that a sword or a
/// raised arm does not (after Podolak et al. 2006, a planar reflective symmetry transform).
/// \param graph of the field
/// \param up unit length
/// \param max_count of planes; at least one is returned
std::vector<BodyFrame> symmetry_frames(const BodyField& field, const BodyGraph& graph, const Vec3d& up,
                                       std::size_t max_count = 3);

/// The field without the cells of the plane below the crotch, where legs and feet may touch; the field itself
/// when there are none.
BodyField split_at_plane(const BodyField& field, const BodyFrame& frame);

/// The field without the disc or plate on which figures often stand. Empty when there is none.
/// \param field with +y up
std::optional<BodyField> without_base(const BodyField& field);

/// The field with arms cut off where they end on the trunk or on a leg, as with hands on the hips: they
/// remain connected only where they start. Empty when there are none.
std::optional<BodyField> without_handles(const BodyField& field, const BodyFrame& frame);

struct StandingEnds {
    std::vector<BodyTip> limbs;  ///< that protrude by themselves, and their mirror images
    std::vector<BodyTip> side;   ///< feet and the crown, where no limb ends
};

/// Ends that follow from symmetry and stance, in addition to those that protrude: the images of known ends,
/// and the parts that stand on the floor.
/// \param tips as limb_tips finds them
StandingEnds standing_ends(std::vector<BodyTip> tips, const BodyFrame& frame, const BodyGraph& graph);

}  // namespace sinew::rig
