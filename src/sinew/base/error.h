// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Errors that a user can act on: each says where the problem is and why.
///
/// \code
/// try {
///     fail("walk.bvh:17", "expected CHANNELS, found \"{}\"", word);
/// } catch (const Error& error) {
///     std::puts(error.what());                       // walk.bvh:17: expected CHANNELS, found "CHANELS"
/// }
/// \endcode

#include <exception>
#include <stdexcept>
#include <string>
#include <string_view>

#include <fmt/format.h>

namespace sinew {

/// Invalid input or failed work. `what()` reads "location: reason", for example `walk.bvh:17: expected
/// CHANNELS, found "CHANELS"`. Programming mistakes are asserts, not Errors.
class Error : public std::runtime_error {
  public:
    Error(std::string_view location, std::string_view reason)
        : std::runtime_error(location.empty() ? std::string(reason)
                                              : fmt::format("{}: {}", location, reason)),
          location_(location),
          reason_(reason) {}

    const std::string& location() const { return location_; }
    const std::string& reason() const { return reason_; }

  private:
    std::string location_;
    std::string reason_;
};

/// Thrown by long-running work after its Monitor asked it to stop. It is not an Error because nothing failed:
/// code that catches an Error and tries another method must not do so after a cancel.
class Cancelled : public std::exception {
  public:
    const char* what() const noexcept override { return "cancelled"; }
};

/// Throws an Error with a formatted reason.
template <class... Args>
[[noreturn]] void fail(std::string_view location, fmt::format_string<Args...> reason, Args&&... args) {
    throw Error(location, fmt::format(reason, std::forward<Args>(args)...));
}

}  // namespace sinew
