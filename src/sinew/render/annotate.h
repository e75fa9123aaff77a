#pragma once
/// \file
/// Words and scales around a picture.

#include <string_view>

#include "sinew/render/renderer.h"

namespace sinew::render {

/// The picture with a line of text above it, on white; the text shrinks to fit. Empty text adds the same
/// strip.
Picture with_caption(const Picture& picture, std::string_view text);

/// The picture with a bar of the colours of `scalar_colors` to its right, with round values beside it.
Picture with_color_bar(const Picture& picture, const ValueRange& range, std::string_view label);

}  // namespace sinew::render
