// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Names as Unicode, whatever a file spells them in.

#include <string>

#include "sinew/io/io.h"

namespace sinew::io {

/// True when the text is UTF-8.
bool is_utf8(std::string_view text);

/// Names that are not UTF-8 are taken for Latin-1, as old programs write it, and become UTF-8. Parameters of
/// a trial keep the bytes of their file.
void make_names_unicode(Asset& asset);

}  // namespace sinew::io
