// SPDX-License-Identifier: MIT
#include "plain_error.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <regex>
#include <utility>

#include <fmt/format.h>

namespace sinew::app {
namespace {

/// Letters to put in, take out or change, and neighbours to swap (Damerau 1964).
std::size_t distance(const std::string& a, const std::string& b) {
    std::vector<std::size_t> before, last, row(b.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 1; i <= a.size(); ++i) {
        before = std::exchange(last, row);
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            row[j] = std::min({last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1), last[j] + 1, row[j - 1] + 1});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                row[j] = std::min(row[j], before[j - 2] + 1);
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
    return fmt::format("{}: {} is not one of {}{}", found[1].str(), word, fmt::join(names, ", "),
                       near.empty() ? "" : fmt::format("; did you mean {}?", near));
}

}  // namespace sinew::app
