#pragma once
/// \file
/// Triangles of a simple polygon, any triangles.

#include <optional>

#include "sinew/geometry/polygon.h"

namespace sinew::geometry {

/// Cuts one corner after the other off a simple loop that turns anticlockwise (Meisters 1975); corners of the
/// loop as indices, anticlockwise. Nothing when rounding hides whether what is left turns left or right.
std::optional<std::vector<std::array<int, 3>>> clip_ears(const Loop2& loop);

}  // namespace sinew::geometry
