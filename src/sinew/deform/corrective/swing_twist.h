// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Corrections that know the bones: swing-twist skinning with stretch (Yang and Zhang 2006), where at a joint
/// the bend and the rotation about the bone are blended apart, each by its own curve over the weights, and
/// the skin keeps its distance from the bones; and a limit to the bulge of dual quaternions (Kim and Han
/// 2014).

#include <span>

#include "sinew/deform/corrective.h"
#include "sinew/model/skin.h"

namespace sinew::deform {

/// q = swing * twist, the twist about a unit axis and the swing across it.
struct SwingTwist {
    math::Quatd swing = math::Quatd::Identity();
    math::Quatd twist = math::Quatd::Identity();
};

/// twist = normalise(w + <v, axis> axis). A half turn across the axis has no twist of its own: none is taken.
SwingTwist split_swing_twist(const math::Quatd& rotation, const math::Vec3d& unit_axis);

/// Set up once, then any number of poses. The skin and the skeleton must outlive this.
class BoneCorrector {
  public:
    /// \throws Error when an option is out of range.
    BoneCorrector(const model::Skin& skin, const model::Skeleton& skeleton,
                  const SwingTwistOptions& options = {});

    /// Vertices of two joints, one the parent of the other, go by swing and twist of their relative rotation
    /// and are pushed back to their rest distance from both bones; all others stay as `positions` has them
    /// (blended by dual quaternions), as do those of joints that scale or shear.
    /// \throws Error when sizes do not fit each other.
    void swing_twist(std::span<const math::Vec3d> rest, std::span<const math::Mat4d> palette,
                     std::span<math::Vec3d> positions) const;

    /// Pulls vertices that are further from their bones than at rest back: v'' = a + (v' - a) (r / |v' -
    /// a|)^stretch with a the nearest point of the posed bone and r the rest distance, averaged over the
    /// bones of a vertex by its weights.
    /// \throws Error when sizes do not fit each other.
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
