// SPDX-License-Identifier: MIT
#pragma once
// Patterns for names of input files and of output files.

#include <filesystem>
#include <string>
#include <vector>

namespace sinew::cli::batch {

/// A file or folder that matches a pattern.
struct Match {
    std::string path;    ///< in the form of the pattern, relative if that is relative
    std::string folder;  ///< its folder below the first wildcard; empty without one
};

bool has_wildcards(const std::string& pattern);

/// The matches of a pattern, sorted: `*`, `?` and `[a-z]` within a name, `**` over any number of folders
/// (files only, links are not followed). Names that start with a dot are skipped. A pattern without wildcards
/// gives one file, whether or not it exists.
/// \param folder base of relative patterns.
std::vector<Match> files_of(const std::string& pattern, const std::filesystem::path& folder);

/// Replaces {name}, {stem}, {suffix} and {folder} of the first input (those of the second are {stem2} and so
/// on), {verb} and {number} of the job. \throws Error naming an unknown field.
std::string filled(const std::string& pattern, const std::string& verb, const std::vector<Match>& inputs,
                   std::size_t number);

}  // namespace sinew::cli::batch
