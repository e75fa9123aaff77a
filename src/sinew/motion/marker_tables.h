#pragma once
/// \file
/// The tables behind marker_set.h: places, and what the usual marker sets call them.

#include <span>
#include <string_view>

#include "sinew/model/roles.h"

namespace sinew::motion {

/// A name with "%" stands for two places, one of each side: "%ASI" is LASI and RASI.
struct PlaceRow {
    std::string_view name;
    model::Role segment;
};
std::span<const PlaceRow> place_rows();

/// Labels in lower case without punctuation; "%" is the side, before or behind, as a letter or as a word.
struct AliasRow {
    std::string_view set;
    std::string_view place;
    std::string_view labels;  ///< separated by blanks
};
std::span<const AliasRow> alias_rows();

}  // namespace sinew::motion
