// SPDX-License-Identifier: MIT
#include "help.h"

#include <algorithm>
#include <functional>
#include <map>
#include <regex>
#include <sstream>
#include <stdexcept>
#include <vector>

#include "plural.h"
#include <fmt/format.h>

namespace sinew::app {
namespace {

/// The usual options of each verb that has many more; the others are in --help-all.
const std::map<std::string, std::vector<std::string>, std::less<>> usual_options = {
    {"info", {"json", "units", "up", "fps", "rest"}},
    {"convert", {"units", "up", "scale", "fps", "start", "end", "clip", "frame", "names", "anonymous"}},
    {"deform",
     {"output", "method", "clip", "frame", "time", "refine", "example", "close-gaps", "against", "camera",
      "export-transforms"}},
    {"segment", {"output", "method", "connected", "hierarchy", "stages", "least-area", "units", "up"}},
    {"skeletonize",
     {"output", "template", "method", "fingers", "joint-frames", "keep-from", "lock", "with-mesh", "units",
      "up"}},
    {"bind",
     {"output", "method", "compare", "softness", "max-influences", "smooth", "symmetric", "weights",
      "transfer", "frame"}},
    {"rig",
     {"output", "template", "skeleton-method", "bind-method", "softness", "max-influences", "fingers",
      "names", "units", "up"}},
    {"edit",
     {"output", "rename", "reparent", "insert", "delete", "merge", "split", "mirror", "root",
      "smooth-weights", "max-influences"}},
    {"solve", {"output", "static", "markers", "hips", "cutoff", "raw", "keep-lengths"}},
    {"retarget",
     {"output", "clip", "in-place", "map", "save-map", "no-foot-contacts", "travel-scale", "static",
      "markers"}},
    {"blend",
     {"output", "rig", "fade", "match-steps", "weight", "layer", "repeat", "no-align", "fps", "shot"}},
    {"clean",
     {"output", "trim", "loop", "mirror", "filter", "remove-spikes", "fill-gaps", "fps", "reduce-keys",
      "to-rotations", "skeleton"}},
    {"animate",
     {"output", "clip", "frame", "method", "in-place", "template", "bind-method", "map", "static", "names",
      "units"}},
    {"gait",
     {"output", "static", "compare", "norm", "make-norm", "angles", "model", "measure", "event", "skip-cycle",
      "markers"}},
    {"fit",
     {"output", "bones", "max-error", "max-bytes", "method", "affine", "influences", "corrections", "rest",
      "precision"}},
    {"render",
     {"output", "clip", "frame", "method", "camera", "size", "style", "joint", "skeleton", "film-fps",
      "contacts"}},
    {"publish", {"output", "title", "clip", "method", "anonymous", "keep-names"}},
    {"collide",
     {"output", "clip", "frame", "method", "move", "tolerance", "between", "first", "budget", "camera"}},
    {"measure", {"what", "clip", "json"}},
    {"batch",
     {"output", "name", "option", "jobs", "time-limit", "memory-limit", "retry", "thumbnails", "shard",
      "merge"}},
};

constexpr std::size_t help_width = 100, option_column = 30, verb_column = 14;
constexpr std::size_t examples_shown = 3;

/// Lines of limited length, broken between words; line ends of the text are kept.
std::vector<std::string> wrapped(const std::string& text, std::size_t width) {
    std::vector<std::string> lines;
    std::istringstream input(text);
    for (std::string line; std::getline(input, line);) {
        while (line.size() > width) {
            std::size_t end = line.rfind(' ', width);
            if (end == std::string::npos || end == 0) end = line.find(' ', width);
            if (end == std::string::npos) break;
            lines.push_back(line.substr(0, end));
            line.erase(0, end + 1);
        }
        lines.push_back(line);
    }
    return lines;
}

/// A name and its meaning on one line, or on the next line if the name is long.
std::string entry(const std::string& name, const std::string& meaning, std::size_t column) {
    std::string text = "  " + name;
    if (text.size() + 1 > column) text += "\n" + std::string(column, ' ');
    text.resize(std::max(text.size(), column), ' ');
    bool first = true;
    for (const std::string& line : wrapped(meaning, help_width - column)) {
        text += (first ? "" : "\n" + std::string(column, ' ')) + line;
        first = false;
    }
    return text + "\n";
}

/// The first line of a description; if it is a list of "word = meaning", its words.
std::string summary_of(const std::string& description) {
    static const std::regex word("\n([a-z][a-z, -]*) = ");
    std::string text = description.substr(0, description.find('\n'));
    if (!text.ends_with(':')) return text;
    for (std::sregex_iterator at(description.begin(), description.end(), word), end; at != end; ++at)
        text += (text.ends_with(':') ? " " : ", ") + (*at)[1].str();
    return text;
}

bool is_for_all(const CLI::Option& option) {
    return option.get_group() == headings::for_all_verbs;
}

/// The options that the short help shows, in its order.
/// \throws std::logic_error when the list contains one that the verb does not have.
std::vector<const CLI::Option*> shown_options(const CLI::App& verb) {
    std::vector<const CLI::Option*> shown;
    if (const auto usual = usual_options.find(verb.get_name()); usual != usual_options.end()) {
        for (const std::string& name : usual->second) {
            shown.push_back(verb.get_option_no_throw("--" + name));
            if (shown.back() == nullptr) throw std::logic_error(verb.get_name() + " has no option --" + name);
        }
        return shown;
    }
    for (const CLI::Option* option : verb.get_options())
        if (!option->get_positional() && option != verb.get_help_ptr() && !is_for_all(*option))
            shown.push_back(option);
    return shown;
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
        // CLI11 marks flags that negate another one.
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
        if (option->get_required() && !option->get_positional()) text += " (required)";
        return text;
    }
    std::string make_option_desc(const CLI::Option* option) const override {
        return fmt::format("{}",
                           fmt::join(wrapped(option->get_description(), help_width - option_column), "\n"));
    }
};

/// The purpose of a verb, its usual options and three examples, on one screen.
class ShortFormatter : public PlainFormatter {
  public:
    std::string make_help(const CLI::App* app, std::string, CLI::AppFormatMode) const override {
        return app->get_parent() == nullptr ? program_help(*app) : verb_help(*app);
    }

