// SPDX-License-Identifier: MIT
#include "plain_error.h"

#include <regex>

#include <fmt/format.h>

namespace sinew::app {

std::string plain_error(const std::string& said) {
    static const std::regex choice(R"(^(\S+): Check (.*) value in \{([^}]*)\} OR .*FAILED$)");
    static const std::regex number("->[^,]*,?");
    std::smatch found;
    if (!std::regex_match(said, found, choice)) return said;
    std::string names = std::regex_replace(found[3].str(), number, ", ");
    names.resize(names.size() - 2);
    return fmt::format("{}: {} is none of {}", found[1].str(), found[2].str(), names);
}

}  // namespace sinew::app
