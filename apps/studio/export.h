// SPDX-License-Identifier: MIT
#pragma once
// What can be written of what is open, and what takes long to write: films and pages.

#include "state.h"

namespace sinew::studio {

struct ExportFormat {
    std::string suffix;  ///< without a dot
    std::string name;    ///< for a person
    std::string what;    ///< what it holds, or what is missing
    bool possible = true;
};

/// Formats that fit what is open, the usual ones first.
std::vector<ExportFormat> export_formats(const State& state);

bool is_film(const std::filesystem::path& path);
bool is_page(const std::filesystem::path& path);
/// True when all that a person changed is in such a file: it counts as saved.
bool keeps_work(const std::filesystem::path& path);

/// Renders a film of the clip as the camera sees it now, or makes a page, in the background.
void export_in_background(State& state, const std::filesystem::path& path);

/// The path with another suffix, and a name when it has none.
std::filesystem::path export_target(const State& state, const std::string& typed, const std::string& suffix);

}  // namespace sinew::studio
