// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Converts names to Unicode from the encoding of a file.

#include <string>

#include "sinew/io/io.h"

namespace sinew::io {

/// True when the text is UTF-8.
bool is_utf8(std::string_view text);

/// Names that are not UTF-8 are interpreted as Latin-1, as old programs write it, and converted to UTF-8.
/// Parameters of a trial keep the bytes of their file.
void make_names_unicode(Asset& asset);

}  // namespace sinew::io
