// SPDX-License-Identifier: MIT
#pragma once
// Readable help: options in groups, values in plain words.

#include <memory>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

namespace sinew::app {

/// Puts the options that are added to a verb during its lifetime under a separate heading.
class OptionHeading {
  public:
    OptionHeading(CLI::App& verb, std::string heading);
    ~OptionHeading();
    OptionHeading(const OptionHeading&) = delete;
    OptionHeading& operator=(const OptionHeading&) = delete;

  private:
    CLI::App& verb_;
    std::string heading_;
    std::size_t before_;
};

/// The values of an option in readable form: "0..4" for "INT:INT in [0 - 4]", "N" for "UINT", "a|b" for
/// "ENUM:a|b".
std::string plain_type(const std::string& type);

/// An option in a call: "MESH..." or "--output RIG".
std::string call_word(const CLI::Option& option);

/// The words that an option accepts, if they are a list; from its own check if its type does not list them.
std::vector<std::string> choices_of(const CLI::Option& option);

/// Heading of the common options of all verbs.
namespace headings {
inline constexpr const char* for_all_verbs = "For all verbs";
}

/// Help with every option.
std::shared_ptr<CLI::Formatter> help_formatter();
/// Help on one screen: the purpose of a verb, its usual options, three examples. The list of these options is
/// only in help.cpp.
std::shared_ptr<CLI::Formatter> short_help_formatter();

}  // namespace sinew::app
