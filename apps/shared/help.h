// SPDX-License-Identifier: MIT
#pragma once
// Help that can be read: options in groups, values in plain words.

#include <memory>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

namespace sinew::app {

/// Puts the options that are added to a verb while it lives under a heading of their own.
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

/// What an option takes, for people: "0..4" for "INT:INT in [0 - 4]", "N" for "UINT", "a|b" for "ENUM:a|b".
std::string plain_type(const std::string& type);

/// An option in a call: "MESH..." or "--output RIG".
std::string call_word(const CLI::Option& option);

/// The words that an option takes, where they are a list; those of its own check where its type does not say
/// them.
std::vector<std::string> choices_of(const CLI::Option& option);

/// Heading of the options that all verbs have.
namespace headings {
inline constexpr const char* for_all_verbs = "For all verbs";
}

/// Help with every option.
std::shared_ptr<CLI::Formatter> help_formatter();
/// Help that fits a screen: what a verb does, the options that people use, three examples. The list of these
/// options is in help.cpp and nowhere else.
std::shared_ptr<CLI::Formatter> short_help_formatter();

}  // namespace sinew::app
