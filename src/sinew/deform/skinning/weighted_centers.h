// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Weighted spherical blending with centres solved in double precision per vertex, because the kernel loses
/// accuracy for joints that rotate about one axis.

#include "sinew/deform/skinner.h"

namespace sinew::deform {

/// \param sets the grouping of `skin`
/// \param palette matrices from rest to posed, one per joint of the skin
/// \param[in,out] positions rest positions on entry, deformed on return
/// \param[in,out] normals rest normals on entry, or empty; deformed on return
DeformCounts deform_about_weighted_centers(const model::Skin& skin, const model::InfluenceSets& sets,
                                           std::span<const math::Mat4d> palette,
                                           std::span<math::Vec3f> positions, std::span<math::Vec3f> normals);

}  // namespace sinew::deform
