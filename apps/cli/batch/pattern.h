// SPDX-License-Identifier: MIT
#pragma once
// Names by pattern: files that are read, and files that are written.

#include <filesystem>
#include <string>
#include <vector>

namespace sinew::cli::batch {

/// A file or folder that a pattern names.
struct Match {
    std::string path;    ///< as the pattern writes it, relative where that is
    std::string folder;  ///< where it lies below the first wildcard; empty when it lies right there
};

bool has_wildcards(const std::string& pattern);

/// What a pattern names, sorted: `*`, `?` and `[a-z]` within a name, `**` over any number of folders (files
/// only, links are not followed). Names that begin with a dot are left out. A pattern without wildcards names
/// one file, whether it is there or not.
/// \param folder where relative patterns begin.
std::vector<Match> files_of(const std::string& pattern, const std::filesystem::path& folder);

/// Fills {name}, {stem}, {suffix} and {folder} of the first input (those of the second are {stem2} and so
/// on), {verb} and {number} of the job. \throws Error naming a field that does not exist.
std::string filled(const std::string& pattern, const std::string& verb, const std::vector<Match>& inputs,
                   std::size_t number);

}  // namespace sinew::cli::batch
