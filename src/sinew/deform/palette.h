#pragma once
/// \file
/// The palette as it is played: where each joint takes the rest mesh, in single precision.

#include <span>
#include <vector>

#include "sinew/math/types.h"

namespace sinew::deform {

/// Affine matrix, three rows of four: linear part and translation.
struct alignas(16) Mat34f {
    float rows[3][4] = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}};
};

Mat34f to_mat34(const math::Mat4d& matrix);
math::Mat4d to_mat4(const Mat34f& matrix);

/// A whole palette from double precision.
std::vector<Mat34f> to_mat34(std::span<const math::Mat4d> palette);

}  // namespace sinew::deform
