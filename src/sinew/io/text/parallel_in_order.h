// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Parallel work over pieces of a file whose outcome, errors included, is that of doing them in order.

#include <cstddef>
#include <exception>
#include <vector>

#include "sinew/base/parallel.h"

namespace sinew::io {

/// Calls `body(i)` for every i in [0, count) on all threads; when some throw, the exception of the lowest i
/// is thrown on, so that a broken file gives the same message every time.
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
