// SPDX-License-Identifier: MIT
#pragma once
// The keyboard over the picture.

#include <span>
#include <string_view>

#include "state.h"

namespace sinew::studio {

/// One row of the table that help and docs show.
struct KeyHelp {
    std::string_view keys;
    std::string_view what;
};
std::span<const KeyHelp> key_table();

/// Keys of this frame, as Dear ImGui has them (numbered by SDL's scan codes). Nothing while text is typed.
void handle_keys(State& state, double seconds);

/// X, Y or Z is held: 0, 1, 2; otherwise -1.
int held_axis();

/// The camera looks from a side at all of it.
void look_from(State& state, render::View view);
/// The camera flies on at its speed.
void move_camera(State& state, double seconds);
/// The camera goes along with something that went from one place to another.
void follow(render::OrbitCamera& camera, const Vec3f& from, const Vec3f& to);

}  // namespace sinew::studio
