// SPDX-License-Identifier: MIT
#pragma once
// Bodies taken apart and sequences turned into characters, in the background.

#include "state.h"

namespace sinew::studio {

/// Cuts the mesh into parts that a person would name, as a step.
void cut_into_parts(State& state);

/// Bones and weights that replay the mesh sequence that is open; the character takes its place as a step.
void fit_sequence(State& state, int bones);

}  // namespace sinew::studio
