#pragma once
/// \file
/// Delta Mush (Mancewicz et al. 2014): smooth what skinning made, then put back the detail that smoothing
/// takes from the rest pose. Coarse weights, even rigid ones, give soft bends.

#include "sinew/deform/mesh_smoother.h"

namespace sinew::deform {

/// Set up once from the rest mesh, then any number of poses.
class DeltaMush {
  public:
    /// Vertices at the same place move as one, so that seams stay closed.
    /// \throws Error when an option is out of range.
    explicit DeltaMush(const geometry::Mesh& rest, const DeltaMushOptions& options = {});

    /// The posed positions smoothed, with the rest pose's detail. A rigid move of the rest pose is kept.
    /// \throws Error when there are not as many positions as the rest mesh has.
    std::vector<math::Vec3f> apply(std::span<const math::Vec3f> posed) const;

  private:
    /// Frame of every vertex on a smoothed surface: its normal and the way to its first neighbour.
    std::vector<math::Mat3d> frames(const VertexField& points) const;

    MeshSmoother smoother_;
    std::vector<math::Vec3d> offsets_;  ///< from the smoothed rest pose, in its frames
};

}  // namespace sinew::deform
