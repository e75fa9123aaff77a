// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Example-based skinning: shapes sculpted for some poses are interpolated over the poses in between, as
/// displacements of the rest shape before skinning (pose space deformation, Lewis et al. 2000).

#include <span>

#include "sinew/deform/corrective.h"
#include "sinew/model/skin.h"

namespace sinew::deform {

/// Pose space deformation, set up once from the examples for any number of poses. A vertex depends on the
/// joints that influence it and on their children, because muscles lie on the bone before the joint that they
/// bend. The coordinates of a pose are the rotation vectors of these joints relative to rest. The rest pose
/// is an example without displacements. Examples that differ from an earlier one only in other joints are
/// ignored.
class PoseSpace {
  public:
    /// \throws Error when an example does not match the character
    PoseSpace(const model::Skeleton& skeleton, const model::Skin& skin, std::vector<PoseExample> examples,
              BasisKind kind = BasisKind::gaussian);

    /// Displacements of all vertices for a pose. \throws Error when it does not match the skeleton
    std::vector<math::Vec3d> displacements(std::span<const math::Transform> pose) const;

    /// Number of linear systems: one per group of joints that vertices depend on.

  private:
    /// Vertices that depend on the same joints.
    struct Support {
        std::vector<int> joints;
        std::vector<std::uint32_t> vertices;
        std::vector<std::size_t> examples;  ///< examples that differ in these joints, without the rest pose
        CardinalBasis basis;                ///< of the rest pose and those
    };

    Eigen::VectorXd position(std::span<const math::Transform> pose, std::span<const int> joints) const;
    Support make_support(std::vector<int> joints, std::vector<std::uint32_t> vertices, BasisKind kind) const;

    std::vector<math::Transform> rest_;
    std::size_t vertices_ = 0;
    std::vector<PoseExample> examples_;
    std::vector<Support> supports_;
};

}  // namespace sinew::deform
