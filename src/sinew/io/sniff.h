#pragma once
/// \file
/// What a file is, by its first bytes.

#include <optional>
#include <string_view>

#include "sinew/base/file.h"

namespace sinew::io {

struct Sniffed {
    std::string_view suffix;  ///< empty when we do not read it
    std::string_view name;    ///< with its article: "a PLY file"
};

/// Recognises contents that cannot be anything else; most text formats have no such mark.
std::optional<Sniffed> sniff(Bytes bytes);

}  // namespace sinew::io
