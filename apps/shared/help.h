// SPDX-License-Identifier: MIT
#pragma once
// Help that can be read: options in groups, values in plain words.

#include <memory>
#include <string>

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

/// Leaves options out of the help that few people need: the list of them is here and nowhere else. They work
/// all the same.
/// \return how many were left out
std::size_t hide_rare_options(CLI::App& verb);

std::shared_ptr<CLI::Formatter> help_formatter();

}  // namespace sinew::app
