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
#include "sinew/rig/skeletonize/silhouette_surface.h"

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
    explicit Body(const geometry::Mesh& mesh, const WeldedSurface& surface, int resolution = 128,
                  Monitor& monitor = silent());

    bool closed() const { return !solid_.has_value(); }
    double diagonal() const { return diagonal_; }
    bool contains(const Vec3d& point) const;
    /// The stretches of the line through `point` that lie inside, in order; the direction has unit length.
    std::vector<Interval> inside(const Vec3d& point, const Vec3d& direction) const;
    /// Distance to the surface.
    double clearance(const Vec3d& point) const;
    /// A point near this one that lies inside, if there is one: where the way to the nearest place of the
    /// surface goes on into the body.
    std::optional<Vec3d> pulled_inside(const Vec3d& point) const;

  private:
    std::vector<Interval> surface_intervals(const Vec3d& point, const Vec3d& direction) const;
    std::vector<Interval> voxel_intervals(const Vec3d& point, const Vec3d& direction) const;

    geometry::SurfaceQueries queries_;
    std::vector<std::int8_t> turn_;  ///< per triangle: -1 where its shell is inside out
    std::optional<geometry::VoxelSolid> solid_;
    Vec3d low_, high_;
    double diagonal_ = 0;
};

}  // namespace sinew::rig
