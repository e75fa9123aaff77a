#pragma once
/// \file
/// Numbers that tables are asked with.

#include <cassert>
#include <cstddef>

namespace sinew {

/// The place in a table of a joint, node or part that is there, that is, whose number is not -1.
constexpr std::size_t at(int number) {
    assert(number >= 0);
    return static_cast<std::size_t>(number);
}

}  // namespace sinew
