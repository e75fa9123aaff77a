// SPDX-License-Identifier: MIT
#pragma once
// Texts and symbols over the picture.

#include "poser.h"

namespace sinew::studio {

/// The axes in the corner, names of joints, and what to do when nothing is open. In the current window of
/// Dear ImGui. `rotated`: degrees by which a ring is being dragged.
void draw_marks(const State& state, const PosedBody& posed, std::optional<float> rotated);

}  // namespace sinew::studio
