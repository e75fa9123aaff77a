#pragma once
/// \file
/// Letters as pen strokes: text in pictures without a font file, sharp at any size.

#include <string_view>
#include <vector>

#include "sinew/math/types.h"

namespace sinew::render {

using Vec2d = math::Vec2<double>;

using Polyline = std::vector<Vec2d>;

/// Height of capitals as part of the font size.
inline constexpr double cap_height = 0.7;

/// Width of a line of text at font size 1, up to the edge of its last letter.
double text_width(std::string_view text);

/// Strokes of a line of text at font size 1: x to the right from 0, y up from the baseline. UTF-8; all of
/// printable ASCII, the degree sign and the multiplication sign have letters, other characters are an empty
/// box.
std::vector<Polyline> text_strokes(std::string_view text);

}  // namespace sinew::render
