// SPDX-License-Identifier: MIT
#pragma once
// Groups of widgets that show a state and change it. Each is one function; `layout.h` puts them in place.

#include "poser.h"
#include "state.h"

namespace sinew::studio {

void menu_bar(State& state);
void display_panel(State& state);
void camera_panel(State& state);
void rig_panel(State& state);
void skin_panel(State& state);
void selection_panel(State& state, const PosedBody& posed);
void joints_panel(State& state);
void geometry_panel(State& state);
void messages_panel(State& state);
void timeline_panel(State& state);
void status_bar(State& state);
/// Opening, exporting and the table of keys, over everything.
void dialogs(State& state);

}  // namespace sinew::studio
