// SPDX-License-Identifier: MIT
#pragma once
// The table of all fuzz targets, which the build generates.

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>

using FuzzTarget = int (*)(const std::uint8_t* data, std::size_t size);
extern const std::map<std::string, FuzzTarget> fuzz_targets;
