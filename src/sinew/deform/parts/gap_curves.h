#pragma once
/// \file
/// Stage 2 of closing a gap: the curves that bridge it, in the parent's rest frame.

#include <span>

#include "sinew/deform/parts/gap_options.h"
#include "sinew/deform/parts/gap_removal.h"
#include "sinew/math/planar.h"

namespace sinew::deform {

/// The way of a point of the seam from where the parent carries it to where the child does.
struct SeamPath {
    Vec3d pivot = Vec3d::Zero();
    Vec3d from = Vec3d::Zero();  ///< at rest
    Vec3d to = Vec3d::Zero();    ///< before the turn: the same point, or twisted already
    math::Quatd turn = math::Quatd::Identity();
    Vec3d shift = Vec3d::Zero();
    ArcRule rule = ArcRule::slerp;

    Vec3d at(double t) const;
    /// Of the turn alone: angle times distance from the axis; with a shift, at least that.
    double length() const;
};

/// The path of point `i` of the seam. In a band the twist is taken off first, so that the path starts where
/// the seam is nearest to the twisted point.
SeamPath seam_path(const Gap& gap, const PartBody& body, const GapMotion& motion, std::size_t i,
                   ArcRule rule);

/// Points strictly between the ends, about `spacing` apart.
std::vector<Vec3d> arc_points(const SeamPath& path, double spacing);

/// An end of an inner curve: a point of a cut loop, the surface normal there, the direction into its part.
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

/// `plane` is the unit normal of the plane of the bend. Tangents that are parallel, meet behind their ends or
/// far away give I = Middle.
InnerCurve inner_curve(const CurveEnd& child, const CurveEnd& parent, const Vec3d& middle, const Vec3d& plane,
                       const GapOptions& options);

/// Normal of the plane of the bend.
Vec3d bend_plane(const Gap& gap, const PartBody& body, const GapMotion& motion, BendPlane rule);

/// Which points of two lists form, with a middle point, the plane nearest to that of the bend.
struct Triplet {
    std::size_t child = 0;
    std::size_t parent = 0;
};
/// Over all pairs; ties within 1e-9 go to the shorter perimeter. O(n m).
Triplet literal_triplet(const Vec3d& middle, std::span<const Vec3d> child, std::span<const Vec3d> parent,
                        const Vec3d& plane);
/// The same over the few points of each list that are nearest in |offset from the slice through the middle|
/// + 0.1 distance. O(n + m).
Triplet fast_triplet(const Vec3d& middle, std::span<const Vec3d> child, std::span<const Vec3d> parent,
                     const Vec3d& plane);
double slice_cost(const Vec3d& middle, const Vec3d& point, const Vec3d& plane);

}  // namespace sinew::deform
