// SPDX-License-Identifier: MIT
// Stands in for the page where node or npm is missing.
#include "page_shell.h"

namespace sinew::web {

std::string_view page_shell() {
    return {};
}

}  // namespace sinew::web
