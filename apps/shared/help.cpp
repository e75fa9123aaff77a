#include "help.h"

#include <algorithm>
#include <regex>

namespace sinew::app {
namespace {

class PlainFormatter : public CLI::Formatter {
  public:
    std::string make_option_opts(const CLI::Option* option) const override {
        if (option->get_type_size() == 0) return {};
        std::string text = " " + plain_type(option->get_type_name());
        if (!option->get_default_str().empty()) text += " = " + option->get_default_str();
        if (option->get_expected_max() == CLI::detail::expected_max_vector_size && !text.ends_with("..."))
            text += " ...";
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

std::shared_ptr<CLI::Formatter> help_formatter() {
    return std::make_shared<PlainFormatter>();
}

}  // namespace sinew::app
