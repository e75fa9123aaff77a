// SPDX-License-Identifier: MIT
#pragma once
// Keys over a clip that is not changed: a few corrections of captured motion, which has a key in every frame.

#include "clip_keys.h"

namespace sinew::studio {

/// The clip of the character is always the base with the keys, so that all other code uses the result.
struct MotionLayer {
    int clip = -1;      ///< of the character
    model::Clip base;   ///< the clip without the layer
    model::Clip keys;   ///< rotations and translations after those of the base; the identity changes nothing
    double weight = 1;  ///< 0 to 1
};

/// The base with the keys, sampled at its rate where there are any.
model::Clip combined(const model::Skeleton& skeleton, const MotionLayer& layer);
/// The clip from which `combined` was computed: removes the keys of `layer` from `clip`.
model::Clip without_layer(const model::Skeleton& skeleton, const model::Clip& clip, const MotionLayer& layer);

/// The layer of the clip that plays; null when there is none.
const MotionLayer* shown_layer(const State& state);
/// The clip whose keys are shown and edited: that of the layer while it is selected, else the one that plays
/// without its layer; null for the rest pose. Values of a layer are changes: the rest pose of
/// `edited_skeleton` is then the identity.
const model::Clip* edited_clip(const State& state);
const model::Skeleton& edited_skeleton(const State& state);

/// Changes the keys of edited_clip as a step; a layer begins with its first key. Otherwise like edit_clip.
bool edit_keys(State& state, const std::string& what,
               const std::function<model::Clip(const model::Clip&)>& edit, bool again = false);
/// Keys of the changed pose in the layer, and others `ease` seconds before and after that keep the previous
/// values.
void key_pose_in_layer(State& state);
void set_layer_weight(State& state, double weight, bool again);
/// Keeps the keys of the layer in the clip permanently, or restores the original clip.
void merge_layer(State& state);
void discard_layer(State& state);

}  // namespace sinew::studio
