#pragma once
/// \file
/// The points on which a change of a motion is seen.

#include <vector>

#include "sinew/model/character.h"

namespace sinew::motion {

/// Points that a pose moves: vertices of a skin (linear blending), or points fixed to joints.
class ProbePoints {
  public:
    /// Of the skin; `skin` must outlive this.
    ProbePoints(const model::Character& character, const model::Skeleton& skeleton);
    /// Of joints: origins, tips, and three points `reach` away.
    ProbePoints(const model::Skeleton& skeleton, double reach);

    /// Largest distance between the points of two poses, given by the world matrices of the joints.
    double distance(const std::vector<math::Mat4d>& a, const std::vector<math::Mat4d>& b) const;

    /// For each joint how far the points of it and of the joints below it are from it at rest.
    const std::vector<double>& radii() const { return radii_; }

  private:
    void measure(const model::Skeleton& skeleton, const std::vector<math::Vec3d>& points,
                 const std::vector<std::vector<int>>& joints_of);

    /// A point with its joints: places in `influences_`.
    struct Probe {
        std::uint32_t first;
        std::uint32_t count;
        math::Vec3f place;
    };
    struct Weight {
        std::uint32_t entry;
        float weight;
    };
    std::vector<model::SkinJoint> entries_;
    std::vector<Probe> probes_;
    std::vector<Weight> weights_;
    std::vector<double> radii_;
};

}  // namespace sinew::motion
