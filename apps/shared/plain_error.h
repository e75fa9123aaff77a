// SPDX-License-Identifier: MIT
#pragma once
// Readable forms of CLI11's messages on wrong values.

#include <string>
#include <vector>

#include <CLI/CLI.hpp>

namespace sinew::app {

/// A readable form of CLI11's message on the arguments of a verb or program: "--camera: up is not one of
/// back, front; ...".
std::string plain_error(const CLI::App& app, const std::string& said);

/// The known word that differs in at most a third of its letters, or else the shortest that starts with the
/// whole text; empty when there is none.
std::string nearest_word(const std::string& word, const std::vector<std::string>& known);

}  // namespace sinew::app
