// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// All blends of rigid transformations under one signature, for tables and comparisons.

#include <functional>
#include <span>
#include <string_view>

#include "sinew/math/transform.h"

namespace sinew::math {

/// Convex weights and as many rigid transformations in, one affine matrix out.
using BlendFunction = std::function<Mat4d(std::span<const double> weights, std::span<const Rigidd>)>;

struct BlendRule {
    std::string_view name;
    std::string_view text;
    bool pairs_only = false;
    Mat4d (*blend)(std::span<const double>, std::span<const Rigidd>);
};

/// The blends of the library. Each aligns the signs with the heaviest input and, where it iterates, goes on
/// until it no longer moves.
std::span<const BlendRule> blend_rules();

/// \throws Error that lists the names.
const BlendRule& find_blend_rule(std::string_view name);

}  // namespace sinew::math
