// SPDX-License-Identifier: MIT
#pragma once
// Tooltips of controls whose text does not depend on what is open; others have theirs where they are drawn.

#include <string_view>

namespace sinew::studio {

struct ControlTip {
    std::string_view control;  ///< its name, as scripts press it
    const char* text;
    const char* key = nullptr;  ///< the usual key that does the same
};

/// Null for a control that has its tooltip elsewhere.
const ControlTip* tip_of(std::string_view control);

}  // namespace sinew::studio
