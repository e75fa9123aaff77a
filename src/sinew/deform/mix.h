#pragma once
/// \file
/// Corrections on top of skinning that need no other rig: a painted mix of two methods, and a limit to the
/// bulge of dual quaternions.

#include "sinew/deform/reference.h"

namespace sinew::deform {

/// (1 - f) a + f b vertex by vertex, with f in [0, 1] painted per vertex; normals and tangents likewise, unit
/// again. Handedness is a's. \throws Error when the sizes differ.
template <class T>
DeformResult<T> mix(const DeformResult<T>& a, const DeformResult<T>& b, std::span<const float> factors);

/// Which vertices are put back to their rest distance from a bone.
enum class RadiusRule {
    limit,  ///< those that are further away
    keep,   ///< all
};

/// One vertex put back: v'' = a + (v' - a) (r / |v' - a|)^strength with a the nearest point of the posed bone
/// and r the rest distance, averaged over its bones by its weights.
math::Vec3d with_rest_radius(const math::Vec3d& moved, const math::Vec3d& rest,
                             std::span<const model::Influence> influences, const model::Skin& skin,
                             std::span<const model::Bone> bones, std::span<const math::Mat4d> palette,
                             double strength, RadiusRule rule);

/// Pulls vertices that left their bone back towards their rest distance from it (RadiusRule::limit, in the
/// spirit of Kim and Han 2014).
/// `bones` are those of the rest pose in the space of the rest shape, `palette` is the pose, strength is in
/// [0, 1].
template <class T>
void limit_bulge(std::vector<math::Vec3<T>>& positions, const RestShape<T>& rest, const model::Skin& skin,
                 std::span<const model::Bone> bones, std::span<const math::Mat4d> palette,
                 double strength = 1);

}  // namespace sinew::deform
