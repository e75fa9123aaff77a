#pragma once
/// \file
/// Swing-twist skinning with stretch (Yang and Zhang 2006): at a joint the bend and the turn about the bone
/// are blended apart, each by its own curve over the weights, and the skin keeps its distance from the bones.

#include "sinew/deform/reference.h"

namespace sinew::deform {

/// q = swing * twist, the twist about a unit axis and the swing across it.
struct SwingTwist {
    math::Quatd swing = math::Quatd::Identity();
    math::Quatd twist = math::Quatd::Identity();
};

/// twist = normalise(w + <v, axis> axis). A half turn across the axis has no twist of its own: none is taken.
SwingTwist split_swing_twist(const math::Quatd& rotation, const math::Vec3d& unit_axis);

struct SwingTwistOptions {
    double stretch = 1;  ///< how far the rest distance from the bones is kept, 0 .. 1
    /// Curves over the weight of the child, w^s / (w^s + (1 - w)^s): 1 keeps weights, more is steeper.
    double swing_sharpness = 1;
    double twist_sharpness = 1;
};

/// Positions of a pose. Vertices of two joints, one the parent of the other, go by swing and twist of their
/// relative rotation and are pushed back to their rest distance from both bones (RadiusRule::keep); all
/// others by dual quaternions, as do joints that scale or shear.
/// \throws Error when sizes do not fit each other or an option is out of range.
std::vector<math::Vec3d> deform_swing_twist(const RestShape<double>& rest, const model::Skin& skin,
                                            const model::Skeleton& skeleton,
                                            std::span<const math::Mat4d> palette,
                                            const SwingTwistOptions& options = {});

}  // namespace sinew::deform
