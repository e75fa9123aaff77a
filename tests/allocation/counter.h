// SPDX-License-Identifier: MIT
#pragma once
// Counts what `operator new` hands out. Lives in an executable of its own, so that no other test is
// disturbed.

#include <cstddef>

namespace sinew::test {

/// Allocations since the program started.
std::size_t allocation_count();

/// Allocations while `body` runs.
template <class Body>
std::size_t allocations_in(const Body& body) {
    const std::size_t before = allocation_count();
    body();
    return allocation_count() - before;
}

}  // namespace sinew::test
