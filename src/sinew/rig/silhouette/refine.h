// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Inside and outside of a body along lines: by the crossings of its surface where that is closed, by the
/// voxel solid where it is not.

#include <array>
#include <functional>
#include <optional>

#include "sinew/base/monitor.h"
#include "sinew/geometry/surface_queries.h"
#include "sinew/geometry/voxel_solid.h"
#include "sinew/rig/silhouette/decompose.h"
#include "sinew/rig/silhouette/medial.h"
#include "sinew/rig/silhouette/silhouette_surface.h"

namespace sinew::rig {

/// A stretch of a line, in lengths of its direction.
struct Interval {
    double low = 0, high = 0;
    double middle() const { return (low + high) / 2; }
    double length() const { return high - low; }
};

class Body {
  public:
    /// An open surface is replaced by its voxel solid, with the warning `open-surface`.
    explicit Body(const geometry::Mesh& mesh, const WeldedSurface& surface, Monitor& monitor = silent());

    bool closed() const { return !solid_.has_value(); }
    double diagonal() const { return diagonal_; }
    bool contains(const Vec3d& point) const;
    /// The stretches of the line through `point` that lie inside, in order; the direction has unit length.
    std::vector<Interval> inside(const Vec3d& point, const Vec3d& direction) const;
    /// Distance to the surface.
    double clearance(const Vec3d& point) const;
    /// A point near this one that lies inside, if there is one: where the path to the nearest point of the
    /// surface goes on into the body.
    std::optional<Vec3d> pulled_inside(const Vec3d& point) const;

  private:
    std::vector<Interval> surface_intervals(const Vec3d& point, const Vec3d& direction) const;
    std::vector<Interval> voxel_intervals(const Vec3d& point, const Vec3d& direction) const;

    geometry::SurfaceQueries queries_;
    std::vector<std::int8_t> shell_sign_;  ///< per triangle: -1 where its shell is inside out
    std::optional<geometry::VoxelSolid> solid_;
    Vec3d low_, high_;
    double diagonal_ = 0;
};

// From a curve that is centred in one view to a curve that is centred in the body.

/// Moves every node to the middle of the body along the view, then across it, and so on. Where a line passes
/// several limbs, the nodes of a branch choose the same one.
void refine_by_rays(MedialGraph& graph, const Body& body, const Vec3d& view);

/// Moves nodes that lie outside to a point inside. Returns how many could not be.
int pull_inside(MedialGraph& graph, const Body& body);

/// Directions across a branch: perpendicular to the view and to the branch there; where these are parallel,
/// any perpendicular to the branch.
Vec3d across(const Vec3d& view, const Vec3d& along);

// Making the branches of a curve hang together inside the body: what only seemed to meet in the view is cut,
// what is apart is joined where the body joins it.

/// Length of the straight line between two points that lies outside the body.
double length_outside(const Body& body, const Vec3d& from, const Vec3d& to);

/// Cuts branches where they leap from limb to limb through the air, and every cycle that is left where it
/// leaves the body or is narrowest. Returns the number of cuts.
int cut_branches_outside(MedialGraph& graph, const Body& body);

/// Joins the pieces of the graph, nearest first: the free end of one and any node of another that sees it
/// through the body; then free ends that have to find a path through it; then, over gaps up to `gap`,
/// those that do not. Returns how many pieces are left.
int join_pieces(MedialGraph& graph, const Body& body, double gap);

/// Removes junctions that are none: with two branches they become one branch, with one its end.
void tidy_junctions(MedialGraph& graph);

// Branches that the first view does not show: feet and tails that point to the eye, limbs behind limbs.

/// Finds the patches of vertices that no branch explains, looks at each from the side, and appends the
/// longest line of the axis of its outline as a piece of its own. Returns how many branches were added.
int add_hidden(MedialGraph& graph, const WeldedSurface& surface, const Decomposition& parts, const Body& body,
               const Vec3d& view, const MedialOptions& options);

}  // namespace sinew::rig
