// SPDX-License-Identifier: MIT
#pragma once
// Export formats of the open document, and exports that take long: films and pages.

#include "state.h"

namespace sinew::studio {

struct ExportFormat {
    std::string suffix;  ///< without a dot
    std::string name;    ///< for the user
    std::string what;    ///< its contents, or what is missing
    bool possible = true;
};

/// Formats that fit the open document, the usual ones first.
std::vector<ExportFormat> export_formats(const State& state);

bool is_film(const std::filesystem::path& path);
bool is_page(const std::filesystem::path& path);
/// True when such a file contains all changes of the user: the document counts as saved.
bool keeps_work(const std::filesystem::path& path);

/// Renders a film of the clip from the present camera, or makes a page, in the background.
void export_in_background(State& state, const std::filesystem::path& path);

/// The path with another suffix, and a default name when it has none.
std::filesystem::path export_target(const State& state, const std::string& typed, const std::string& suffix);

}  // namespace sinew::studio
