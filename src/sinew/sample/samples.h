#pragma once
/// \file
/// Built-in characters with their true rigs and motions.

#include <cstddef>
#include <span>
#include <string_view>

#include "sinew/model/character.h"

namespace sinew::sample {

struct SampleOptions {
    std::size_t faces = 0;  ///< triangles; 0 stands for the sample's own number
};

struct Sample {
    std::string_view name;
    std::string_view what;  ///< one line for a person
    model::Character (*make)(const SampleOptions& options);
};

/// All samples, in the order in which they are shown. A new one is a file of its own and a row of the table.
std::span<const Sample> list();

/// \throws Error that lists the names when there is none of this name, or when the sample cannot have the
/// wanted number of triangles.
model::Character make(std::string_view name, const SampleOptions& options = {});

}  // namespace sinew::sample
