// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Corrections that use the bones: swing-twist skinning with stretch (Yang and Zhang 2006), where bend and
/// twist at a joint are blended separately, each with its own curve over the weights, and the skin keeps its
/// distance from the bones; and a limit on the bulge of dual quaternions (Kim and Han 2014).

#include <span>

#include "sinew/deform/corrective.h"
#include "sinew/model/skin.h"

namespace sinew::deform {

/// q = swing * twist: the twist about a unit axis and the swing about a perpendicular axis.
struct SwingTwist {
    math::Quatd swing = math::Quatd::Identity();
    math::Quatd twist = math::Quatd::Identity();
};

/// twist = normalise(w + <v, axis> axis). A rotation by 180 degrees about a perpendicular axis has no defined
/// twist: the identity is used.
SwingTwist split_swing_twist(const math::Quatd& rotation, const math::Vec3d& unit_axis);

/// Set up once for any number of poses. Skin and skeleton must outlive this object.
class BoneCorrector {
  public:
    /// \throws Error when an option is out of range.
    BoneCorrector(const model::Skin& skin, const model::Skeleton& skeleton,
                  const SwingTwistOptions& options = {});

    /// Vertices of a parent and its child are moved by swing and twist of their relative rotation and moved
    /// back to their rest distance from both bones. All others keep `positions` (blended by dual
    /// quaternions), as do those of joints with scale or shear.
    /// \throws Error when sizes are inconsistent
    void swing_twist(std::span<const math::Vec3d> rest, std::span<const math::Mat4d> palette,
                     std::span<math::Vec3d> positions) const;

    /// Moves vertices that are farther from their bones than at rest back: v'' = a + (v' - a) (r / |v' -
    /// a|)^stretch, where a is the nearest point of the posed bone and r the rest distance; averaged over the
    /// bones of a vertex by its weights.
    /// \throws Error when sizes are inconsistent
    void limit_bulge(std::span<const math::Vec3d> rest, std::span<const math::Mat4d> palette,
                     std::span<math::Vec3d> positions) const;

  private:
    void check(std::size_t rest, std::size_t palette, std::size_t positions) const;

    const model::Skin& skin_;
    const model::Skeleton& skeleton_;
    SwingTwistOptions options_;
    model::InfluenceSets sets_;
    std::vector<model::Bone> bones_;  ///< in the space of the rest shape
};

}  // namespace sinew::deform
