// SPDX-License-Identifier: MIT
#pragma once
// Extension of curves beyond their first and last key. A clip has no rule for this, so keys are baked over a
// range.

#include <span>
#include <string_view>

#include "state.h"

namespace sinew::studio {

/// Names of the rules of Beyond, in order: constant, linear, repeat, repeat-offset, mirror.
std::span<const char* const> beyond_names();

struct Extension {
    Beyond before = Beyond::constant, after = Beyond::constant;
    double from = 0, to = 0;  ///< seconds
};

/// Keys of a joint (-1: all joints and morphs) before their first and after their last one, one frame apart;
/// between them nothing changes. Times may become negative. \throws Error when the range is invalid.
model::Clip extended(const model::Clip& clip, int joint, const Extension& extension, double rate);

/// The extension with the settings of the motion tool.
Extension chosen_extension(const State& state);
/// Frames per second of baked keys of the clip that plays.
double extension_rate(const State& state);
/// Bakes it into the clip as a step, for the selected joint or all; a clip that would begin before 0 is moved
/// to a later time as a whole. Errors become messages.
void extend_clip(State& state);

}  // namespace sinew::studio
