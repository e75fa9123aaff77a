// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Example-based skinning: shapes made by hand for some poses, blended over the poses between them as
/// displacements of the rest shape, before skinning (pose space deformation, Lewis et al. 2000).

#include <span>

#include "sinew/deform/corrective.h"
#include "sinew/model/skin.h"

namespace sinew::deform {

/// Set up once from the examples, then any number of poses. A vertex looks at the joints that move it and at
/// their children, as muscles lie on the bone before the joint that they bend: the position of a pose is the
/// rotation vectors of those joints, from their rest. The rest pose is an example without displacements.
/// Examples that differ from an earlier one only in other joints are not asked.
class PoseSpace {
  public:
    /// \throws Error when an example does not fit the character.
    PoseSpace(const model::Skeleton& skeleton, const model::Skin& skin, std::vector<PoseExample> examples,
              BasisKind kind = BasisKind::gaussian);

    /// Displacements of all vertices for a pose. \throws Error when it does not fit the skeleton.
    std::vector<math::Vec3d> displacements(std::span<const math::Transform> pose) const;

    /// How many systems were solved: one for each group of joints that vertices depend on.

  private:
    /// Vertices that depend on the same joints.
    struct Support {
        std::vector<int> joints;
        std::vector<std::uint32_t> vertices;
        std::vector<std::size_t> examples;  ///< that differ in these joints, beside the rest pose
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
