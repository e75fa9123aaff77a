// SPDX-License-Identifier: MIT
#pragma once
// The page without a model, as the build made it.

#include <string_view>

namespace sinew::web {

/// HTML with style and script in place and the slots %TITLE%, %ABOUT% and %MODEL%; empty when the program was
/// built without node and npm.
std::string_view page_shell();

}  // namespace sinew::web
