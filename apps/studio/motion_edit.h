// SPDX-License-Identifier: MIT
#pragma once
// Changes of the clip that plays, as steps that can be undone.

#include "clip_keys.h"

namespace sinew::studio {

using ClipEdit = std::function<model::Clip(const model::Clip&)>;

/// Replaces the clip that plays by a changed one; `again` continues the last step instead of a new one, for a
/// drag. Errors become messages. False when nothing was done.
bool edit_clip(State& state, const std::string& what, const ClipEdit& edit, bool again = false);
/// Replaces one clip by another, not as a step.
void put_clip(State& state, int index, model::Clip clip);
/// Adds a clip and plays it.
void add_clip(State& state, const std::string& what, model::Clip clip);

/// The property of the shown keys.
KeyProperty shown_property(const State& state);
/// Times of the keys of the selected joint; none without one.
std::vector<double> shown_keys(const State& state);

/// Removes the selected key of the selected joint, as a step; does nothing without one.
void delete_shown_key(State& state);
void trim_clip(State& state, double start, double end);
void loop_clip(State& state);
void mirror_clip(State& state);
/// Removes keys so that no point moves farther than `tolerance` times the size of the body.
void reduce_clip(State& state, double tolerance);
void smooth_clip(State& state, double cutoff);
/// Rotates the upper arms away from the body in the whole clip, by degrees; negative values bring them
/// nearer.
void widen_arms(State& state, double degrees);
/// New clips from the one that plays and another one, with the settings of the motion tool: a blend of both;
/// the other one over it, for a joint and all below it (-1: all joints); one after the other.
void mix_with(State& state, int other);
void layer_over(State& state, int other, int joint);
void append_clip(State& state, int other);
/// Adds the pose that is shown as keys of the clip at this time.
void key_this_pose(State& state);

}  // namespace sinew::studio
