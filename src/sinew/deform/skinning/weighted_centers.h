// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Weighted spherical blending whose centres are solved in double precision, vertex by vertex. The kernel
/// loses the centre of joints that rotate about one axis.

#include "sinew/deform/skinner.h"

namespace sinew::deform {

/// \param sets the grouping of `skin`
/// \param palette where each joint takes the rest mesh
/// \param[in,out] positions rest positions, then deformed
/// \param[in,out] normals rest normals or none, then deformed
DeformCounts deform_about_weighted_centers(const model::Skin& skin, const model::InfluenceSets& sets,
                                           std::span<const math::Mat4d> palette,
                                           std::span<math::Vec3f> positions, std::span<math::Vec3f> normals);

}  // namespace sinew::deform
