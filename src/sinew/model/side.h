#pragma once
/// \file
/// Left and right.

#include <cstdint>

namespace sinew::model {

/// Of the body itself, not of who looks at it. A body that faces +z with +y up has its left at +x. None is
/// the middle, or not known.
enum class Side : std::uint8_t { none, left, right };

}  // namespace sinew::model
