#pragma once
// What is wrong with a command line, said so that the next one is right.

#include <string>

#include <CLI/CLI.hpp>

namespace sinew::cli {

/// Names what was not understood before what is missing, with the nearest word that is known, and where help
/// is.
std::string usage_error(const CLI::App& app, const CLI::ParseError& error);

}  // namespace sinew::cli
