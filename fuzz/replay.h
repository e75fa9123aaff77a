// SPDX-License-Identifier: MIT
#pragma once
// The table of all fuzz targets, which the build generates.

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>

using FuzzTarget = int (*)(const std::uint8_t* data, std::size_t size);

struct Replayed {
    FuzzTarget target;
    std::size_t cuts;  ///< at so many places each file is cut and changed
};
extern const std::map<std::string, Replayed> fuzz_targets;
