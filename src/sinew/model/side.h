#pragma once
/// \file
/// The sides of a body.

#include <cstdint>
#include <string_view>

namespace sinew::model {

/// Of the body that something belongs to, not of who looks at it. A body that faces +z with +y up has its
/// left at +x. None is the middle, or not known.
enum class Side : std::uint8_t { none, left, right };

/// "Left", "Right", or nothing.
std::string_view name_of(Side side);

}  // namespace sinew::model
