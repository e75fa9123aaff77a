#pragma once
/// \file
/// Text inside HTML and SVG.

#include <string>
#include <string_view>

namespace sinew {

/// With the characters that mean something to a browser written as entities: safe between tags and in quoted
/// attributes.
std::string markup_text(std::string_view text);

}  // namespace sinew
