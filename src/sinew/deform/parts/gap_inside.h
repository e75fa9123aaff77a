#pragma once
/// \file
/// Solid parts: is a point inside?

#include "sinew/deform/parts/gap_options.h"
#include "sinew/deform/parts/part_body.h"
#include "sinew/geometry/surface_queries.h"
#include "sinew/math/planar.h"

namespace sinew::deform {

/// What stands for the parts of a body at rest, as the test asks for. Asking is thread-safe.
class PartSolids {
  public:
    PartSolids() = default;
    PartSolids(const PartBody& body, InsideTest test);

    bool contains(int part, const Vec3d& point) const;

  private:
    InsideTest test_ = InsideTest::box;
    std::vector<geometry::OrientedBox> boxes_;
    std::vector<std::vector<math::Plane>> hulls_;
    std::vector<geometry::SurfaceQueries> surfaces_;
};

}  // namespace sinew::deform
