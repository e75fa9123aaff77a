// SPDX-License-Identifier: MIT
#pragma once
// What a job depends on, as a number: content of its inputs, its words, the version of the program.

#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "plan.h"

namespace sinew::cli::batch {

/// SHA-256 (FIPS 180-4), as `sha256sum` prints it.
class Sha256 {
  public:
    void add(std::string_view bytes);
    /// 64 hexadecimal digits; ends the sum.
    std::string digits();

  private:
    void block(const unsigned char* bytes);

    std::array<std::uint32_t, 8> state_ = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                           0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    std::array<unsigned char, 64> rest_{};
    std::uint64_t size_ = 0;
};

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
