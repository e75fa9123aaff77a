#pragma once
/// \file
/// Weights at any place of a surface, and from one mesh to another.

#include "sinew/geometry/surface_queries.h"
#include "sinew/rig/bind/weight_table.h"
#include "sinew/rig/symmetry.h"

namespace sinew::rig {

/// A bound mesh that can be asked for the weights near any point.
class SurfaceWeights {
  public:
    /// The mesh and the table must outlive this.
    SurfaceWeights(const geometry::Mesh& mesh, const WeightTable& table);

    /// Weights at the place of the surface nearest to a point, blended over its triangle. With a normal, a
    /// place that faces the other way counts only when there is no better one as near as `reach` diagonals: a
    /// thigh takes nothing from the other thigh.
    WeightRow at(const Vec3d& point, const Vec3d* normal = nullptr) const;

  private:
    WeightRow on(std::uint32_t triangle, const Vec3d& point) const;
    std::uint32_t facing_triangle(const Vec3d& point, const Vec3d& normal) const;

    const geometry::Mesh& mesh_;
    const WeightTable& table_;
    geometry::SurfaceQueries queries_;
    std::vector<math::Vec3f> normals_;  ///< of the triangles, unit
    double reach_ = 0;
};

/// Weights of one mesh for another of the same body: re-tessellated, a level of detail, or clothes over it.
/// \throws Error when the source has no triangle, or not a row for each vertex.
WeightTable transfer_weights(const geometry::Mesh& from, const WeightTable& weights,
                             const geometry::Mesh& to);

/// Vertices on the side that `plane.normal` points away from (or towards, with `from_positive` false) get the
/// weights of their images, with the joints exchanged by `twin` (see pair_joints; -1 keeps the joint).
/// Vertices within `middle` diagonals of the plane get the mean of both.
WeightTable mirror_weights(const geometry::Mesh& mesh, const WeightTable& weights, const MirrorPlane& plane,
                           const std::vector<int>& twin, bool from_positive = true, double middle = 1e-3);

}  // namespace sinew::rig
