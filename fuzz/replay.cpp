// SPDX-License-Identifier: MIT
// fuzz_readers|fuzz_bodies NAME FOLDER...: runs a fuzz target over every file of a corpus folder, and over
// each file cut at several places and with single bytes changed, so that the ordinary tests keep what fuzzing
// has found.

#include "replay.h"

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

namespace {

/// How often the target was called.
std::size_t replay(const Replayed& of, std::vector<char> content) {
    const FuzzTarget target = of.target;
    const std::size_t cuts = of.cuts;
    auto* bytes = reinterpret_cast<std::uint8_t*>(content.data());
    target(bytes, content.size());
    std::size_t runs = 1;
    for (std::size_t cut = 0; cut < cuts && !content.empty(); ++cut) {
        target(bytes, content.size() * cut / cuts);
        const std::size_t place = (content.size() * cut + cuts / 2) / cuts % content.size();
        const std::uint8_t kept = bytes[place];
        bytes[place] = static_cast<std::uint8_t>(kept ^ (1u << (cut % 8)));
        target(bytes, content.size());
        bytes[place] = kept;
        runs += 2;
    }
    return runs;
}

}  // namespace

int main(int argc, char** argv) {
    const auto target = fuzz_targets.find(argc > 1 ? argv[1] : "");
    if (target == fuzz_targets.end()) {
        std::fprintf(stderr, "the first word must name a target\n");
        return 2;
    }
    std::size_t runs = 0;
    for (int i = 2; i < argc; ++i) {
        if (!std::filesystem::is_directory(argv[i])) continue;
        for (const auto& entry : std::filesystem::recursive_directory_iterator(argv[i])) {
            if (!entry.is_regular_file()) continue;
            std::ifstream file(entry.path(), std::ios::binary);
            runs += replay(target->second, {std::istreambuf_iterator<char>(file), {}});
        }
    }
    std::printf("%zu inputs replayed\n", runs);
    return runs == 0 ? 1 : 0;
}
