// SPDX-License-Identifier: MIT
#pragma once
// What a job depends on, as a number: content of its inputs, its words, the version of the program.

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "plan.h"

namespace sinew::cli::batch {

/// A file that a job reads, and how it looked.
struct Stamp {
    std::string path;
    std::uint64_t size = 0;
    std::int64_t changed = 0;  ///< nanoseconds
    std::string digits;        ///< of its content
};

Json to_json(const std::vector<Stamp>& stamps);
std::vector<Stamp> stamps_of(const Json& json);

struct Digest {
    std::string digits;
    std::vector<Stamp> stamps;
};

/// Of inputs (a folder is all files in it), of files that options name, and of all files in `known`: what was
/// read when the job ran, such as materials and textures. Content is read again only when size or time differ
/// from what `known` says. What is not there counts as empty: the job will say so.
/// \param folder where relative names begin.
Digest digest_of(const Job& job, const std::filesystem::path& folder, const std::vector<Stamp>& known);
/// Files that turned out to be read, besides.
void add_files(const std::vector<std::string>& names, const Job& job, const std::filesystem::path& folder,
               Digest& digest);

}  // namespace sinew::cli::batch