  private:
    static std::string program_help(const CLI::App& app) {
        std::string text = app.get_description() + "\nUsage: sinew VERB [OPTIONS]\n\nVerbs:\n";
        for (const CLI::App* verb : app.get_subcommands([](const CLI::App*) { return true; }))
            text += entry(verb->get_name(), summary_of(verb->get_description()), verb_column);
        return text + "\n" + app.get_footer() + "\n";
    }

    std::string verb_help(const CLI::App& verb) const {
        std::string usage = "Usage: sinew " + verb.get_name(), positionals, options;
        for (const CLI::Option* option : verb.get_options()) {
            if (!option->get_positional()) continue;
            const std::string name = call_word(*option);
            usage += option->get_required() ? " " + name : " [" + name + "]";
            positionals += entry(name, option->get_description(), option_column);
        }
        const std::vector<const CLI::Option*> shown = shown_options(verb);
        for (const CLI::Option* option : shown)
            options += entry(make_option_name(option, false) + make_option_opts(option),
                             summary_of(option->get_description()), option_column);
        const auto listed = std::ranges::count_if(verb.get_options(), [&](const CLI::Option* option) {
            return !option->get_positional() && option != verb.get_help_ptr() && !is_for_all(*option);
        });
        const std::size_t more = static_cast<std::size_t>(listed) - shown.size();
        const std::string rest = more > 0 ? fmt::format("  `sinew {} --help-all` lists {}.\n",
                                                        verb.get_name(), count_of(more, "more option"))
                                          : "";
        return fmt::format(
            "{}\n{} [OPTIONS]\n\n{}{}Options:\n{}{}  All verbs take --report FILE.json, --quiet and "
            "--threads N.\n\nExamples:\n{}",
            fmt::join(wrapped(verb.get_description(), help_width), "\n"), usage, positionals,
            positionals.empty() ? "" : "\n", options, rest, first_examples(verb.get_footer()));
    }

    static std::string first_examples(const std::string& footer) {
        std::string text;
        std::size_t count = 0;
        std::istringstream lines(footer);
        for (std::string line; std::getline(lines, line) && count < examples_shown;)
            if (line.starts_with("  sinew ")) text += line + "\n", ++count;
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

namespace {

std::vector<std::string> split(std::string_view text, char mark) {
    std::vector<std::string> words;
    for (std::size_t start = 0; start <= text.size();) {
        const std::size_t end = std::min(text.find(mark, start), text.size());
        words.emplace_back(text.substr(start, end - start));
        start = end + 1;
    }
    return words;
}

/// "a", "b" from the message of a check: "x not in {a,b}", or "Check x value in {a->1,b->2} OR ...".
std::vector<std::string> words_of_check(std::string_view said) {
    const std::size_t open = said.find(" in {");
    if (open == std::string_view::npos) return {};
    said.remove_prefix(open + 5);
    std::vector<std::string> words = split(said.substr(0, said.find('}')), ',');
    for (std::string& word : words) word.erase(std::min(word.find("->"), word.size()));
    return words;
}

}  // namespace

std::string call_word(const CLI::Option& option) {
    std::string type = plain_type(option.get_type_name());
    std::erase(type, ' ');
    if (!option.get_positional()) return option.get_name() + " " + type;
    const bool many = option.get_expected_max() == CLI::detail::expected_max_vector_size;
    return type + (many && !type.ends_with("...") ? "..." : "");
}

std::vector<std::string> choices_of(const CLI::Option& option) {
    if (option.get_type_size() == 0) return {};
    const std::string type = plain_type(option.get_type_name());
    if (type.find('|') != std::string::npos) return split(type, '|');
    try {
        for (int i = 0;; ++i) {
            std::string wrong = "?";
            const std::string said = (*const_cast<CLI::Option&>(option).get_validator(i))(wrong);
            if (std::vector<std::string> words = words_of_check(said); !words.empty()) return words;
        }
    } catch (const CLI::OptionNotFound&) {  // there are no more checks
        return {};
    }
}

std::shared_ptr<CLI::Formatter> help_formatter() {
    return std::make_shared<PlainFormatter>();
}

std::shared_ptr<CLI::Formatter> short_help_formatter() {
    return std::make_shared<ShortFormatter>();
}

}  // namespace sinew::app
