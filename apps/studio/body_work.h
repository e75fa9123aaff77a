// SPDX-License-Identifier: MIT
#pragma once
// Segmentation of bodies and conversion of sequences to characters, in the background.

#include "state.h"

namespace sinew::studio {

/// Segments the mesh into anatomical parts, as a step.
void cut_into_parts(State& state);

/// Bones and weights that replay the open mesh sequence; the character replaces it as a step.
void fit_sequence(State& state, int bones);

}  // namespace sinew::studio
