// SPDX-License-Identifier: MIT
#pragma once
// Several characters in one scene: added, chosen, hidden and taken away, each with its own motion.

#include "state.h"

namespace sinew::studio {

/// Puts a document into the scene beside what is open, and goes on with it, as a step.
void add_actor(State& state, Document document);
/// Reads a file in the background for add_actor; or makes a built-in character of this name.
void add_file(State& state, const std::filesystem::path& path);
/// Goes on with another one, as a step; the camera keeps its place in the scene.
void choose_actor(State& state, int index);
/// Takes the one that is worked on out of the scene, as a step. The last one stays.
void remove_actor(State& state);
/// Shows one, or does not, as a step.
void hide_actor(State& state, int index, bool hidden);

/// How many there are, what one is called, and whether it is hidden.
int actor_count(const State& state);
std::string actor_name(const State& state, int index);
bool actor_hidden(const State& state, int index);

/// The time in the clip of an actor when the scene has reached a time: its clip begins again when it ends.
double time_in_clip(const model::Clip& clip, double since_start);

}  // namespace sinew::studio
