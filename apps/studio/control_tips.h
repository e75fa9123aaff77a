// SPDX-License-Identifier: MIT
#pragma once
// Tooltips of controls whose text does not depend on the document; others are defined where they are drawn.

#include <string_view>

namespace sinew::studio {

struct ControlTip {
    std::string_view control;  ///< its name in scripts
    const char* text;
    const char* key = nullptr;  ///< the default key of the same action
};

/// Null for a control whose tooltip is defined elsewhere.
const ControlTip* tip_of(std::string_view control);

}  // namespace sinew::studio
