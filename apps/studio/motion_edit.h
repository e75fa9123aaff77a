// SPDX-License-Identifier: MIT
#pragma once
// The clip that plays, changed as a step that can be undone.

#include "clip_keys.h"

namespace sinew::studio {

using ClipEdit = std::function<model::Clip(const model::Clip&)>;

/// Puts a changed clip in the place of the one that plays; `again` goes on with the last step instead of a
/// new one, for a drag. Errors become messages. False when nothing was done.
bool edit_clip(State& state, const std::string& what, const ClipEdit& edit, bool again = false);
/// Another clip in the place of one, not as a step.
void put_clip(State& state, int index, model::Clip clip);
/// Adds a clip and plays it.
void add_clip(State& state, const std::string& what, model::Clip clip);

/// The property whose keys are shown.
KeyProperty shown_property(const State& state);
/// Times of the keys of the selected joint; none without one.
std::vector<double> shown_keys(const State& state);

/// Takes the selected key of the selected joint away, as a step; nothing without one.
void delete_shown_key(State& state);
void trim_clip(State& state, double start, double end);
void loop_clip(State& state);
void mirror_clip(State& state);
/// Fewer keys that move no point farther than `tolerance` parts of the body's size.
void reduce_clip(State& state, double tolerance);
void smooth_clip(State& state, double cutoff);
/// Turns the upper arms away from the body in the whole clip, by degrees; negative ones bring them nearer.
void widen_arms(State& state, double degrees);
/// New clips of the one that plays and another one, by the settings of the motion tool: both at once; the
/// other one over it, of a joint and all below it (-1: all joints); one after the other.
void mix_with(State& state, int other);
void layer_over(State& state, int other, int joint);
void append_clip(State& state, int other);
/// The pose that is seen becomes keys of the clip at this time.
void key_this_pose(State& state);

}  // namespace sinew::studio
