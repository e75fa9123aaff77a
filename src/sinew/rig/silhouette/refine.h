// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Inside and outside of a body along lines: by the crossings of its surface if that is closed, otherwise by
/// the voxel grid.

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
    /// An open surface is replaced by its voxel grid, with the warning `open-surface`.
    explicit Body(const geometry::Mesh& mesh, const WeldedSurface& surface, Monitor& monitor = silent());

    bool closed() const { return !solid_.has_value(); }
    double diagonal() const { return diagonal_; }
    bool contains(const Vec3d& point) const;
    /// The stretches of the line through `point` that lie inside, in order; the direction has unit length.
    std::vector<Interval> inside(const Vec3d& point, const Vec3d& direction) const;
    /// Distance to the surface.
    double clearance(const Vec3d& point) const;
    /// A point inside near this one, if there is one: on the line to the nearest point of the surface,
    /// extended into the body.
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

// Makes a curve that is centred in one view centred in the body.

/// Moves every node to the middle of the body along the view, then across it, and so on. Where a line passes
/// several limbs, the nodes of a branch choose the same one.
void refine_by_rays(MedialGraph& graph, const Body& body, const Vec3d& view);

/// Moves nodes outside to a point inside. Returns how many could not be moved.
int pull_inside(MedialGraph& graph, const Body& body);

/// Directions across a branch: perpendicular to the view and to the branch there; where these are parallel,
/// any perpendicular to the branch.
Vec3d across(const Vec3d& view, const Vec3d& along);

// Connects the branches of a curve inside the body: branches that meet only in the view are cut, separate
// ones are joined where the body connects them.

/// Length of the straight line between two points that lies outside the body.
double length_outside(const Body& body, const Vec3d& from, const Vec3d& to);

/// Cuts branches where they jump from limb to limb outside the body, and every remaining cycle where it
/// leaves the body or is narrowest. Returns the number of cuts.
int cut_branches_outside(MedialGraph& graph, const Body& body);

/// Joins the pieces of the graph, nearest first: the free end of one and any node of another that is visible
/// from it through the body; then free ends that need a path search through the body; then, over gaps up to
/// `gap`, all others. Returns how many pieces are left.
int join_pieces(MedialGraph& graph, const Body& body, double gap);

/// Removes false junctions: those with two branches become one branch, those with one its end.
void tidy_junctions(MedialGraph& graph);

// Branches that the first view does not show: feet and tails that point to the viewer, limbs behind limbs.

/// Finds the patches of vertices that no branch explains, views each from the side, and appends the longest
/// line of the axis of its outline as a separate piece. Returns how many branches were added.
int add_hidden(MedialGraph& graph, const WeldedSurface& surface, const Decomposition& parts, const Body& body,
               const Vec3d& view, const MedialOptions& options);

}  // namespace sinew::rig
