// SPDX-License-Identifier: MIT
#pragma once
// Whether the tests were built with a sanitizer, which takes time and memory of its own.

namespace sinew::test {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool sanitized = true;
#else
inline constexpr bool sanitized = false;
#endif

}  // namespace sinew::test
