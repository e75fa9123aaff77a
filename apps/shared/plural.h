// SPDX-License-Identifier: MIT
#pragma once
// Readable numbers.

#include <string>
#include <string_view>

namespace sinew::app {

/// "10,240", with separators.
std::string with_commas(std::size_t number);

/// "1 joint", "22 joints".
std::string count_of(std::size_t number, std::string_view thing);

}  // namespace sinew::app
