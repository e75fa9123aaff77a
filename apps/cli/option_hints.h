// SPDX-License-Identifier: MIT
#pragma once
// The library says what is missing; here is the option that gives it.

#include <string>
#include <string_view>

namespace sinew::cli {

/// The message of an error with the option that helps behind it, where one does.
std::string with_option_hint(std::string_view message);

}  // namespace sinew::cli
