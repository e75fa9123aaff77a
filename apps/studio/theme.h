// SPDX-License-Identifier: MIT
#pragma once
// How the studio looks: dark and calm, one accent.

#include "preferences.h"

namespace sinew::studio {

/// Colours, spacing and font of the current Dear ImGui context. The font is DejaVu Sans where it is
/// installed, else the built-in one.
void apply_theme(const Preferences& preferences);

}  // namespace sinew::studio
