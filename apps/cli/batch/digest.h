// SPDX-License-Identifier: MIT
#pragma once
// The dependencies of a job as a number: content of its inputs, its arguments, the version of the program.

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "plan.h"

namespace sinew::cli::batch {

/// A file that a job reads, with its size and time.
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

/// The digest of inputs (a folder means all files in it), of files that options name, and of all files in
/// `known`: those that were read when the job ran, such as materials and textures. Content is read again only
/// when size or time differ from `known`. A missing file counts as empty: the job will report it.
/// \param folder base of relative names.
Digest digest_of(const Job& job, const std::filesystem::path& folder, const std::vector<Stamp>& known);
/// Further files that the job has read.
void add_files(const std::vector<std::string>& names, const Job& job, const std::filesystem::path& folder,
               Digest& digest);

}  // namespace sinew::cli::batch
