// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Errors that a user can act on: where it went wrong and why.
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

/// Bad input or failed work. `what()` reads "location: reason", for example
/// `walk.bvh:17: expected CHANNELS, found "CHANELS"`. A programmer's mistake is an assert, not an Error.
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

/// Thrown by long work when its Monitor was asked to stop. Not an Error: nothing went wrong, and code that
/// tries something else after an Error must not do so when the user asked it to stop.
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
