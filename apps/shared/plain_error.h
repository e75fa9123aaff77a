// SPDX-License-Identifier: MIT
#pragma once
// What CLI11 says of a wrong value, for people.

#include <string>
#include <vector>

#include <CLI/CLI.hpp>

namespace sinew::app {

/// What CLI11 says of the words of a verb or program, for people: "--camera: up is not one of back, front;
/// ...".
std::string plain_error(const CLI::App& app, const std::string& said);

/// The known word that is at most a third of its letters away, or else the shortest that starts with all of
/// it; empty when there is none.
std::string nearest_word(const std::string& word, const std::vector<std::string>& known);

}  // namespace sinew::app
