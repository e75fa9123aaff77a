#pragma once
/// \file
/// Numbers that are none.

#include <limits>

namespace sinew::math {

inline constexpr double infinity = std::numeric_limits<double>::infinity();
inline constexpr double nan = std::numeric_limits<double>::quiet_NaN();

}  // namespace sinew::math
