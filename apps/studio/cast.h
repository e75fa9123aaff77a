// SPDX-License-Identifier: MIT
#pragma once
// Several characters in one scene: added, chosen, hidden and removed, each with its own motion.

#include "state.h"

namespace sinew::studio {

/// Adds a document to the scene beside the open one, and makes it current, as a step.
void add_actor(State& state, Document document);
/// Reads a file in the background for add_actor; or makes a built-in character of this name.
void add_file(State& state, const std::filesystem::path& path);
/// Makes another one current, as a step; the camera does not move in the scene.
void choose_actor(State& state, int index);
/// Removes the current one from the scene, as a step. The last one stays.
void remove_actor(State& state);
/// Shows or hides one, as a step.
void hide_actor(State& state, int index, bool hidden);

/// The number of characters, the name of one, and whether it is hidden.
int actor_count(const State& state);
std::string actor_name(const State& state, int index);
bool actor_hidden(const State& state, int index);

/// The time in the clip of an actor at a time of the scene: its clip repeats.
double time_in_clip(const model::Clip& clip, double since_start);

}  // namespace sinew::studio
