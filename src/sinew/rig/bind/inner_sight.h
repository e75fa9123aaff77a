#pragma once
/// \file
/// Which bones the skin sees through the inside of the mesh.

#include "sinew/geometry/surface_queries.h"
#include "sinew/rig/bind/bind_input.h"

namespace sinew::rig {

/// Asking is thread-safe.
class InnerSight {
  public:
    explicit InnerSight(const BindInput& input);

    /// Whether the straight way from a point to the nearest place on a bone goes inwards and meets nothing.
    /// Both ends keep clear of the surface: the point is on it, and a bone may be.
    bool reaches(std::size_t point, const BoneSegment& bone) const;

  private:
    const BindInput& input_;
    geometry::SurfaceQueries surface_;
    std::vector<math::Vec3f> normals_;
};

}  // namespace sinew::rig
