// SPDX-License-Identifier: MIT
#include "plain_error.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <regex>
#include <utility>

#include "help.h"
#include <fmt/format.h>

#include "sinew/base/text.h"

namespace sinew::app {
namespace {

/// Number of letters to insert, remove or change, and of neighbours to swap (Damerau 1964).
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

/// Usual words for methods.
std::string usual_name(const std::string& word) {
    static const std::map<std::string, std::string> names = {
        {"linear", "lbs"},     {"smooth", "lbs"},    {"dual", "dqs"},       {"dual-quaternion", "dqs"},
        {"dq", "dqs"},         {"spherical", "sbs"}, {"geodesic", "voxel"}, {"bbw", "biharmonic"},
        {"automatic", "auto"}, {"meters", "m"},      {"centimeters", "cm"}, {"metres", "m"},
        {"human", "biped"},    {"humanoid", "biped"}};
    const auto found = names.find(word);
    return found == names.end() ? word : found->second;
}

/// The call of a verb with its required arguments: "sinew rig MESH... --output RIG".
std::string shortest_call(const CLI::App& app) {
    std::string call = app.get_parent() == nullptr ? "" : app.get_parent()->get_name() + " ";
    call += app.get_name();
    for (const CLI::Option* option : app.get_options())
        if (option->get_required()) call += fmt::format(" {}", call_word(*option));
    return call;
}

std::string not_one_of(const CLI::Option& option, const std::string& word) {
    const std::vector<std::string> names = choices_of(option);
    const std::string near = nearest_word(usual_name(word), names);
    return fmt::format("{} is not one of {}{}", word, fmt::join(names, ", "),
                       near.empty() ? "" : fmt::format("; did you mean {}?", near));
}

/// "many is not a number from 0 to 64". Without an upper limit, the sign or 0 is the error.
std::string out_of_range(const std::string& word, double low, double high) {
    if (high < 1e300) return fmt::format("{} is not a number from {:g} to {:g}", word, low, high);
    double value = 0;
    if (!parse_exact(word, value)) return word + " is not a number";
    return value < low ? fmt::format("{} is below {:g}", word, low)
                       : fmt::format("{} is not above {:g}", word, low);
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
    if (!best.empty() || word.size() < 2) return best;
    for (const std::string& name : known)
        if (name.starts_with(word) && (best.empty() || name.size() < best.size())) best = name;
    return best;
}

std::string plain_error(const CLI::App& app, const std::string& said) {
    static const std::regex required(R"(^(\S+) is required$)"), about(R"(^(\S+): ([^]*)$)"),
        choice(R"(^Check (.*) value in \{[^]*$)"), member(R"(^(.*) not in \{[^]*$)"),
        range(R"(^Value (.*) not in range (\S+) to (\S+)$)"), missing(R"(^(\d+) required .* missing$)"),
        often(R"(^At Most 1 required but received (\d+)$)");
    std::smatch found;
    if (std::regex_match(said, found, required)) {
        const CLI::Option* const option = app.get_option_no_throw(found[1].str());
        if (option == nullptr) return said;
        return fmt::format("{} is missing: {}",
                           option->get_positional() ? call_word(*option) : found[1].str(),
                           shortest_call(app));
    }
    if (!std::regex_match(said, found, about)) return said;
    const std::string name = found[1].str(), why = found[2].str();
    const CLI::Option* const option = app.get_option_no_throw(name);
    if (option == nullptr) return said;
    if (std::regex_match(why, found, choice) || std::regex_match(why, found, member))
        return fmt::format("{}: {}", name, not_one_of(*option, found[1].str()));
    if (std::regex_match(why, found, range))
        return fmt::format(
            "{}: {}", name,
            out_of_range(found[1].str(), std::stod(found[2].str()), std::stod(found[3].str())));
    if (std::regex_match(why, found, missing))
        return fmt::format("{} needs {}", name, found[1] == "1" ? "a value" : found[1].str() + " values");
    if (std::regex_match(why, found, often)) return fmt::format("{} is given {} times", name, found[1].str());
    return said;
}

}  // namespace sinew::app
