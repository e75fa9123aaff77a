// SPDX-License-Identifier: MIT
#include "plural.h"

#include <fmt/format.h>

namespace sinew::app {

std::string with_commas(std::size_t number) {
    std::string text = std::to_string(number);
    for (int i = static_cast<int>(text.size()) - 3; i > 0; i -= 3)
        text.insert(static_cast<std::size_t>(i), 1, ',');
    return text;
}

std::string count_of(std::size_t number, std::string_view thing) {
    const bool plural = number != 1;
    const bool irregular = plural && thing == "vertex";
    return fmt::format("{} {}{}", with_commas(number), irregular ? "vertice" : thing, plural ? "s" : "");
}

}  // namespace sinew::app
