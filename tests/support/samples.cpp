// SPDX-License-Identifier: MIT
#include "support/samples.h"

#include <map>

namespace sinew::test {

const model::Character& sample(const std::string& name, std::size_t faces) {
    static std::map<std::pair<std::string, std::size_t>, model::Character> made;
    const auto key = std::pair{name, faces};
    if (const auto found = made.find(key); found != made.end()) return found->second;
    return made.emplace(key, sample::make(name, {.faces = faces})).first->second;
}

}  // namespace sinew::test
