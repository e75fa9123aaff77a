// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Memory over long sessions.

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <gtest/gtest.h>
#include <malloc.h>

namespace sinew::test {

/// Megabytes that the program holds.
inline double resident() {
    ::malloc_trim(0);
    long pages = 0, ignored = 0;
    std::FILE* file = std::fopen("/proc/self/statm", "r");
    if (file == nullptr || std::fscanf(file, "%ld %ld", &ignored, &pages) != 2) pages = 0;
    if (file != nullptr) std::fclose(file);
    return static_cast<double>(pages) * 4096e-6;
}

/// How long a session lasts: 30 minutes with SINEW_SLOW, or SINEW_SESSION_SECONDS; 0 in the ordinary run.
inline double session_seconds() {
    if (std::getenv("SINEW_SLOW") == nullptr) return 0;
    const char* wanted = std::getenv("SINEW_SESSION_SECONDS");
    return wanted != nullptr ? std::atof(wanted) : 1800;
}

/// \param held megabytes after each round of a session
inline void expect_flat(const std::vector<double>& held) {
    ASSERT_GE(held.size(), 6u) << "rounds";
    const auto third = static_cast<std::ptrdiff_t>(held.size() / 3);
    const double before = *std::max_element(held.begin() + third, held.begin() + 2 * third),
                 after = *std::max_element(held.begin() + 2 * third, held.end());
    std::printf("%zu rounds: %.0f MB after the first, %.0f in the middle third, %.0f in the last\n",
                held.size(), held.front(), before, after);
    EXPECT_LT(after, 1.05 * before + 5) << "megabytes";
}

}  // namespace sinew::test
