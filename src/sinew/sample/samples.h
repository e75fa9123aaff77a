#pragma once
/// \file
/// Built-in characters with their true rigs and motions.

#include <span>
#include <string_view>

#include "sinew/model/character.h"

namespace sinew::sample {

struct Sample {
    std::string_view name;
    std::string_view what;  ///< one line for a person
    model::Character (*make)();
};

/// All samples, in the order in which they are shown. A new one is a file of its own and a row of the table.
std::span<const Sample> list();

/// \throws Error that lists the names when there is none of this name.
model::Character make(std::string_view name);

}  // namespace sinew::sample
