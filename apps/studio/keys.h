// SPDX-License-Identifier: MIT
#pragma once
// Keyboard input for the picture.

#include <span>
#include <string_view>

#include "state.h"

namespace sinew::studio {

/// One row of the table in help and docs.
struct KeyHelp {
    std::string_view keys;
    std::string_view what;
};
std::span<const KeyHelp> key_table();

/// Keys of this frame, from Dear ImGui (numbered by SDL's scan codes). Nothing while text is typed.
void handle_keys(State& state, double seconds);

/// Which of X, Y or Z is held: 0, 1, 2; otherwise -1.
int held_axis();

/// The camera shows everything from one side.
void look_from(State& state, render::View view);
/// The camera continues to fly at its speed.
void move_camera(State& state, double seconds);
/// The camera follows an object that moved from one position to another.
void follow(render::OrbitCamera& camera, const Vec3f& from, const Vec3f& to);

}  // namespace sinew::studio
