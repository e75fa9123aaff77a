// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Parallel work on pieces of a file with the same result, including errors, as sequential work.

#include <cstddef>
#include <exception>
#include <vector>

#include "sinew/base/parallel.h"

namespace sinew::io {

/// Calls `body(i)` for every i in [0, count) on all threads. If several throw, the exception of the lowest i
/// is rethrown, so that an invalid file always gives the same message.
template <class Body>
void parallel_in_order(std::size_t count, const Body& body) {
    std::vector<std::exception_ptr> errors(count);
    parallel_for(count, 1, [&](std::size_t i) {
        try {
            body(i);
        } catch (...) {
            errors[i] = std::current_exception();
        }
    });
    for (const std::exception_ptr& error : errors) {
        if (error) std::rethrow_exception(error);
    }
}

}  // namespace sinew::io
