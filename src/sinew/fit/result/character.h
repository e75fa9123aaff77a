// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Parts of to_character().

#include "sinew/fit/fit.h"

namespace sinew::fit {

/// Cuts the one clip of a character, with a key for every frame, into those of the fit.
void cut_clips(const FitResult& fit, model::Character& character);

/// An affine map decomposed for two joints: linear part = rotation * diag(stretch) * inner^T, with two
/// rotations. Of the possible orders and signs the one closest to `previous` is used, so that keys can be
/// interpolated.
struct StretchSplit {
    math::Quatd rotation = math::Quatd::Identity();
    Vec3d stretch = Vec3d::Ones();
    math::Quatd inner = math::Quatd::Identity();
};
StretchSplit split_stretch(const math::Mat3d& linear, const math::Quatd& previous_inner);

}  // namespace sinew::fit
