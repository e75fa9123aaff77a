// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Exponential, logarithm and log-blend of affine matrices, scale and shear included (Alexa 2002).

#include <span>

#include "sinew/math/types.h"

namespace sinew::math {

/// Principal logarithm by inverse scaling and squaring (square roots until the matrix is near the identity,
/// then Pade). The last row of the result is zero.
/// \throws Error when the matrix has a real eigenvalue that is not positive: a reflection, a half turn or a
/// collapse has no real logarithm of its own.
Mat4d log_affine(const Mat4d& matrix);

/// Exponential by scaling and squaring, of a matrix whose last row is zero.
Mat4d exp_affine(const Mat4d& logarithm);

/// exp(sum w log C). \throws Error as `log_affine`.
Mat4d blend_affine_logs(std::span<const double> weights, std::span<const Mat4d> matrices);

}  // namespace sinew::math
