// SPDX-License-Identifier: MIT
#include "plain_error.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <regex>

#include <fmt/format.h>

namespace sinew::app {
namespace {

/// Letters to put in, take out or change (Levenshtein).
std::size_t distance(const std::string& a, const std::string& b) {
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 0; i < a.size(); ++i) {
        std::size_t corner = row[0];
        row[0] = i + 1;
        for (std::size_t j = 0; j < b.size(); ++j) {
            const std::size_t change = corner + (a[i] == b[j] ? 0 : 1);
            corner = row[j + 1];
            row[j + 1] = std::min({change, row[j] + 1, row[j + 1] + 1});
        }
    }
    return row.back();
}

/// Words that people know methods by.
std::string usual_name(const std::string& word) {
    static const std::map<std::string, std::string> names = {
        {"linear", "lbs"},     {"smooth", "lbs"},    {"dual", "dqs"},       {"dual-quaternion", "dqs"},
        {"dq", "dqs"},         {"spherical", "sbs"}, {"geodesic", "voxel"}, {"bbw", "biharmonic"},
        {"automatic", "auto"}, {"meters", "m"},      {"centimeters", "cm"}, {"metres", "m"},
        {"human", "biped"},    {"humanoid", "biped"}};
    const auto found = names.find(word);
    return found == names.end() ? word : found->second;
}

}  // namespace

std::string nearest_word(const std::string& word, const std::vector<std::string>& known) {
    std::string best;
    std::size_t smallest = word.size() / 3 + 1;
    for (const std::string& name : known) {
        if (const std::size_t letters = distance(word, name); letters < smallest) {
            smallest = letters;
            best = name;
        }
    }
    return best;
}

std::string plain_error(const std::string& said) {
    static const std::regex choice(R"(^(\S+): Check (.*) value in \{([^}]*)\} OR .*FAILED$)");
    static const std::regex member(R"(^(\S+): (.*) not in \{([^}]*)\}$)");
    static const std::regex number("->[^,]*");
    std::smatch found;
    if (!std::regex_match(said, found, choice) && !std::regex_match(said, found, member)) return said;
    const std::string word = found[2].str(), list = std::regex_replace(found[3].str(), number, "");
    std::vector<std::string> names;
    for (std::size_t start = 0; start <= list.size();) {
        const std::size_t comma = std::min(list.find(',', start), list.size());
        names.push_back(list.substr(start, comma - start));
        start = comma + 1;
    }
    const std::string near = nearest_word(usual_name(word), names);
    return fmt::format("{}: {} is none of {}{}", found[1].str(), word, fmt::join(names, ", "),
                       near.empty() ? "" : fmt::format("; did you mean {}?", near));
}

}  // namespace sinew::app
