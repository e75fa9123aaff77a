// SPDX-License-Identifier: MIT
#include "help.h"

#include <algorithm>
#include <functional>
#include <map>
#include <regex>
#include <set>

#include <fmt/format.h>

namespace sinew::app {
namespace {

/// Options that few people need, of all verbs.
const std::set<std::string, std::less<>> rare_options = {
    // finding a skeleton: by silhouettes, joints on a curve, by parts
    "view", "outline", "radius-scale", "spacing", "prune", "cluster", "refine", "bend", "longest-bone",
    "junctions", "hierarchy", "all-axes", "follow-openings", "follow-parents", "max-angle",
    "max-parent-angle", "links", "joint-frames",
    // binding
    "prune-below", "smooth",
    // reading files
    "strict", "convention", "skeleton-file", "legacy-tangents", "joints", "rest", "allow-outside",
    // moving a motion over, solving markers
    "forearm-twist", "travel-scale", "no-facing", "save-map", "keep-lengths", "no-refine", "neutral",
    "force-threshold",
    // pictures
    "local", "overlay", "direct", "orthographic",
    // walking trials
    "aid", "beside", "beside-start", "unmeasured",
    // skinning
    "mush-strength", "mush-passes", "mush-implicit", "basis", "swing-sharpness", "twist-sharpness",
    "sharpness", "export-palette", "export-transforms",
    // all verbs
    "seed", "progress", "settings", "force"};

/// Headings of a verb that is about something else.
const std::map<std::string, std::set<std::string>, std::less<>> rare_headings = {
    {"animate", {"Pictures and films", "Reading files"}},
    {"deform", {"Examples", "Beyond blending"}},
    {"rig", {"Reading files"}},
    {"skeletonize", {"Reading files"}},
    {"fit", {"Reading files"}}};

bool is_rare(const std::string& verb, const CLI::Option& option) {
    const auto headings = rare_headings.find(verb);
    if (headings != rare_headings.end() && headings->second.contains(option.get_group())) return true;
    // What must be given is never rare, nor is --parts of a verb that is about parts.
    if (option.get_required() || option.get_lnames().empty()) return false;
    if (option.get_lnames()[0] == "parts") return option.get_group() == "Finding a skeleton";
    return rare_options.contains(option.get_lnames()[0]);
}

class PlainFormatter : public CLI::Formatter {
  public:
    /// One empty line between groups, not two.
    std::string make_help(const CLI::App* app, std::string name, CLI::AppFormatMode mode) const override {
        static const std::regex gaps("\n{3,}");
        return std::regex_replace(CLI::Formatter::make_help(app, std::move(name), mode), gaps, "\n\n");
    }
    std::string make_option_name(const CLI::Option* option, bool is_positional) const override {
        std::string name = CLI::Formatter::make_option_name(option, is_positional);
        // CLI11 marks the flag that takes another back.
        constexpr std::string_view mark = "{false}";
        for (std::size_t at = name.find(mark); at != std::string::npos; at = name.find(mark))
            name.erase(at, mark.size());
        return name;
    }
    std::string make_option_opts(const CLI::Option* option) const override {
        if (option->get_type_size() == 0) return {};
        std::string text = " " + plain_type(option->get_type_name());
        if (!option->get_default_str().empty()) text += " = " + option->get_default_str();
        if (option->get_expected_max() == CLI::detail::expected_max_vector_size && !text.ends_with("..."))
            text += " ...";
        else if (option->get_expected_min() > 1)
            text += fmt::format(" x {}", option->get_expected_min());
        if (option->get_required() && !option->get_positional()) text += " (needed)";
        return text;
    }
};

}  // namespace

OptionHeading::OptionHeading(CLI::App& verb, std::string heading)
    : verb_(verb), heading_(std::move(heading)), before_(verb.get_options().size()) {}

OptionHeading::~OptionHeading() {
    const std::vector<CLI::Option*> options = verb_.get_options();
    for (std::size_t i = before_; i < options.size(); ++i) options[i]->group(heading_);
}

std::string plain_type(const std::string& type) {
    static const std::regex range(R"(^\w+:\w+ in \[(\S+) - (\S+)\]$)"), members(R"(^\w+:\{(.*)\}$)"),
        listed(R"(^\w+:(.*\|.*)$)"), checked(R"(^(\w+):[A-Z]+$)");
    std::smatch found;
    if (std::regex_match(type, found, range)) return found[1].str() + ".." + found[2].str();
    if (std::regex_match(type, found, listed)) return found[1].str();
    if (std::regex_match(type, found, members)) {
        std::string names = found[1].str();
        std::ranges::replace(names, ',', '|');
        return names;
    }
    const std::string plain = std::regex_match(type, found, checked) ? found[1].str() : type;
    if (plain == "UINT" || plain == "INT" || plain == "FLOAT") return "N";
    if (plain == "ENUM") return "NAME";
    return plain;
}

std::size_t hide_rare_options(CLI::App& verb) {
    std::size_t hidden = 0;
    for (CLI::Option* option : verb.get_options()) {
        if (option->get_group().empty() || !is_rare(verb.get_name(), *option)) continue;
        option->group("");
        ++hidden;
    }
    return hidden;
}

std::shared_ptr<CLI::Formatter> help_formatter() {
    return std::make_shared<PlainFormatter>();
}

}  // namespace sinew::app
