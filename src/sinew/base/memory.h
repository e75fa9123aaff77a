#pragma once
/// \file
/// How much memory the process takes.

#include <cstddef>

namespace sinew {

/// The most bytes that this process had in memory at once, its libraries and mapped files included; 0 where
/// the system does not say.
std::size_t peak_memory();

}  // namespace sinew
