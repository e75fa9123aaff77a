#pragma once
/// \file
/// The map that skinning makes of each vertex, for those who want to apply it themselves.

#include "sinew/deform/reference.h"

namespace sinew::deform {

/// For each vertex the affine map that takes its rest position to its posed one. Options as for `deform`;
/// Method::cor needs its centres.
/// \throws Error when the sizes do not fit each other.
template <class T = float>
std::vector<math::Mat4<T>> vertex_transforms(const model::Skin& skin, const model::InfluenceSets& sets,
                                             std::span<const math::Mat4d> palette, Method method,
                                             double size = 1, const DeformOptions& options = {});

/// The rigid part of a transformation as a unit dual quaternion; exact when it is rigid.
math::DualQuatd rigid_motion(const math::Mat4d& transform);

/// Largest entry of M^T M - I of the linear part: 0 for a rigid transformation.
double distance_from_rigid(const math::Mat4d& transform);

}  // namespace sinew::deform
